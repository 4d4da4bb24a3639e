// The products that are generalised ufuncs in NumPy: each operand ends in core axes, which the
// product is over, and `axes`, `axis` and `keepdims` say where these lie; all before them
// broadcast.
#include <algorithm>

#include "runtime/core/error.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/products.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "src/array/typed_arguments.h"
#include "src/objects/function.h"
#include "stdlib/native/numpy/kept_type.h"
#include "stdlib/native/numpy/reduce_call.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

using Compute = rt::Array (*)(rt::Session&, const rt::Array&, const rt::Array&);

struct Core {
  std::string_view name, signature;
  int distinct;                   // names of axes in the signature
  std::array<int, 3> ranks;       // core axes of the inputs and of the output
  std::array<int, 2> contracted;  // the inputs' core axes that are summed over, from the end
  bool flexible;                  // vectors may stand for matrices
  Compute compute;                // of operands whose core axes are the last
};

// --- the products themselves ---------------------------------------------------------------------

rt::Array with_axis(const rt::Array& array, int64_t axis) {
  const int64_t axes[] = {axis};
  return rt::expand_dims(array, axes);
}

rt::Array without_axis(const rt::Array& array, int64_t axis) {
  const int64_t axes[] = {axis};
  return rt::squeeze(array, axes);
}

rt::Array conjugated(rt::Session& session, const rt::Array& array) {
  return rt::is_complex(array.dtype()) ? rt::ops::conjugate(session, array) : array;
}

rt::Array vecdot_of(rt::Session& session, const rt::Array& a, const rt::Array& b) {
  const rt::Array products = rt::ops::multiply(session, conjugated(session, a), b);
  rt::ReduceOptions last;
  last.axes = std::vector<int64_t>{-1};
  last.dtype = products.dtype();
  const bool truth = products.dtype() == rt::DType::kBool;
  return rt::reduce(session, truth ? rt::Fold::logical_or : rt::Fold::add, products, last);
}

rt::Array matvec_of(rt::Session& session, const rt::Array& a, const rt::Array& b) {
  return without_axis(rt::matmul(session, a, with_axis(b, -1)), -1);
}

rt::Array vecmat_of(rt::Session& session, const rt::Array& a, const rt::Array& b) {
  return without_axis(rt::matmul(session, with_axis(conjugated(session, a), -2), b), -2);
}

constexpr Core kMatmul = {"matmul",  "(n?,k),(k,m?)->(n?,m?)", 3, {2, 2, 2}, {1, 2}, true,
                          rt::matmul};
constexpr Core kVecdot = {"vecdot", "(n),(n)->()", 1, {1, 1, 0}, {1, 1}, false, vecdot_of};
constexpr Core kMatvec = {"matvec", "(m,n),(n)->(m)", 2, {2, 1, 1}, {1, 1}, false, matvec_of};
constexpr Core kVecmat = {"vecmat", "(n),(n,m)->(m)", 2, {1, 2, 1}, {1, 2}, false, vecmat_of};

// --- where the core axes lie ---------------------------------------------------------------------

using Places = std::vector<int64_t>;

struct CoreCall {
  std::array<int, 3> ranks;  // as the operands are
  std::array<std::optional<Places>, 3> places;
  bool keepdims = false;
};

// A vector stands for a matrix without the axis that is not summed over.
std::array<int, 3> ranks_of(const Core& core, const rt::Array& a, const rt::Array& b) {
  std::array<int, 3> ranks = core.ranks;
  if (!core.flexible) return ranks;
  for (int i = 0; i < 2; ++i) {
    if ((i == 0 ? a : b).rank() > 1) continue;
    --ranks[i];
    --ranks[2];
  }
  return ranks;
}

