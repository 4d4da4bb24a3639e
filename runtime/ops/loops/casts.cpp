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

// float16 by way of float32, which is exact for what comes from it and, except from float64, for
// what goes to it.
template <class R, class T> void half_cast_tile(const void* const* in, void* out, int64_t count) {
  alignas(64) f32 room[kHalfBlock];
  const void* wide[] = {room};
  for (int64_t i = 0; i < count; i += kHalfBlock) {
    const int64_t n = count - i < kHalfBlock ? count - i : kHalfBlock;
    const void* from[] = {static_cast<const T*>(in[0]) + i};
    R* to = static_cast<R*>(out) + i;
    if constexpr (Same<T, Half>::value) {
      halves_to_floats(static_cast<const Half*>(from[0]), room, n);
      cast_tile<R, f32>(wide, to, n);
    } else {
      cast_tile<f32, T>(from, room, n);
      floats_to_halves(room, to, n);
    }
  }
}

template <class R, class T> constexpr TileLoop cast_tile_loop() {
  constexpr bool from_half = Same<T, Half>::value, to_half = Same<R, Half>::value;
  constexpr bool doubles = Same<T, f64>::value || Same<T, Complex<f64>>::value;
  if constexpr (from_half != to_half && !(to_half && doubles)) return half_cast_tile<R, T>;
  return cast_tile<R, T>;
}

template <size_t... indices>
constexpr std::array<TileLoop, sizeof...(indices)> all_casts(std::index_sequence<indices...>) {
  return {cast_tile_loop<typename CType<static_cast<DType>(indices % kDTypeCount)>::Type,
                         typename CType<static_cast<DType>(indices / kDTypeCount)>::Type>()...};
}

}  // namespace

namespace GPY_ISA {
extern const std::array<TileLoop, kDTypeCount * kDTypeCount> cast_loops;
constexpr std::array<TileLoop, kDTypeCount* kDTypeCount> cast_loops =
    all_casts(std::make_index_sequence<kDTypeCount * kDTypeCount>());
}  // namespace GPY_ISA
}  // namespace gpy::rt
