#include "src/translate/dialect.h"

#include <algorithm>
#include <array>

#include "runtime/ops/elementwise.h"
#include "runtime/typed/write.h"

namespace gpy {

using rt::DType;
using rt::Weak;
using Kind = TypedExpression::Kind;

TypedType int_type(Dialect dialect) {
  return TypedType::number(DType::kInt64, has_strong_literals(dialect) ? Weak::kNo : Weak::kInt);
}

TypedType float_type(Dialect dialect) {
  return TypedType::number(DType::kFloat64,
                           has_strong_literals(dialect) ? Weak::kNo : Weak::kFloat);
}

// The type of a number of Python's in the mode "cuda".
static DType narrow_type(const rt::Scalar& number) {
  switch (number.weakness()) {
    case Weak::kInt: {
      const bool fits = number.dtype() == DType::kInt64 && number.as_int() >= INT32_MIN &&
                        number.as_int() <= INT32_MAX;
      return fits ? DType::kInt32 : number.dtype();
    }
    case Weak::kFloat: return DType::kFloat32;
    case Weak::kComplex: return DType::kComplex64;
    case Weak::kNo: break;
  }
  return number.dtype();
}

rt::Scalar literal_number(Dialect dialect, const rt::Scalar& number) {
  if (!has_strong_literals(dialect)) return number;
  const bool is_narrow = dialect == Dialect::kJitCuda && number.dtype() != DType::kBool;
  return number.cast(is_narrow ? narrow_type(number) : number.dtype());
}

namespace {

// A number of the type whose value is not known while translating.
rt::Scalar sample(const TypedType& type) {
  switch (type.weak) {
    case Weak::kInt: return rt::Scalar::weak(int64_t{0});
    case Weak::kFloat: return rt::Scalar::weak(0.0);
    case Weak::kComplex: return rt::Scalar::weak(std::complex<double>(0));
    case Weak::kNo: break;
  }
  return rt::Scalar::of(type.dtype, int64_t{0});
}

rt::Scalar sample(const TypedExpression& value) {
  return value.kind == Kind::kNumber ? value.number : sample(value.type);
}

// The later of two types in the order in which C converts them: that of their codes, bfloat16
// beside float16.
DType later_type(DType a, DType b) {
  const auto place = [](DType dtype) {
    return (dtype == DType::kBFloat16 ? DType(DType::kFloat16) : dtype).index();
  };
  return place(a) < place(b) ? b : a;
}

std::optional<TypedType> join_numbers(Dialect dialect, const TypedType& a, const TypedType& b) {
  if (dialect == Dialect::kJitCuda) return TypedType::number(later_type(a.dtype, b.dtype));
  if (a.weak != Weak::kNo && b.weak != Weak::kNo) return a.weak < b.weak ? b : a;
  const std::array<rt::Scalar, 2> both = {sample(a), sample(b)};
  return TypedType::number(rt::result_type(std::array{rt::Term(both[0]), rt::Term(both[1])}));
}

// Python and NumPy have such numbers with the same values.
bool is_of_both(DType dtype) {
  return dtype == DType::kInt64 || dtype == DType::kFloat64 || dtype == DType::kComplex128;
}

// Numbers that print differently are not one type; an int, a float or a complex number may be
// Python's or NumPy's.
std::optional<TypedType> join_exactly(const TypedType& a, const TypedType& b) {
  if (!a.is_number() || !b.is_number() || a.dtype != b.dtype) return std::nullopt;
  if (!is_of_both(a.dtype)) return std::nullopt;
  TypedType out = TypedType::number(a.dtype);
  out.either = true;
  return out;
}

std::optional<TypedType> join_arrays(const TypedType& a, const TypedType& b) {
  if (a.dtype != b.dtype || a.rank != b.rank) return std::nullopt;
  TypedType out = TypedType::array(a.dtype, a.rank, a.dense && b.dense);
  out.owned = a.owned || b.owned;
  out.constant = a.constant || b.constant;
  return out;
}

// A list or a dictionary of which no walk has found the items yet.
bool is_unknown_container(const TypedType& type) {
  if (!type.is_list() && !type.is_map()) return false;
  return type.items.empty() || is_unknown_container(type.items.back());
}

}  // namespace

std::optional<TypedType> try_join(Dialect dialect, const TypedType& a, const TypedType& b) {
  if (a == b) return a;
  if (dialect == Dialect::kLanguage) return join_exactly(a, b);
  if (a.is_number() && b.is_number()) return join_numbers(dialect, a, b);
  if (a.is_array() && b.is_array()) return join_arrays(a, b);
  if (a.is_list() && b.is_list()) {
    if (a.items.empty() || b.items.empty()) return a.items.empty() ? b : a;
    const std::optional<TypedType> item = try_join(dialect, a.items[0], b.items[0]);
    const bool is_known = !is_unknown_container(a.items[0]) && !is_unknown_container(b.items[0]);
    if (!item || (is_known && !item->is_number())) return std::nullopt;
    TypedType out = TypedType::list(*item);
    out.names = a.names;
    return out;
  }
  if (a.is_map() && b.is_map() && (a.items.empty() || b.items.empty()))
    return a.items.empty() ? b : a;
  if (!a.is_tuple() || !b.is_tuple() || a.items.size() != b.items.size()) return std::nullopt;
  std::vector<TypedType> items;
  for (size_t i = 0; i < a.items.size(); ++i) {
    const std::optional<TypedType> item = try_join(dialect, a.items[i], b.items[i]);
    if (!item) return std::nullopt;
    items.push_back(*item);
  }
  if (a.of == b.of) return TypedType::named_tuple(a.of, a.names, std::move(items));
  return TypedType::tuple(std::move(items));
}

namespace {

TypedExpression cast_tuple(TypedExpression value, const TypedType& type) {
  TypedExpression out;
  out.kind = Kind::kTuple;
  out.type = type;
  out.effects = value.effects;
  for (size_t i = 0; i < type.items.size(); ++i) {
    TypedExpression item;
    item.kind = Kind::kItem;
    item.index = static_cast<int>(i);
    item.type = value.type.items[i];
    item.effects = value.effects;
    item.args = {value};
    out.args.push_back(cast_to(std::move(item), type.items[i]));
  }
  return out;
}

}  // namespace

TypedExpression new_container(const TypedType& type) {
  const std::string whole = cpp_type(type);  // "List<i64>", "Map<i64, f64>"
  const char* const symbol = type.is_map() ? "empty_map" : "empty_list";
  TypedExpression out = support_call(symbol + whole.substr(whole.find('<')), type,
                                     {TypedExpression::constant(rt::Scalar::weak(int64_t{0}))});
  out.fails = true;
  return out;
}

TypedExpression cast_to(TypedExpression value, const TypedType& type) {
  if (value.type == type) return value;
  if (type.is_tuple()) return cast_tuple(std::move(value), type);
  if (type.is_map() || (type.is_list() && value.type.items.empty())) return new_container(type);
  if (type.is_list()) {
    TypedExpression out =
        support_call("list_cast<" + cpp_type(type.items[0]) + ">", type, {std::move(value)});
    out.fails = true;
    return out;
  }
  TypedExpression out;
  out.kind = Kind::kCast;
  out.type = type;
  out.effects = value.effects;
  out.args = {std::move(value)};
  return out;
}

TypedExpression truth_of(TypedExpression value) {
  return cast_to(std::move(value), TypedType::truth());
}

TypedExpression support_call(std::string symbol, TypedType type,
                             std::vector<TypedExpression> args) {
  TypedExpression out;
  out.kind = Kind::kSupport;
  out.symbol = std::move(symbol);
  out.type = std::move(type);
  for (const TypedExpression& each : args) out.effects = out.effects || each.effects;
  out.args = std::move(args);
  return out;
}

namespace {

bool is_whole(const TypedExpression& value) {
  return rt::is_integer(value.type.dtype) || value.type.dtype == DType::kBool;
}

// The type that Numba computes ints of these types in.
DType whole_type(std::span<const TypedExpression> args) {
  const bool all_unsigned = std::ranges::all_of(args, [](const TypedExpression& each) {
    return rt::kind(each.type.dtype) == rt::DTypeKind::kUnsigned;
  });
  return all_unsigned ? DType::kUInt64 : DType::kInt64;
}

bool works_on_bits(const rt::Ufunc& ufunc) {
  return ufunc.is(rt::Row::bitwise_and) || ufunc.is(rt::Row::bitwise_or) ||
         ufunc.is(rt::Row::bitwise_xor);
}

bool stays_narrow(const rt::Ufunc& ufunc, std::span<const TypedExpression> args) {
  if (ufunc.compares) return true;
  return works_on_bits(ufunc) && std::ranges::all_of(args, [](const auto& each) {
           return each.type.dtype == DType::kBool;
         });
}

void widen_for_numba(const rt::Ufunc& ufunc, std::vector<TypedExpression>& args) {
  if (ufunc.is(rt::Row::power) && is_whole(args[1]) && rt::is_float(args[0].type.dtype)) {
    args[1] = cast_to(std::move(args[1]), args[0].type);
  }
  if (ufunc.is(rt::Row::left_shift) || ufunc.is(rt::Row::right_shift)) {
    const TypedType type = TypedType::number(whole_type(std::span(args).first(1)));
    for (TypedExpression& each : args) each = cast_to(std::move(each), type);
    return;
  }
  if (stays_narrow(ufunc, args) || !std::ranges::all_of(args, is_whole)) return;
  const TypedType type = TypedType::number(whole_type(args));
  for (TypedExpression& each : args) each = cast_to(std::move(each), type);
}

bool is_sign(const rt::Ufunc& ufunc) {
  return ufunc.is(rt::Row::negative) || ufunc.is(rt::Row::positive) || ufunc.is(rt::Row::invert);
}

void widen_for_jit(const rt::Ufunc& ufunc, std::vector<TypedExpression>& args) {
  if (ufunc.is(rt::Row::ldexp)) return;  // of a float and an int
  DType dtype = args[0].type.dtype;
  for (const TypedExpression& each : args) dtype = later_type(dtype, each.type.dtype);
  for (TypedExpression& each : args) each = cast_to(std::move(each), TypedType::number(dtype));
}

Weak weakness_of(DType dtype) {
  if (rt::is_integer(dtype)) return Weak::kInt;
  return rt::is_complex(dtype) ? Weak::kComplex : Weak::kFloat;
}

// The result of numbers of the language is one of its numbers.
TypedType result_of(const rt::UfuncLoop& loop, std::span<const TypedExpression> args) {
  const bool all_weak =
      std::ranges::all_of(args, [](const auto& each) { return each.type.weak != Weak::kNo; });
  if (!all_weak || loop.out == DType::kBool) return TypedType::number(loop.out);
  return TypedType::number(loop.out, weakness_of(loop.out));
}

}  // namespace

void widen_operands(Dialect dialect, std::vector<TypedExpression>& args) {
  DType dtype = args[0].type.dtype;
  if (dialect == Dialect::kNumba) {
    dtype = whole_type(args);
  } else {
    for (const TypedExpression& each : args)
      dtype = try_join(dialect, TypedType::number(dtype), each.type)->dtype;
    if (dtype == DType::kBool) dtype = DType::kInt8;
  }
  for (TypedExpression& each : args) each = cast_to(std::move(each), TypedType::number(dtype));
}

static TypedExpression apply_loop(Dialect dialect, const rt::Ufunc& ufunc,
                                  std::vector<TypedExpression> args) {
  if (dialect == Dialect::kJitCuda) widen_for_jit(ufunc, args);
  std::vector<rt::Scalar> samples;
  for (const TypedExpression& each : args) samples.push_back(sample(each));
  const std::vector<rt::Term> terms(samples.begin(), samples.end());
  const rt::ResolvedLoop resolved = rt::resolve_loop(ufunc, terms);
  const rt::UfuncLoop& loop = resolved.signature();
  TypedExpression out;
  out.kind = Kind::kRow;
  out.ufunc = &ufunc;
  out.loop = resolved.loop;
  out.type = result_of(loop, args);
  for (size_t i = 0; i < args.size(); ++i) {
    out.effects = out.effects || args[i].effects;
    const TypedType wanted = TypedType::number(loop.in[i]);
    out.args.push_back(args[i].type.dtype == loop.in[i] ? std::move(args[i])
                                                        : cast_to(std::move(args[i]), wanted));
  }
  return out;
}

// Numba computes an int's sign in the int's own width and widens what comes out.
static TypedExpression apply_sign(const rt::Ufunc& ufunc, std::vector<TypedExpression> args) {
  const bool is_bool = args[0].type.dtype == DType::kBool;
  const TypedType wide = TypedType::number(whole_type(args));
  if (is_bool && ufunc.is(rt::Row::invert))
    return apply_loop(Dialect::kNumba, ufunc, std::move(args));
  if (is_bool) args[0] = cast_to(std::move(args[0]), wide);
  return cast_to(apply_loop(Dialect::kNumba, ufunc, std::move(args)), wide);
}

TypedExpression apply_row(Dialect dialect, const rt::Ufunc& ufunc,
                          std::vector<TypedExpression> args, RowUse use) {
  const bool is_operator = dialect == Dialect::kNumba && use == RowUse::kOperator;
  if (is_operator && is_sign(ufunc) && is_whole(args[0])) return apply_sign(ufunc, std::move(args));
  if (is_operator) widen_for_numba(ufunc, args);
  return apply_loop(dialect, ufunc, std::move(args));
}

}  // namespace gpy