Places read_places(Interpreter& vm, const Core& core, const Value& item, int operand, int rank) {
  Tuple* tuple = item.try_as<Tuple>();
  if (!tuple) {
    const int64_t place = vm.to_index(item);
    if (rank == 1) return {place};
    rt::fail(rt::ErrorKind::kAxis,
             "{}: operand {} has {} core dimensions, but the axes item is a single integer.",
             core.name, operand, rank);
  }
  if (static_cast<int>(tuple->size) != rank) {
    rt::fail(
        rt::ErrorKind::kAxis,
        "{}: operand {} has {} core dimensions, but {} dimensions are specified by axes tuple.",
        core.name, operand, rank, tuple->size);
  }
  Places places;
  for (const Value& each : tuple->items()) places.push_back(vm.to_index(each));
  return places;
}

void read_axes(Interpreter& vm, const Core& core, const Value& axes, CoreCall& call) {
  List* list = axes.try_as<List>();
  if (!list) vm.raise_type_error("axes should be a list.");
  const size_t given = list->items.size();
  if (given != 3 && (given != 2 || core.ranks[2] > 0)) {
    vm.raise_value_error(
        "axes should be a list with an entry for all 3 inputs and outputs; entries for outputs can "
        "only be omitted if none of them has core axes.");
  }
  for (size_t i = 0; i < given; ++i) {
    const int operand = static_cast<int>(i);
    call.places[i] = read_places(vm, core, list->items[i], operand, call.ranks[i]);
  }
}

void read_axis(Interpreter& vm, const Core& core, const Value& axis, CoreCall& call) {
  if (core.distinct != 1) {
    vm.raise_type_error(
        "{}: axis can only be used with a single shared core dimension, not with the {} distinct "
        "ones implied by signature {}.",
        core.name, core.distinct, core.signature);
  }
  const Places place = {vm.to_index(axis)};
  call.places = {place, place, std::nullopt};
  if (call.keepdims) call.places[2] = place;
}

void check_keepdims(Interpreter& vm, const Core& core) {
  if (core.distinct == 1) return;
  const bool output = core.ranks[0] == core.ranks[1];
  vm.raise_type_error(
      "{} does not support keepdims: its signature {} requires {} to have {} core dimensions, but "
      "keepdims can only be used when all inputs have the same number of core dimensions and all "
      "outputs have no core dimensions.",
      core.name, core.signature, output ? "output 0" : "input 1",
      output ? core.ranks[2] : core.ranks[1]);
}

Places normalised(Interpreter& vm, const Places& places, int rank, int operand) {
  Places found;
  for (const int64_t place : places) {
    const int64_t axis = rt::normalize_axis(place, rank);
    if (std::ranges::find(found, axis) != found.end()) {
      vm.raise_value_error("axes item {} has value {} repeated", operand, place);
    }
    found.push_back(axis);
  }
  return found;
}

Places last_axes(size_t count) {
  Places axes;
  for (size_t i = 0; i < count; ++i) {
    axes.push_back(static_cast<int64_t>(i) - static_cast<int64_t>(count));
  }
  return axes;
}

// The operand with its core axes at the end.
rt::Array core_last(Interpreter& vm, const CoreCall& call, const rt::Array& array, int operand) {
  if (!call.places[operand]) return array;
  const Places from = normalised(vm, *call.places[operand], array.rank(), operand);
  return rt::move_axes(array, from, last_axes(from.size()));
}

// --- checks --------------------------------------------------------------------------------------

void check_ranks(Interpreter& vm, const Core& core, const CoreCall& call, const rt::Array* inputs) {
  for (int i = 0; i < 2; ++i) {
    const int needed = core.flexible ? 1 : call.ranks[i];
    if (inputs[i].rank() >= needed) continue;
    vm.raise_value_error(
        "{}: Input operand {} does not have enough dimensions (has {}, gufunc core with signature "
        "{} requires {})",
        core.name, i, inputs[i].rank(), core.signature, needed);
  }
}

void check_sizes(Interpreter& vm, const Core& core, const CoreCall& call, const rt::Array* inputs) {
  int64_t sizes[2];
  for (int i = 0; i < 2; ++i) {
    const int back = std::min(core.contracted[i], call.ranks[i]);
    sizes[i] = inputs[i].shape()[inputs[i].rank() - back];
  }
  if (sizes[0] == sizes[1]) return;
  vm.raise_value_error(
      "{}: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature {} (size "
      "{} is different from {})",
      core.name, core.signature, sizes[1], sizes[0]);
}

