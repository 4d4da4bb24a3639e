#include "runtime/ops/loops/tile.h"

namespace gpy::rt {
namespace {

template <class R, class T> void cast_tile(const void* const* in, void* out, int64_t count) {
  const T* from = static_cast<const T*>(in[0]);
  R* to = static_cast<R*>(out);
  if constexpr (Same<R, T>::value) {
    __builtin_memmove(to, from, count * sizeof(T));
  } else {
    GPY_INDEPENDENT
    for (int64_t i = 0; i < count; ++i) to[i] = cast<R>(load(from, i));
  }
}

// Casts narrow floats by way of float32, which is exact from them and, except from float64 to
// float16, to them.
template <class R, class T> void narrow_cast_tile(const void* const* in, void* out, int64_t count) {
  alignas(64) f32 room[kNarrowBlock];
  const void* wide[] = {room};
  for (int64_t i = 0; i < count; i += kNarrowBlock) {
    const int64_t n = count - i < kNarrowBlock ? count - i : kNarrowBlock;
    const void* from[] = {static_cast<const T*>(in[0]) + i};
    R* to = static_cast<R*>(out) + i;
    if constexpr (IsNarrow<T>::value) {
      to_floats(static_cast<const T*>(from[0]), room, n);
      if constexpr (IsNarrow<R>::value) from_floats(room, to, n);
      else cast_tile<R, f32>(wide, to, n);
    } else {
      cast_tile<f32, T>(from, room, n);
      from_floats(room, to, n);
    }
  }
}

template <class R, class T> constexpr TileLoop cast_tile_loop() {
  constexpr bool doubles = Same<T, f64>::value || Same<T, Complex<f64>>::value;
  constexpr bool narrow = IsNarrow<T>::value || IsNarrow<R>::value;
  constexpr bool rounds_doubles = Same<R, Half>::value && doubles;
  if constexpr (narrow && !Same<R, T>::value && !rounds_doubles) return narrow_cast_tile<R, T>;
  return cast_tile<R, T>;
}

template <size_t... indices>
constexpr std::array<TileLoop, sizeof...(indices)> all_casts(std::index_sequence<indices...>) {
  return {cast_tile_loop<typename CType<static_cast<TypeCode>(indices % kTypeCodes)>::Type,
                         typename CType<static_cast<TypeCode>(indices / kTypeCodes)>::Type>()...};
}

}  // namespace

namespace GPY_ISA {
extern const std::array<TileLoop, kTypeCodes * kTypeCodes> cast_loops;
constexpr std::array<TileLoop, kTypeCodes* kTypeCodes> cast_loops =
    all_casts(std::make_index_sequence<kTypeCodes * kTypeCodes>());
}  // namespace GPY_ISA
}  // namespace gpy::rt
