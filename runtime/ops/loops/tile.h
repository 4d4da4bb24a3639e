#pragma once

// Makes the tile loops of one family of ufuncs for one instruction set. Each .cpp beside this file
// is compiled once per instruction set with GPY_ISA naming it; everything but the tables it exports
// has internal linkage, so that no function built for one instruction set can serve another.

#include <immintrin.h>
#include <math.h>

#include "runtime/ops/type_rules.h"
#include "runtime/ops/ufunc.h"

#if defined(__clang__)
#define GPY_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define GPY_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace gpy::rt {
namespace {

#include "runtime/ops/support.h"

template <TypeCode code> struct CType;
template <> struct CType<TypeCode::kBool> { using Type = bool; };
template <> struct CType<TypeCode::kInt8> { using Type = i8; };
template <> struct CType<TypeCode::kUInt8> { using Type = u8; };
template <> struct CType<TypeCode::kInt16> { using Type = i16; };
template <> struct CType<TypeCode::kUInt16> { using Type = u16; };
template <> struct CType<TypeCode::kInt32> { using Type = i32; };
template <> struct CType<TypeCode::kUInt32> { using Type = u32; };
template <> struct CType<TypeCode::kInt64> { using Type = i64; };
template <> struct CType<TypeCode::kUInt64> { using Type = u64; };
template <> struct CType<TypeCode::kFloat16> { using Type = Half; };
template <> struct CType<TypeCode::kFloat32> { using Type = f32; };
template <> struct CType<TypeCode::kFloat64> { using Type = f64; };
template <> struct CType<TypeCode::kComplex64> { using Type = Complex<f32>; };
template <> struct CType<TypeCode::kComplex128> { using Type = Complex<f64>; };
template <> struct CType<TypeCode::kBFloat16> { using Type = BFloat; };

// An element of an array. A bool's byte may be any number: views, files and hosts bring them, and
// all but 0 are true. What loops read comes through here.
template <class T> GPY_FN T load(const T* from, int64_t i) {
  if constexpr (Traits<T>::is_bool) return reinterpret_cast<const u8*>(from)[i] != 0;
  else return from[i];
}

[[maybe_unused]] void to_floats(const Half* from, f32* to, int64_t count) {
  int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8) {
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i*)(from + i))));
  }
#endif
  for (; i < count; ++i) to[i] = f32(from[i]);
}

[[maybe_unused]] void from_floats(const f32* from, Half* to, int64_t count) {
  int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8) {
    _mm_storeu_si128((__m128i*)(to + i), _mm256_cvtps_ph(_mm256_loadu_ps(from + i), 0));
  }
#endif
  for (; i < count; ++i) to[i] = Half(from[i]);
}

[[maybe_unused]] void to_floats(const BFloat* from, f32* to, int64_t count) {
  GPY_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) to[i] = f32(from[i]);
}

[[maybe_unused]] void from_floats(const f32* from, BFloat* to, int64_t count) {
  GPY_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) to[i] = BFloat(from[i]);
}

// Calls to the row's expression, with the types it may name.
template <class Op, class R, class X, class Y, class Z, class T> struct Map {
  static void run(const void* const* in, void* out, int64_t count) {
    const X* x = static_cast<const X*>(in[0]);
    R* result = static_cast<R*>(out);
    if constexpr (Op::arity == 1) {
      GPY_INDEPENDENT
      for (int64_t i = 0; i < count; ++i) {
        const X value = load(x, i);
        result[i] = Op::template call<R, T>(value, value, value);
      }
    } else if constexpr (Op::arity == 2) {
      const Y* y = static_cast<const Y*>(in[1]);
      GPY_INDEPENDENT
      for (int64_t i = 0; i < count; ++i) {
        const Y second = load(y, i);
        result[i] = Op::template call<R, T>(load(x, i), second, second);
      }
    } else {
      const Y* y = static_cast<const Y*>(in[1]);
      const Z* z = static_cast<const Z*>(in[2]);
      GPY_INDEPENDENT
      for (int64_t i = 0; i < count; ++i) {
        result[i] = Op::template call<R, T>(load(x, i), load(y, i), load(z, i));
      }
    }
  }
};

