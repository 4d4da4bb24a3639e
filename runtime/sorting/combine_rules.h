#pragma once

// The rules of combining two elements, for both compilers: a file that includes this has the
// support text (ops/support.h) in a namespace of its own, and includes this inside it.

#define GPY_COMBINE_RULE(Name, function)                                               \
  struct Name {                                                                        \
    template <class T> GPY_MEMBER T operator()(T a, T b) const { return T(function); } \
  };
GPY_COMBINE_RULE(AddBoth, add(a, b))
GPY_COMBINE_RULE(MultiplyBoth, multiply(a, b))
GPY_COMBINE_RULE(LesserOfBoth, minimum(a, b))
GPY_COMBINE_RULE(GreaterOfBoth, maximum(a, b))
GPY_COMBINE_RULE(BitsOfBoth, a& b)
GPY_COMBINE_RULE(BitsOfEither, a | b)
GPY_COMBINE_RULE(BitsOfOne, a ^ b)
#undef GPY_COMBINE_RULE

// An element in memory: a bool's byte may be any number, and all but 0 are true.
template <class T> struct Stored { using Type = T; };
template <> struct Stored<bool> { using Type = u8; };

// Calls f(T(), rule) for the dtype's T.
template <class T, class F> void with_rule(Combine how, F&& f) {
  if constexpr (Traits<T>::is_integer || Traits<T>::is_bool) {
    if (how == Combine::kAnd) return f(T(), BitsOfBoth());
    if (how == Combine::kOr) return f(T(), BitsOfEither());
    if (how == Combine::kXor) return f(T(), BitsOfOne());
  }
  if (how == Combine::kAdd) return f(T(), AddBoth());
  if (how == Combine::kMultiply) return f(T(), MultiplyBoth());
  if (how == Combine::kMinimum) return f(T(), LesserOfBoth());
  if (how == Combine::kMaximum) return f(T(), GreaterOfBoth());
}
template <class F> void with_type_and_rule(DType dtype, Combine how, F&& f) {
  switch (dtype.code()) {
    case TypeCode::kBool: return with_rule<bool>(how, f);
    case TypeCode::kInt8: return with_rule<i8>(how, f);
    case TypeCode::kUInt8: return with_rule<u8>(how, f);
    case TypeCode::kInt16: return with_rule<i16>(how, f);
    case TypeCode::kUInt16: return with_rule<u16>(how, f);
    case TypeCode::kInt32: return with_rule<i32>(how, f);
    case TypeCode::kUInt32: return with_rule<u32>(how, f);
    case TypeCode::kInt64: return with_rule<i64>(how, f);
    case TypeCode::kUInt64: return with_rule<u64>(how, f);
    case TypeCode::kFloat16: return with_rule<Half>(how, f);
    case TypeCode::kFloat32: return with_rule<f32>(how, f);
    case TypeCode::kFloat64: return with_rule<f64>(how, f);
    case TypeCode::kComplex64: return with_rule<Complex<f32>>(how, f);
    case TypeCode::kComplex128: return with_rule<Complex<f64>>(how, f);
    case TypeCode::kBFloat16: return with_rule<BFloat>(how, f);
  }
}
