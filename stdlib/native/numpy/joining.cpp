// Joining and splitting arrays.
#include <algorithm>
#include <string>

#include "runtime/core/interrupt.h"
#include "runtime/ops/shape.h"
#include "src/array/errors.h"
#include "src/array/sequence_objects.h"
#include "src/array/typed_arguments.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

std::vector<rt::Array> to_arrays(Interpreter& vm, const Value& sequence, const Namespace& names) {
  const Ndarray* whole = as_ndarray(sequence);
  if (whole && whole->array.rank() == 0) {
    vm.raise_type_error("iteration over a 0-d array");
  }
  if (!vm.type_of(sequence)->slots.getitem && vm.is_iterable(sequence)) {
    vm.raise_type_error(
        "arrays to stack must be passed as a \"sequence\" type such as list or tuple.");
  }
  return array_list(vm, sequence, names);
}

// Casts the arrays to the dtype asked for, if any.
std::optional<rt::DType> cast_all(Interpreter& vm, std::vector<rt::Array>& arrays,
                                  const Value& dtype, const Value& casting) {
  const auto wanted = to_optional_dtype(vm, dtype);
  const rt::Casting rule = to_casting(vm, casting, rt::Casting::kSameKind);
  if (!wanted) return wanted;
  for (rt::Array& array : arrays) {
    const rt::DType from = array.dtype();
    array = rt::astype(session(vm), array, *wanted, rule, false);
    warn_of_lost_parts(vm, from, *wanted);
  }
  return wanted;
}

// Beside arrays an int takes their dtype, which none of more than 64 bits can.
void refuse_huge_numbers(Interpreter& vm, const Value& sequence) {
  const auto items = items_of(sequence);
  if (items &&
      std::ranges::any_of(*items, [](const Value& item) { return is_beyond_64_bits(item); })) {
    vm.raise_overflow_error("Python int too large to convert to C long");
  }
}

// The dtype that arrays have beside Python's numbers, which are weak; none where all or no items
// are such numbers, or one is too great.
std::optional<rt::DType> dtype_beside_numbers(Interpreter& vm, const Value& sequence,
                                              std::span<const rt::Array> arrays) {
  const auto items = items_of(sequence);
  if (!items || items->size() != arrays.size()) return std::nullopt;
  std::vector<rt::Operand> operands;
  size_t weak = 0;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Value& item = (*items)[i];
    const bool is_number = item.is_integer() || item.is_real() || item.is<Complex>();
    if (is_number) ++weak;
    operands.push_back(is_number ? rt::Operand(*try_number(vm, item)) : rt::Operand(arrays[i]));
  }
  if (weak == 0 || weak == operands.size()) return std::nullopt;
  const rt::DType dtype = rt::result_type(operands);
  for (size_t i = 0; i < arrays.size() && rt::is_integer(dtype); ++i) {
    const int64_t number = (*items)[i].is_integer() ? (*items)[i].as_integer() : 0;
    if (rt::Scalar::of(dtype, number).as_int() != number) return std::nullopt;
  }
  return dtype;
}

// What was joined, in `out` if there is one: by the rule, which each of the arrays must fit.
Value finish_by_rule(Interpreter& vm, rt::Array result, std::span<const rt::Array> arrays,
                     const Value& out, const Value& casting) {
  const Ndarray* target = as_ndarray(out);
  if (!target || !is_given(casting) || !(target->array.shape() == result.shape())) {
    return finish(vm, std::move(result), out);
  }
  const rt::DType to = target->array.dtype();
  for (const rt::Array& array : arrays) {
    if (rt::can_cast(array.dtype(), to, to_casting(vm, casting, rt::Casting::kSameKind))) continue;
    vm.raise_type_error(
        "Cannot cast array data from dtype('{}') to dtype('{}') according to the rule '{}'",
        rt::name(array.dtype()), rt::name(to), vm.to_text(casting));
  }
  return finish(vm, rt::astype(session(vm), result, to, rt::Casting::kUnsafe, false), out);
}

// Here and below, the arrays are read before the other arguments.
Value concatenate(Interpreter& vm, const Namespace& names, const Value& sequence, const Value& axis,
                  const Value& out, const Value& dtype, const Value& casting) {
  rt::Session& state = session(vm);
  if (axis.is_none()) refuse_huge_numbers(vm, sequence);
  std::vector<rt::Array> arrays = to_arrays(vm, sequence, names);
  const auto along = to_strict_axis(vm, axis);
  if (!along) {
    for (rt::Array& array : arrays) array = rt::ravel(state, array);
  }
  auto wanted = cast_all(vm, arrays, dtype, casting);
  if (!wanted && !along) wanted = dtype_beside_numbers(vm, sequence, arrays);
  rt::Array result = rt::concatenate(state, arrays, along.value_or(0), wanted);
  return finish_by_rule(vm, std::move(result), arrays, out, casting);
}