// The stacks of `out` may be larger than those of the result; its core axes are the result's.
void check_out(Interpreter& vm, const Core& core, int core_rank, const rt::Array& out,
               const rt::Array& result) {
  const int loops = out.rank() - core_rank, result_loops = result.rank() - core_rank;
  if (loops < 0) {
    vm.raise_value_error(
        "{}: Output operand 0 does not have enough dimensions (has {}, gufunc core with signature "
        "{} requires {})",
        core.name, out.rank(), core.signature, core_rank);
  }
  for (int i = 0; i < core_rank; ++i) {
    if (out.shape()[loops + i] == result.shape()[result_loops + i]) continue;
    vm.raise_value_error(
        "{}: Output operand 0 has a mismatch in its core dimension {}, with gufunc signature {} "
        "(size {} is different from {})",
        core.name, i, core.signature, out.shape()[loops + i], result.shape()[result_loops + i]);
  }
  const auto fits = [&](int back) {
    const int64_t extent = result.shape()[result_loops - back];
    return extent == 1 || (back <= loops && extent == out.shape()[loops - back]);
  };
  for (int back = 1; back <= result_loops; ++back) {
    if (back <= loops && fits(back)) continue;
    vm.raise_value_error(
        "non-broadcastable output operand with shape {} doesn't match the broadcast shape {}",
        rt::shape_text(out.shape()), rt::shape_text(result.shape()));
  }
}

bool read_keepdims(Interpreter& vm, const Value& value) {
  if (!value.is_boolean()) vm.raise_type_error("'keepdims' must be a boolean");
  return value.as_boolean();
}

// --- calling -------------------------------------------------------------------------------------

struct Typing {
  std::optional<rt::DType> dtype;
  rt::Casting casting;
};

void cast_inputs(Interpreter& vm, const Core& core, const Typing& typing, rt::Array* inputs) {
  if (!typing.dtype && typing.casting == rt::Casting::kSameKind) return;
  const rt::DType loop =
      typing.dtype.value_or(rt::promote(inputs[0].dtype(), inputs[1].dtype()).native());
  for (int i = 0; i < 2; ++i) {
    rt::check_cast(core.name, fmt::format("input {}", i), inputs[i].dtype(), loop, typing.casting);
    inputs[i] = rt::astype(session(vm), inputs[i], loop, rt::Casting::kUnsafe, false);
  }
}

// The result's core axes, which are its last, to where they are to lie.
rt::Array placed(Interpreter& vm, const CoreCall& call, rt::Array result) {
  if (call.keepdims) result = with_axis(result, -1);
  if (!call.places[2]) return result;
  const Places to = normalised(vm, *call.places[2], result.rank(), 2);
  return rt::move_axes(result, last_axes(to.size()), to);
}

Value stored(Interpreter& vm, const Core& core, const CoreCall& call, const rt::Array& result,
             const Value& out, rt::Casting casting) {
  const rt::Array& target = to_out(vm, out)->array;
  rt::check_cast(core.name, "output", result.dtype(), target.dtype(), casting);
  const rt::Array kept = call.keepdims ? with_axis(result, -1) : result;
  CoreCall at = call;
  if (call.keepdims && !at.places[2]) at.places[2] = Places{-1};
  const rt::Array view = core_last(vm, at, target, 2);
  check_out(vm, core, call.keepdims ? 1 : call.ranks[2], view, kept);
  rt::write(session(vm), view, kept);
  return as_ndarray(out) ? out : (*out.as<Tuple>())[0];
}

