#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

// Sizes and alignments are those of CUDA: a structure that holds one lies alike on both sides.
constexpr std::string_view kVectors = R"GPY(
#define _GPY_VECTORS(type, name, two, four) \
  struct name##1 { type x; }; \
  struct alignas(two) name##2 { type x, y; }; \
  struct name##3 { type x, y, z; }; \
  struct alignas(four) name##4 { type x, y, z, w; }; \
  static inline name##1 make_##name##1(type x) { return {x}; } \
  static inline name##2 make_##name##2(type x, type y) { return {x, y}; } \
  static inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
_GPY_VECTORS(signed char, char, 2, 4) _GPY_VECTORS(unsigned char, uchar, 2, 4)
_GPY_VECTORS(short, short, 4, 8) _GPY_VECTORS(unsigned short, ushort, 4, 8)
_GPY_VECTORS(int, int, 8, 16) _GPY_VECTORS(unsigned, uint, 8, 16)
_GPY_VECTORS(long, long, 16, 16) _GPY_VECTORS(unsigned long, ulong, 16, 16)
_GPY_VECTORS(long long, longlong, 16, 16) _GPY_VECTORS(unsigned long long, ulonglong, 16, 16)
_GPY_VECTORS(float, float, 8, 16) _GPY_VECTORS(double, double, 16, 16)
#undef _GPY_VECTORS
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
)GPY";

}  // namespace

std::string_view vector_text() { return kVectors; }

}  // namespace gpy::rt