Value stack(Interpreter& vm, const Namespace& names, const Value& sequence, const Value& axis,
            const Value& out, const Value& dtype, const Value& casting) {
  std::vector<rt::Array> arrays = to_arrays(vm, sequence, names);
  cast_all(vm, arrays, dtype, casting);
  rt::Array result = rt::stack(session(vm), arrays, vm.to_index(axis));
  return finish_by_rule(vm, std::move(result), arrays, out, casting);
}

rt::Array with_rank(const rt::Array& array, int rank) {
  if (array.rank() >= rank) return array;
  std::vector<int64_t> axes;
  for (int i = 0; i < rank - array.rank(); ++i) axes.push_back(i);
  return rt::expand_dims(array, axes);
}

rt::Array deep(const rt::Array& array) {
  const rt::Array flat = with_rank(array, 2);
  const int64_t last[] = {2};
  return flat.rank() == 2 ? rt::expand_dims(flat, last) : flat;
}

Value vstack(Interpreter& vm, const Namespace& names, const Value& sequence, const Value& dtype,
             const Value& casting) {
  std::vector<rt::Array> arrays = to_arrays(vm, sequence, names);
  for (rt::Array& array : arrays) array = with_rank(array, 2);
  const auto wanted = cast_all(vm, arrays, dtype, casting);
  return wrap_array(vm, rt::concatenate(session(vm), arrays, 0, wanted));
}

Value hstack(Interpreter& vm, const Namespace& names, const Value& sequence, const Value& dtype,
             const Value& casting) {
  std::vector<rt::Array> arrays = to_arrays(vm, sequence, names);
  for (rt::Array& array : arrays) array = with_rank(array, 1);
  const auto wanted = cast_all(vm, arrays, dtype, casting);
  const int64_t axis = !arrays.empty() && arrays[0].rank() == 1 ? 0 : 1;
  return wrap_array(vm, rt::concatenate(session(vm), arrays, axis, wanted));
}

Value dstack(Interpreter& vm, const Namespace& names, const Value& sequence) {
  std::vector<rt::Array> arrays = to_arrays(vm, sequence, names);
  for (rt::Array& array : arrays) array = deep(array);
  return wrap_array(vm, rt::concatenate(session(vm), arrays, 2));
}

Value column_stack(Interpreter& vm, const Namespace& names, const Value& sequence) {
  std::vector<rt::Array> arrays = to_arrays(vm, sequence, names);
  const int64_t last[] = {1};
  for (rt::Array& array : arrays) {
    if (array.rank() < 2) array = rt::expand_dims(with_rank(array, 1), last);
  }
  return wrap_array(vm, rt::concatenate(session(vm), arrays, 1));
}

// --- block ---------------------------------------------------------------------------------------

// The first array inside nested lists.
struct Leaf {
  int depth;
  std::string path;
};

Leaf first_leaf(Interpreter& vm, const Value& blocks, const Leaf& at) {
  if (blocks.is<Tuple>()) {
    vm.raise_type_error(
        "{} is a tuple. Only lists can be used to arrange blocks, and np.block does not allow "
        "implicit conversion from tuple to ndarray.",
        at.path);
  }
  if (!blocks.is<List>()) return at;
  std::optional<Leaf> first;
  int64_t i = 0;
  vm.for_each(blocks, [&](const Value& item) {
    const Leaf leaf = first_leaf(vm, item, {at.depth + 1, fmt::format("{}[{}]", at.path, i++)});
    if (!first) first = leaf;
    if (first->depth == leaf.depth) return;
    vm.raise_value_error(
        "List depths are mismatched. First element was at depth {}, but there is an element at "
        "depth {} ({})",
        first->depth, leaf.depth, leaf.path);
  });
  if (!first) vm.raise_value_error("List at {} cannot be empty", at.path);
  return *first;
}

int greatest_rank(Interpreter& vm, const Value& blocks, const Namespace& names) {
  if (!blocks.is<List>()) return to_array(vm, blocks, names).rank();
  int rank = 0;
  vm.for_each(blocks,
              [&](const Value& item) { rank = std::max(rank, greatest_rank(vm, item, names)); });
  return rank;
}

// The innermost lists lie along the last axis, those around them along the one before.
rt::Array assembled(Interpreter& vm, const Value& blocks, const Namespace& names, int depth,
                    int rank) {
  if (!blocks.is<List>()) return with_rank(to_array(vm, blocks, names), rank);
  std::vector<rt::Array> parts;
  vm.for_each(blocks, [&](const Value& item) {
    parts.push_back(assembled(vm, item, names, depth - 1, rank));
  });
  return rt::concatenate(session(vm), parts, -depth);
}

