#include "runtime/ops/elementwise.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/events.h"
#include "runtime/graph/make_node.h"
#include "runtime/graph/write.h"
#include "runtime/ops/at_once.h"
#include "runtime/ops/integer_range.h"

namespace gpy::rt {

namespace {

struct IntRange {
  int64_t low;
  uint64_t high;
};

IntRange range_of(DType dtype) {
  const int bits = static_cast<int>(item_size(dtype)) * 8;
  if (kind(dtype) == DTypeKind::kUnsigned) return {0, ~uint64_t{0} >> (64 - bits)};
  const uint64_t high = ~uint64_t{0} >> (65 - bits);
  return {-static_cast<int64_t>(high) - 1, high};
}

// -1: below the dtype's range, 1: above, 0: fits.
int out_of_range(const Scalar& value, DType dtype) {
  const IntRange range = range_of(dtype);
  if (value.dtype() == DType::kUInt64) return value.as_unsigned() > range.high ? 1 : 0;
  const int64_t number = value.as_int();
  if (number < range.low) return -1;
  return number > 0 && static_cast<uint64_t>(number) > range.high ? 1 : 0;
}

std::string int_text(const Scalar& value) {
  return value.dtype() == DType::kUInt64 ? fmt::format("{}", value.as_unsigned())
                                         : fmt::format("{}", value.as_int());
}

void check_fits(const Scalar& value, DType dtype) {
  if (value.weakness() != Weak::kInt || !is_integer(dtype)) return;
  if (out_of_range(value, dtype) != 0) {
    fail(ErrorKind::kOverflow, "Python integer {} out of bounds for {}", int_text(value),
         name(dtype.native()));
  }
}

bool tests_truth(const Ufunc& ufunc) {
  return ufunc.is(Row::logical_and) || ufunc.is(Row::logical_or) || ufunc.is(Row::logical_xor);
}

// A Python number against arrays compares, divides, and is true or false, by value, also where it
// does not fit their dtype: the arrays are then read as int64, or as float64 where that is too
// small as well.
std::optional<DType> wider_for_number(const Ufunc& ufunc, std::span<const Term> inputs,
                                      DType common) {
  const bool goes_by_value = ufunc.compares || ufunc.is(Row::divide) || tests_truth(ufunc);
  if (!goes_by_value || !is_integer(common)) return std::nullopt;
  for (const Term& input : inputs) {
    if (input.weakness() != Weak::kInt || out_of_range(input.scalar(), common) == 0) continue;
    return common == DType::kUInt64 || out_of_range(input.scalar(), DType::kInt64) != 0
               ? DType::kFloat64
               : DType::kInt64;
  }
  return std::nullopt;
}

// dtype= given: the loop must write it, and the inputs must cast to what that loop reads.
void check_signature(const Ufunc& ufunc, const UfuncLoop* loop, DType dtype) {
  if (loop && loop->out == dtype) return;
  fail(ErrorKind::kType,
       "No loop matching the specified signature and casting was found for ufunc {}", ufunc.name);
}

bool input_casts(const Term& input, DType to, Casting casting) {
  if (casting == Casting::kUnsafe) return true;
  if (input.weakness() == Weak::kNo) return can_cast(input.dtype(), to, casting);
  // A Python number fits every dtype of its kind.
  if (input.weakness() == Weak::kInt) return to != DType::kBool;
  return input.weakness() == Weak::kFloat ? is_inexact(to) : is_complex(to);
}

[[noreturn]] void refuse_cast(std::string_view ufunc, std::string_view operand, DType from,
                              DType to, Casting casting) {
  fail(ErrorKind::kNoLoop,
       "Cannot cast ufunc '{}' {} from dtype('{}') to dtype('{}') with casting rule '{}'", ufunc,
       operand, name(from), name(to), name(casting));
}

void check_input_casts(const Ufunc& ufunc, const UfuncLoop& loop, std::span<const Term> inputs,
                       Casting casting) {
  for (size_t i = ufunc.is(Row::where) ? 1 : 0; i < inputs.size(); ++i) {
    if (input_casts(inputs[i], loop.in[i], casting)) continue;
    const std::string operand = inputs.size() == 1 ? "input" : fmt::format("input {}", i);
    refuse_cast(ufunc.name, operand, inputs[i].dtype(), loop.in[i], casting);
  }
}

DType weak_partner(Weak weak, DType strong) {
  if (weak == Weak::kInt) return strong == DType::kBool ? DType::kInt64 : strong;
  if (strong == DType::kBFloat16 && weak == Weak::kFloat) return DType::kFloat32;  // ml_dtypes
  if (weak == Weak::kFloat) return is_inexact(strong) ? strong : DType::kFloat64;
  if (is_complex(strong)) return strong;
  if (!is_float(strong)) return DType::kComplex128;
  return complex_type(strong);
}

[[noreturn]] void no_loop(const Ufunc& ufunc, std::span<const DType> types) {
  if (ufunc.is(Row::subtract) &&
      std::all_of(types.begin(), types.end(), [](DType t) { return t == DType::kBool; })) {
    fail(ErrorKind::kType,
         "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
         "operator, or the logical_xor function instead.");
  }
  if (ufunc.is(Row::negative) && types[0] == DType::kBool) {
    fail(ErrorKind::kType,
         "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or "
         "the logical_not function instead.");
  }
  fail(ErrorKind::kType,
       "ufunc '{}' not supported for the input types, and the inputs could not be safely coerced "
       "to any supported types according to the casting rule ''safe''",
       ufunc.name);
}

// An input that has the same type in all loops, as the condition of `where`, takes no part in the
// promotion of the others.
bool has_one_type(const Ufunc& ufunc, size_t input) {
  return ufunc.loops.size() > 1 && ufunc.loops.front().in[input] == ufunc.loops.back().in[input];
}

template <class Input> DType type_of_all(std::span<const Input> operands) {
  std::optional<DType> strong;
  Weak weak = Weak::kNo;
  for (const Input& operand : operands) {
    if (operand.weakness() == Weak::kNo) {
      strong = strong ? promote(*strong, operand.dtype()) : operand.dtype();
    } else {
      weak = std::max(weak, operand.weakness());
    }
  }
  if (!strong) {
    if (weak == Weak::kInt) return DType::kInt64;
    return weak == Weak::kFloat ? DType::kFloat64 : DType::kComplex128;
  }
  return weak == Weak::kNo ? strong->native() : weak_partner(weak, strong->native());
}

}  // namespace

DType result_type(std::span<const Operand> operands) { return type_of_all(operands); }
DType result_type(std::span<const Term> operands) { return type_of_all(operands); }

void check_cast(std::string_view ufunc, std::string_view operand, DType from, DType to,
                Casting casting) {
  if (!can_cast(from, to, casting)) refuse_cast(ufunc, operand, from, to, casting);
}

ResolvedLoop resolve_loop(const Ufunc& ufunc, std::span<const Term> inputs,
                          std::optional<DType> dtype, Casting casting) {
  if (!dtype) {
    const UfuncLoop* quick = quick_loop(ufunc, inputs);
    if (quick) return {&ufunc, static_cast<uint16_t>(quick - ufunc.loops.data())};
  }
  std::array<Term, kMaxArity> promoted;
  size_t promoted_count = 0;
  bool any_weak = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (has_one_type(ufunc, i)) continue;
    promoted[promoted_count++] = inputs[i];
    any_weak = any_weak || inputs[i].weakness() != Weak::kNo;
  }
  const auto taking_part = std::span<const Term>(promoted).first(promoted_count);
  const DType common = any_weak ? result_type(taking_part) : DType::kBool;
  const std::optional<DType> wider =
      any_weak ? wider_for_number(ufunc, taking_part, common) : std::nullopt;
  const bool tests = ufunc.loops.back().out == DType::kBool;  // a truth value of any inputs
  const bool asked = dtype && !(tests && *dtype == DType::kBool);
  std::array<DType, kMaxArity> types;
  for (size_t i = 0; i < inputs.size(); ++i) {
    types[i] = inputs[i].dtype();
    if (has_one_type(ufunc, i)) continue;
    if (inputs[i].weakness() != Weak::kNo) types[i] = common;
    if (wider) types[i] = *wider;
    if (asked) types[i] = *dtype;
  }
  const UfuncLoop* loop = resolve(ufunc, std::span(types).first(inputs.size()));
  if (dtype) check_signature(ufunc, loop, *dtype);
  if (!loop) no_loop(ufunc, std::span(types).first(inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].is_array()) check_fits(inputs[i].scalar(), loop->in[i]);
  }
  if (dtype || casting < Casting::kSafe) check_input_casts(ufunc, *loop, inputs, casting);
  return {&ufunc, static_cast<uint16_t>(loop - ufunc.loops.data())};
}