template <const Core& kCore>
Value core_product(Interpreter& vm, rt::Array a, rt::Array b, const Value& out,
                   const Value& casting, const Value& order, std::optional<rt::DType> dtype,
                   bool /*subok*/, const Value& axes, const Value& axis, const Value& keeps) {
  check_loop_dtype(dtype);
  check_out_tuple(vm, out);
  const bool keepdims = read_keepdims(vm, keeps);
  const Typing typing = {dtype, to_casting(vm, casting, rt::Casting::kSameKind)};
  static_cast<void>(to_order(vm, order, 'K'));
  CoreCall call = {ranks_of(kCore, a, b), {}, keepdims};
  rt::Array inputs[] = {std::move(a), std::move(b)};
  if (keepdims) check_keepdims(vm, kCore);
  check_ranks(vm, kCore, call, inputs);
  if (axes.is_defined()) {
    if (axis.is_defined()) vm.raise_type_error("cannot specify both 'axis' and 'axes'");
    if (keepdims) call.ranks[2] = 1;
    read_axes(vm, kCore, axes, call);
  } else if (axis.is_defined()) {
    read_axis(vm, kCore, axis, call);
  }
  for (int i = 0; i < 2; ++i) inputs[i] = core_last(vm, call, inputs[i], i);
  check_sizes(vm, kCore, call, inputs);
  cast_inputs(vm, kCore, typing, inputs);
  rt::Array result = kCore.compute(session(vm), inputs[0], inputs[1]);
  if (is_given(out)) return stored(vm, kCore, call, result, out, typing.casting);
  return wrap_result(vm, placed(vm, call, std::move(result)));
}

#define GPY_SIGNATURE                                                                 \
  "(x1, x2, /, out=None, *, casting='same_kind', order='K', dtype=None, subok=True, " \
  "axes=<no value>, axis=<no value>, keepdims=False)"

const Native kFunctions[] = {
    {"matmul", GPY_SIGNATURE, typed<core_product<kMatmul>>,
     "The matrix product; of stacks of matrices too."},
    {"vecdot", GPY_SIGNATURE, typed<core_product<kVecdot>>,
     "The dot products of vectors along an axis, the first conjugated."},
    {"matvec", GPY_SIGNATURE, typed<core_product<kMatvec>>,
     "The products of stacks of matrices and stacks of vectors."},
    {"vecmat", GPY_SIGNATURE, typed<core_product<kVecmat>>,
     "The products of stacks of vectors, conjugated, and stacks of matrices."},
};

#undef GPY_SIGNATURE

const Core& core_of(const Value& self) {
  constexpr const Core* kCores[] = {&kMatmul, &kVecdot, &kMatvec, &kVecmat};
  const std::string_view name = self.as<NativeFunction>()->row->name;
  return **std::ranges::find(kCores, name, [](const Core* each) { return each->name; });
}

const NativeGetter kUfuncGetters[] = {
    {"nin", [](Interpreter&, const Value&) { return Value::integer(2); }, nullptr, ""},
    {"nout", [](Interpreter&, const Value&) { return Value::integer(1); }, nullptr, ""},
    {"nargs", [](Interpreter&, const Value&) { return Value::integer(3); }, nullptr, ""},
    {"signature",
     [](Interpreter& vm, const Value& self) { return vm.str(core_of(self).signature); }, nullptr,
     "The core axes of the inputs and of the output."},
    {"identity", [](Interpreter&, const Value&) { return Value::none(); }, nullptr, ""},
};

std::string ufunc_repr(Interpreter&, const Value& self) {
  return fmt::format("<ufunc '{}'>", core_of(self).name);
}

// The type of natives that are ufuncs.
Type* native_ufunc_type(Interpreter& vm) {
  return kept_type(vm, "_native_ufunc", [&] {
    TypeSpec spec{.name = "ufunc",
                  .module = "numpy",
                  .doc = "A function of arrays with core axes.",
                  .base = vm.types.native_function,
                  .slots = vm.types.native_function->slots,
                  .getters = kUfuncGetters};
    spec.slots.repr = ufunc_repr;
    return vm.make_type<NativeFunction>(spec);
  });
}

}  // namespace

void add_core_products(Interpreter& vm, Module& module, const Namespace& names) {
  for (const Native& row : kFunctions) {
    Value function = vm.function(row, names.name, names.context());
    function.as_object()->type = native_ufunc_type(vm);
    module.set(vm, row.name, function);
  }
}

Family core_product_family() { return {kFunctions, {}}; }

}  // namespace gpy::lib