Value block(Interpreter& vm, const Namespace& names, const Value& blocks) {
  const int depth = first_leaf(vm, blocks, {0, "arrays"}).depth;
  const int rank = std::max(depth, greatest_rank(vm, blocks, names));
  return wrap_array(vm, rt::copy(session(vm), assembled(vm, blocks, names, depth, rank), 'C'));
}

// --- apart ---------------------------------------------------------------------------------------

// Borders of `sections` parts, the first ones longer by one where it does not come out even.
std::vector<int64_t> borders(int64_t extent, int64_t sections) {
  std::vector<int64_t> at;
  int64_t border = 0;
  for (int64_t i = 0; i + 1 < sections; ++i) {
    rt::poll_interrupt();
    border += extent / sections + (i < extent % sections ? 1 : 0);
    at.push_back(border);
  }
  return at;
}

Value split_along(Interpreter& vm, const Value& whole, const rt::Array& array, const Value& parts,
                  int64_t axis, bool must_divide) {
  constexpr size_t kPartBytes = sizeof(int64_t) + sizeof(rt::Array) + sizeof(Ndarray);
  const rt::InterruptScope scope(session(vm).interrupt);
  std::vector<int64_t> at;
  const Ndarray* given = as_ndarray(parts);
  if (given ? given->array.rank() == 0 : vm.has_index(parts)) {
    const int64_t sections = vm.to_index(parts);
    const int64_t extent = array.shape()[rt::normalize_axis(axis, array.rank())];
    if (must_divide && sections == 0) {
      vm.raise(vm.types.zero_division_error, "integer modulo by zero");
    }
    if (sections <= 0) vm.raise_value_error("number sections must be larger than 0.");
    if (must_divide && extent % sections != 0) {
      vm.raise_value_error("array split does not result in an equal division");
    }
    vm.claim(static_cast<size_t>(sections), kPartBytes);
    at = borders(extent, sections);
  } else {
    at = to_ints(vm, parts);
    vm.claim(at.size() + 1, kPartBytes);
  }
  std::vector<Value> results;
  for (rt::Array& part : rt::split(array, at, axis)) {
    rt::poll_interrupt();
    append_item(vm, results, wrap_view(vm, std::move(part), whole));
  }
  return vm.list(std::move(results));
}

template <bool kMustDivide>
Value split(Interpreter& vm, const Args& call, const rt::Array& array, const Value& parts,
            int64_t axis) {
  return split_along(vm, call[0], array, parts, axis, kMustDivide);
}

template <int kAxis>
Value split_axis(Interpreter& vm, const Args& call, const rt::Array& array, const Value& parts) {
  constexpr int kLeast[] = {2, 1, 3};
  if (array.rank() < kLeast[kAxis]) {
    constexpr const char* kNames[] = {"vsplit", "hsplit", "dsplit"};
    vm.raise_value_error("{} only works on arrays of {} or more dimensions", kNames[kAxis],
                         kLeast[kAxis]);
  }
  const int64_t axis = kAxis == 1 && array.rank() == 1 ? 0 : kAxis;
  return split_along(vm, call[0], array, parts, axis, true);
}

const Native kFunctions[] = {
    {"concatenate", "(arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind')",
     typed<concatenate>, "Arrays joined along an axis."},
    {"stack", "(arrays, axis=0, out=None, *, dtype=None, casting='same_kind')", typed<stack>,
     "Arrays of one shape joined along a new axis."},
    {"vstack", "(tup, *, dtype=None, casting='same_kind')", typed<vstack>,
     "Arrays joined as rows."},
    {"hstack", "(tup, *, dtype=None, casting='same_kind')", typed<hstack>,
     "Arrays joined side by side."},
    {"dstack", "(tup)", typed<dstack>, "Arrays joined along the third axis."},
    {"column_stack", "(tup)", typed<column_stack>, "Vectors joined as columns."},
    {"block", "(arrays)", typed<block>, "Nested lists of arrays put together."},
    {"split", "(ary, indices_or_sections, axis=0)", typed<split<true>>, "Views of equal parts."},
    {"array_split", "(ary, indices_or_sections, axis=0)", typed<split<false>>,
     "Views of nearly equal parts."},
    {"vsplit", "(ary, indices_or_sections)", typed<split_axis<0>>, "Views of groups of rows."},
    {"hsplit", "(ary, indices_or_sections)", typed<split_axis<1>>, "Views of groups of columns."},
    {"dsplit", "(ary, indices_or_sections)", typed<split_axis<2>>,
     "Views of parts along the third axis."},
};

}  // namespace

Family join_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