namespace {

template <class Input> Space space_of_all(std::span<const Input> operands, Space fallback) {
  bool host = false;
  bool any = false;
  std::optional<Space> device;
  for (const Input& operand : operands) {
    if (!operand.is_array()) continue;
    const Space space = operand.array().space();
    if (space.is_device()) {
      if (device && !(*device == space)) {
        fail(
            ErrorKind::kValue,
            "Array device must be same as the current device: array device = {} while current = {}",
            static_cast<int>(space.device), static_cast<int>(device->device));
      }
      device = space;
    } else if (space.is_host() && !operand.array().is_scalar()) {
      host = true;
    }
    any = true;
  }
  if (device && host) fail(ErrorKind::kType, "Unsupported type <class 'numpy.ndarray'>");
  if (device) return *device;
  if (host) return Space::host();
  if (!any) return fallback;
  for (const Input& operand : operands) {
    if (operand.is_array() && operand.array().space().is_auto()) return Space::automatic();
  }
  return Space::host();
}

}  // namespace

Space common_space(std::span<const Operand> operands, Space fallback) {
  return space_of_all(operands, fallback);
}
Space common_space(std::span<const Term> operands, Space fallback) {
  return space_of_all(operands, fallback);
}

namespace {

// The shape that all arrays have; null where they differ or there are none.
const Dims* same_shape(std::span<const Term> inputs, const UfuncOptions& options) {
  if (options.where && options.where->is_array()) return nullptr;
  const Dims* shape = options.out ? &options.out->shape() : nullptr;
  for (const Term& input : inputs) {
    if (!input.is_array()) continue;
    if (!shape) shape = &input.array().shape();
    else if (!(*shape == input.array().shape())) return nullptr;
  }
  return shape;
}

// The shape of inputs, `where` and `out` together; the message lists them all, numbers as ().
Dims broadcast(std::span<const Term> inputs, const UfuncOptions& options) {
  if (const Dims* shape = same_shape(inputs, options)) return *shape;
  std::array<std::span<const int64_t>, kMaxArity + 2> shapes;
  size_t count = 0;
  auto add = [&](const Term& term) {
    if (term.is_array()) shapes[count] = term.array().shape().span();
    ++count;
  };
  for (const Term& input : inputs) add(input);
  if (options.out) add(*options.out);
  if (options.where) add(*options.where);
  return broadcast_shapes(std::span(shapes.data(), count));
}

void check_out_type(const ResolvedLoop& loop, const UfuncOptions& options) {
  check_cast(loop.ufunc->name, "output", loop.signature().out, options.out->dtype(),
             options.casting);
}

void check_out_shape(const Array& out, const Dims& shape) {
  if (out.shape() == shape) return;
  fail(ErrorKind::kValue,
       "non-broadcastable output operand with shape {} doesn't match the broadcast shape {}",
       shape_text(out.shape()), shape_text(shape));
}

Array masked(Session& session, const UfuncOptions& options, const Array& result) {
  const Scalar zero = Scalar::of(result.dtype(), int64_t{0});
  const Term kept = options.out ? Term(*options.out) : Term(zero);
  const Term inputs[] = {*options.where, result, kept};
  UfuncOptions plain;
  plain.dtype = kept.dtype().native();
  plain.casting = Casting::kUnsafe;
  return apply(session, ufunc(Row::where), inputs, plain, result.space());
}

// An input that raises no floating-point error where the mask is false.
Array guarded(Session& session, const Ufunc& ufunc, const Term& mask, const Term& input, DType type,
              Space space) {
  const int64_t harmless = ufunc.is(Row::arctanh) ? 0 : 1;
  const Term inputs[] = {mask, input, Scalar::of(type, harmless)};
  UfuncOptions plain;
  plain.dtype = type;
  plain.casting = Casting::kUnsafe;
  return apply(session, rt::ufunc(Row::where), inputs, plain, space);
}

// The result of `make`, even if it raises a floating-point error, which goes to `event`.
template <class Make>
Array made_anyway(Session& session, const Make& make, std::optional<Error>& event) {
  try {
    return make();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kFloatingPoint) throw;
    event = error;
  }
  const EventsIgnored ignored(session);
  const Array result = make();
  evaluate(session, *result.value());
  return result;
}

