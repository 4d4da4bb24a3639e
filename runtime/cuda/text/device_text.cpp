#include "runtime/cuda/text/device_text.h"

namespace gpy::rt::cuda {
namespace {

constexpr std::string_view kDeviceText = R"CUDA(
// Divides by a parameter: 32-bit numbers below 2^31 by a multiplication and a shift.
struct Divisor {
  u32 divisor, multiplier, shift;
  GPY_MEMBER u32 divide(u32 i) const { return (__umulhi(i, multiplier) + i) >> shift; }
};
struct WideDivisor {
  u64 divisor;
  GPY_MEMBER u64 divide(u64 i) const { return i / divisor; }
};

// Bits of one type as another of the same size or less.
template <class To, class From>
GPY_FN To pun(const From& from) {
  To to;
  memcpy(&to, &from, sizeof(To) < sizeof(From) ? sizeof(To) : sizeof(From));
  return to;
}

struct alignas(16) Words { u32 w0, w1, w2, w3; };

// What moves `size` bytes at once.
template <int size> struct Unit;
template <> struct Unit<1> { typedef u8 Type; };
template <> struct Unit<2> { typedef u16 Type; };
template <> struct Unit<4> { typedef u32 Type; };
template <> struct Unit<8> { typedef u64 Type; };
template <> struct Unit<16> { typedef Words Type; };

// The first m of V neighbours, and no byte beside them. The other lanes are zero bytes. p is aligned
// to V elements, or to 16 bytes.
template <int V, class T>
GPY_FN void load(const T* p, int m, T (&x)[V]) {
  constexpr int size = V * (int)sizeof(T);
  constexpr int unit = size < 16 ? size : 16;
  if (m >= V) {
#pragma unroll
    for (int k = 0; k < size / unit; ++k) {
      const typename Unit<unit>::Type w = ((const typename Unit<unit>::Type*)p)[k];
      memcpy((char*)x + unit * k, &w, unit);
    }
    return;
  }
  memset(x, 0, sizeof(x));
#pragma unroll
  for (int k = 0; k < V; ++k) if (k < m) x[k] = p[k];
}
template <int V, class T, class I>
GPY_FN void load_strided(const T* p, I stride, int m, T (&x)[V]) {
  if (m < V) memset(x, 0, sizeof(x));
#pragma unroll
  for (int k = 0; k < V; ++k) if (k < m) x[k] = p[k * stride];
}

// p as of load.
template <int V, class T>
GPY_FN void store(T* p, int m, const T (&x)[V]) {
  constexpr int size = V * (int)sizeof(T);
  constexpr int unit = size < 16 ? size : 16;
  if (m >= V) {
#pragma unroll
    for (int k = 0; k < size / unit; ++k) {
      typename Unit<unit>::Type w;
      memcpy(&w, (const char*)x + unit * k, unit);
      ((typename Unit<unit>::Type*)p)[k] = w;
    }
    return;
  }
#pragma unroll
  for (int k = 0; k < V; ++k) if (k < m) p[k] = x[k];
}
template <int V, class T, class I>
GPY_FN void store_strided(T* p, I stride, int m, const T (&x)[V]) {
#pragma unroll
  for (int k = 0; k < V; ++k) if (k < m) p[k * stride] = x[k];
}
)CUDA";

}  // namespace

std::string_view device_text() { return kDeviceText; }

}  // namespace gpy::rt::cuda