// A family may have a better loop for a type: found by specialising this.
template <class Op, class T> struct Special { static constexpr bool exists = false; };

template <class Op, class R, class X, class Y, class Z, class T> constexpr TileLoop best_loop() {
  if constexpr (Special<Op, T>::exists) {
    return Special<Op, T>::Loop::run;
  } else {
    return Map<Op, R, X, Y, Z, T>::run;
  }
}

constexpr int64_t kNarrowBlock = 256;

// Narrow floats: float32's loop between two conversions, so that both vectorise.
template <class Op, class R, class X, class Y, class Z> struct NarrowMap {
  template <class T> using Wide = typename Compute<T>::Type;

  template <class T> static const void* widen(const T* from, f32* room, int64_t count) {
    if constexpr (IsNarrow<T>::value) {
      to_floats(from, room, count);
      return room;
    } else {
      return from;
    }
  }

  static void run(const void* const* in, void* out, int64_t count) {
    alignas(64) f32 room[3][kNarrowBlock];
    alignas(64) f32 wide_out[kNarrowBlock];
    const TileLoop loop = best_loop<Op, Wide<R>, Wide<X>, Wide<Y>, Wide<Z>, f32>();
    for (int64_t i = 0; i < count; i += kNarrowBlock) {
      const int64_t n = count - i < kNarrowBlock ? count - i : kNarrowBlock;
      const void* wide_in[3] = {widen(static_cast<const X*>(in[0]) + i, room[0], n)};
      if constexpr (Op::arity > 1) wide_in[1] = widen(static_cast<const Y*>(in[1]) + i, room[1], n);
      if constexpr (Op::arity > 2) wide_in[2] = widen(static_cast<const Z*>(in[2]) + i, room[2], n);
      R* to = static_cast<R*>(out) + i;
      if constexpr (IsNarrow<R>::value) {
        loop(wide_in, wide_out, n);
        from_floats(wide_out, to, n);
      } else {
        loop(wide_in, to, n);
      }
    }
  }
};

template <class Op, size_t index> constexpr TileLoop tile_loop() {
  constexpr Signature types = signature(Op::rule, Op::arity, index);
  constexpr DType last = types.in[Op::arity - 1];
  using X = typename CType<types.in[0].code()>::Type;
  using Y = typename CType<types.in[1].code()>::Type;
  using Z = typename CType<types.in[2].code()>::Type;
  using T = typename CType<last.code()>::Type;
  using R = typename CType<types.out.code()>::Type;
  if constexpr (is_narrow_float(last) && !Op::rule.narrow_natively) {
    return NarrowMap<Op, R, X, Y, Z>::run;
  } else {
    return best_loop<Op, R, X, Y, Z, T>();
  }
}

template <class Op, size_t... indices>
constexpr std::array<TileLoop, sizeof...(indices)> tile_loops(std::index_sequence<indices...>) {
  return {tile_loop<Op, indices>()...};
}
template <class Op> constexpr auto tile_loops() {
  return tile_loops<Op>(std::make_index_sequence<loop_count(Op::rule)>());
}

}  // namespace
}  // namespace gpy::rt

// A row's expression as a type, and its loops as `const TileLoop NAME[]` in the instruction set's
// namespace.
#define GPY_UFUNC_OP(name, arity_, rule_, doc, expression, ...)                       \
  namespace {                                                                         \
  struct op_##name {                                                                  \
    static constexpr int arity = arity_;                                              \
    static constexpr TypeRule rule = type_rule::rule_;                                \
    template <class R, class T, class X, class Y, class Z>                            \
    GPY_FN R call([[maybe_unused]] X x, [[maybe_unused]] Y y, [[maybe_unused]] Z z) { \
      return R(expression);                                                           \
    }                                                                                 \
  };                                                                                  \
  }
#define GPY_UFUNC_TABLE(name, arity, rule, doc, ...)                   \
  extern const std::array<TileLoop, loop_count(type_rule::rule)> name; \
  constexpr std::array<TileLoop, loop_count(type_rule::rule)> name = tile_loops<op_##name>();