std::optional<Array> applied_at_once(Session& session, const ResolvedLoop& loop,
                                     std::span<const Term> inputs, const UfuncOptions& options) {
  if (options.where) return std::nullopt;
  for (const Term& input : inputs) {
    if (input.is_array() && !input.array().space().is_host()) return std::nullopt;  // gp's wait
  }
  if (!options.out) return try_apply_at_once(session, *loop.ufunc, loop.signature(), inputs);
  const bool done = try_store_at_once(session, *loop.ufunc, loop.signature(), inputs, *options.out);
  return done ? std::optional(*options.out) : std::nullopt;
}

Space space_of_result(std::span<const Term> inputs, const UfuncOptions& options, Space fallback) {
  const Space space = common_space(inputs, fallback);
  if (!options.out) return space;
  const Term both[] = {*options.out, Scalar(false)};
  if (!inputs.empty()) common_space(both, fallback);
  return options.out->space();
}

}  // namespace

// A Python number may be too large for the floats of the loop, which are narrower than its own.
static void tell_large_numbers(Session& session, std::span<const Term> inputs,
                               const UfuncLoop& loop) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].is_array() || inputs[i].weakness() == Weak::kNo) continue;
    if (!is_inexact(loop.in[i]) || real_type(loop.in[i]) == DType::kFloat64) continue;
    tell_cast_events(session, inputs[i].scalar(), loop.in[i], session.origin());
  }
}

