#pragma once

// The common parts of elementwise and reduction kernels: the passing of arguments to a generated
// kernel, and the text that reads them.

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "runtime/graph/lent_memory.h"
#include "runtime/kernel/argument_block.h"
#include "runtime/kernel/parameters.h"
#include "runtime/kernel/user_kernel.h"
#include "runtime/session.h"

namespace gpy::rt {

// The origin of the user's text, for #line.
struct KernelPlace {
  std::string file;
  int line = 0;
  // Blanks for what stands before it on its line, so that columns are right.
  std::string before = {};
};

// "#line 12 \"script.gpy\"\n" and the blanks, or nothing where the place is unknown.
std::string line_directive(const KernelPlace& place);
// The user's text at its place. The text generated behind it counts as its last line: no code has a
// line beyond the text.
std::string placed_text(std::string_view text, const KernelPlace& place);
// The name of a kernel's entry in generated text; no function of C, or of the user, has it.
std::string entry_name(const std::string& kernel);
// The user's preamble, whose lines errors name by its place, or as `<preamble>:3` where it has
// none.
std::string preamble_text(const std::string& preamble, const KernelPlace& place = {});
// A text that begins with it uses no names but its own, this tree's and those of C's functions of
// mathematics; its threads do not meet, and stand along one axis, as its blocks do.
constexpr const char* kOwnNamesOnly = "// own names only\n";
// Ends the effect of a #line: what follows is generated.
std::string generated_directive();

// The way in which a parameter reaches the kernel.
enum class Passing : uint8_t {
  kNumber,   // by value
  kDense,    // pointer, element i
  kStrided,  // pointer and one stride an axis, in elements
  kRaw,      // the whole array: pointer, count, extents and strides
};

// An argument of a call, bound to its parameter.
struct Bound {
  Bound(const KernelParameter& to, DType as) : parameter(&to), dtype(as) {}

  const KernelParameter* parameter;
  DType dtype;
  Passing passing = Passing::kNumber;
  Scalar number;
  Array array;  // broadcast to the call's shape unless raw
  bool output = false;
  int number_of_name = -1;  // of a raw one whose accesses are checked (checks/check_text.h)
};

// Calls that are equal in this run the same generated text: the place, the rank, and each
// argument's dtype and passing, and the rank of a raw one.
std::string text_key(Place place, int rank, std::span<const Bound> bound);

// `typedef float T;` for each placeholder.
std::string placeholder_text(const TypeBinding& types);

// The parameters of the user's function: "const T& x, T& z, const _gpy_raw<const T, 2>& y, ".
std::string formal_parameters(std::span<const Bound> bound);
// What is passed for them: of dense arrays the element at `index`, an expression, of strided ones
// the element that load_text has found.
std::string actual_arguments(std::span<const Bound> bound, std::string_view index);
// "const T& x", a parameter of the user's function or a variable in the loop that stands for it.
std::string parameter_text(const Bound& bound);
std::string argument_value(const Bound& bound, std::string_view index);

// Those that are there as a whole, not by element: numbers and raw arrays.
std::vector<Bound> whole_only(std::span<const Bound> bound);

// The element of an argument at `index`, an expression.
std::string element_text(const Bound& bound, std::string_view index);

// Some axes of a call's shape with the flat index over them, an expression.
struct IndexedAxes {
  std::string index;
  int begin, end;
};
// Statements that find the place of the element of each strided array.
std::string load_text(std::span<const Bound> bound, std::initializer_list<IndexedAxes> axes);
inline std::string load_text(std::span<const Bound> bound, int rank, const std::string& index) {
  return load_text(bound, {{index, 0, rank}});
}

// A launch for `count` elements, on a GPU of blocks of so many threads that walk them with a
// stride, on the host in ranges.
KernelLaunch launch_of_elements(int64_t count, bool host, int64_t threads);
// Text in its kernel, whose elements are `_p._n`: those of a thread are from `_first` to `_end`
// with `_stride` between them. On the host `_marks` says whether each is to be marked.
std::string_view elements_of_thread();

// The arrays among the arguments, in their order. May run scripts' handlers of warnings: no lock is
// held meanwhile.
std::vector<LentMemory> lend_arrays(Session& session, std::span<const Bound> bound, Place place);
// Adds each argument to the block.
void add_arguments(std::span<const Bound> bound, std::span<const LentMemory> lent,
                   ArgumentBlock& block);

// What was compiled of a kernel for the arguments of one call and those like them.
struct CompiledVersion {
  std::vector<DType> dtypes;  // of the arrays
  std::string arguments;      // "x: float32, y: float32 with strides", for people
  Place place;
  std::string text;
  std::shared_ptr<UserFunction> function;  // of several, the one that reads the arguments
};
CompiledVersion make_version(std::span<const Bound> bound, Place place, std::string text,
                             std::shared_ptr<UserFunction> function);

// Refuses the numbers among the arguments that their parameters cannot hold: kType, kOverflow.
void check_numbers(std::string_view kernel, std::span<const Bound> inputs);

// The broadcast shape of the arrays that are not raw.
Dims kernel_shape(std::span<const KernelParameter> parameters, std::span<const Operand> arguments);

// A dense array in its place, or a dense copy.
Array dense_in(Session& session, const Array& array, Space space);

}  // namespace gpy::rt
