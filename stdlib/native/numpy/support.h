#pragma once
// Declarations of all families of array functions. Each family is a file: bodies, then one row for
// each name, once for the modules numpy, cupy and gp and once as a method where arrays have it too.

#include <span>

#include "runtime/ops/elementwise.h"
#include "src/array/convert.h"
#include "src/array/read_arguments.h"

namespace gpy::lib {

struct Family {
  std::span<const Native> functions = {};
  std::span<const Native> methods = {};  // of arrays and of scalars
};

Family creation_family();
Family range_family();
Family like_family();
Family shape_family();
Family join_family();
Family rearrange_family();
Family insertion_family();
Family conversion_family();
Family elementwise_family();
Family reduction_family();
Family scan_family();
Family sorting_family();
Family selection_family();
Family product_family();
Family core_product_family();
// The same in a module, as natives of a type that has a ufunc's attributes.
void add_core_products(Interpreter& vm, Module& module, const Namespace& names);
Family einsum_family();
Family signal_family();
Family comparison_family();
Family dtype_family();
Family print_family();
Family file_family();
Family npy_family();
Family raw_file_family();
Family error_state_family();
Family numpy_only_family();
Family cupy_only_family();
Family gp_only_family();

// A result as a value, or written to `out` (None or omitted: none), which is then the value.
Value finish(Interpreter& vm, rt::Array result, const Value& out);
// The same whatever the dtype of `out`.
Value finish_unsafe(Interpreter& vm, rt::Array result, const Value& out);
// A ufunc's `out=`: ValueError for a tuple of other than one array.
void check_out_tuple(Interpreter& vm, const Value& out);

// Calls of the table's rows with arguments of a function, ops::add(vm, x, y): numbers alone stay on
// the host.
template <class Inputs> struct RowCall;
template <size_t... I> struct RowCall<std::index_sequence<I...>> {
  rt::RowCall<std::index_sequence<I...>> row;
  rt::Array operator()(Interpreter& vm, rt::RowOperand<I>... inputs) const {
    return row(session(vm), inputs..., rt::Space::host());
  }
};
namespace ops {
#define ROW(name, arity, ...) \
  inline constexpr RowCall<std::make_index_sequence<arity>> name = {rt::ops::name};
#include "runtime/ops/ufuncs.def"
}  // namespace ops

// An operand's truth, element by element.
rt::Operand truth_of(Interpreter& vm, const rt::Operand& operand);
// A `where=` argument: numbers and lists by their truth; TypeError for an array that is not bool.
rt::Operand to_mask(Interpreter& vm, const Value& value, const Namespace& names);

// RuntimeWarning at the script's line. As for floating-point events, arrays of a GPU give none.
void warn_about(Interpreter& vm, const rt::Array& array, const char* message);
// The same where any element of `when` is true; computes it, unless it is on a GPU.
void warn_where(Interpreter& vm, const rt::Array& when, const char* message);

// A list or tuple of arrays; TypeError for anything that is not a sequence.
std::vector<rt::Array> array_list(Interpreter& vm, const Value& sequence, const Namespace& names);
Value wrap_list(Interpreter& vm, std::span<const rt::Array> arrays, bool as_tuple);

// A number as an element of `dtype`, wrapped where it does not fit; arrays as they are.
rt::Operand cast_number(const rt::Operand& operand, rt::DType dtype);
// The items of a sequence: arrays, and numbers alone.
std::vector<rt::Operand> operand_list(Interpreter& vm, const Value& sequence,
                                      const Namespace& names);

// The converted fill value: ints must fit (OverflowError), floats and complex numbers are cast.
rt::Scalar fill_number(Interpreter& vm, const Value& value, const rt::Scalar& number,
                       rt::DType dtype);

// A fill value other than a single number; what is not an array yet is converted to `dtype`.
rt::Array fill_array(Interpreter& vm, const Value& value, std::optional<rt::DType> dtype,
                     const Namespace& names);

// Refuses a `where=` or other argument that is not supported, by name, unless it is omitted/None.
void refuse_argument(Interpreter& vm, const Value& value, std::string_view function,
                     std::string_view name);

}  // namespace gpy::lib