Array apply(Session& session, const Ufunc& ufunc, std::span<const Term> inputs,
            const UfuncOptions& options, Space fallback) {
  const ResolvedLoop loop = resolve_loop(ufunc, inputs, options.dtype, options.casting);
  tell_large_numbers(session, inputs, loop.signature());
  if (auto done = applied_at_once(session, loop, inputs, options)) return *std::move(done);
  if (options.out) check_out_type(loop, options);
  const Dims shape = broadcast(inputs, options);
  if (checks_exponents(ufunc, loop.signature()) && element_count(shape) > 0) {
    check_exponents(session, loop, inputs, options.where);
  }
  const Space space = space_of_result(inputs, options, fallback);
  if (options.out) check_out_shape(*options.out, shape);
  const bool guards = options.where && !ufunc.quiet && !session.errors.ignores();
  auto make = [&] {
    auto node = std::make_unique<Node>();
    node->op = ufunc.id;
    node->loop = loop.loop;
    for (const Term& input : inputs) {
      const DType type = loop.signature().in[node->input_count];
      node->inputs[node->input_count++] =
          guards ? make_input(Operand(guarded(session, ufunc, *options.where, input, type, space)),
                              shape)
                 : make_input(input, shape);
    }
    return make_map(session, std::move(node), loop.signature().out, shape, space);
  };
  if (!options.out && !options.where) return make();
  std::optional<Error> event;  // NumPy raises after `out` has been written
  Array result = options.out ? made_anyway(session, make, event) : make();
  if (options.where) result = masked(session, options, result);
  if (!options.out) return result;
  write(session, *options.out, Operand(std::exchange(result, {})));
  if (event) throw *event;
  return *options.out;
}

Array copy(Session& session, const Array& array, char order) {
  return astype(session, array, array.dtype(), Casting::kUnsafe, true, order);
}

namespace {

std::optional<Dims> ordered_strides(const Array& array, DType dtype, char order) {
  if (order == 'A')
    order = is_f_contiguous(array.layout()) && !is_c_contiguous(array.layout()) ? 'F' : 'C';
  if (order == 'C') return c_strides(array.shape(), item_size(dtype));
  if (order == 'F') return f_strides(array.shape(), item_size(dtype));
  return std::nullopt;
}

}  // namespace

Array astype(Session& session, const Array& array, DType dtype, Casting casting, bool copy,
             char order) {
  if (!can_cast(array.dtype(), dtype, casting)) {
    fail(ErrorKind::kType,
         "Cannot cast array data from dtype('{}') to dtype('{}') according to the rule '{}'",
         name(array.dtype()), name(dtype), name(casting));
  }
  const std::optional<Dims> strides = ordered_strides(array, dtype, order);
  const bool ordered = !strides || same_places(array.layout(), Layout{dtype, array.shape(),
                                                                      *strides, array.offset()});
  if (!copy && array.dtype() == dtype && ordered) return array;
  if (auto done = try_copy_at_once(session, array, dtype, order)) return *std::move(done);
  const Array result = make_cast(session, make_input(array, array.shape()), dtype, array.shape(),
                                 array.space(), strides ? &*strides : nullptr);
  return array.is_scalar() ? result.as_scalar() : result;
}

}  // namespace gpy::rt
