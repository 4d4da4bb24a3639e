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

// The 16 bytes at p, which may be anywhere: two aligned reads, of which the second hits L1. They
// touch no 16-byte granule that holds no wanted byte.
GPY_FN Words read16(const void* p) {
  const u64 at = (u64)p;
  const u32 m = (u32)at & 15;
  const Words* q = (const Words*)(at - m);
  const Words x = q[0], y = q[m != 0];
  u32 w0 = x.w0, w1 = x.w1, w2 = x.w2, w3 = x.w3, w4 = y.w0, w5 = y.w1, w6 = y.w2, w7 = y.w3;
  if (m & 8) { w0 = w2; w1 = w3; w2 = w4; w3 = w5; w4 = w6; w5 = w7; }
  if (m & 4) { w0 = w1; w1 = w2; w2 = w3; w3 = w4; w4 = w5; }
  const u32 s = (m & 3) * 8;
  Words r;
  r.w0 = __funnelshift_r(w0, w1, s);
  r.w1 = __funnelshift_r(w1, w2, s);
  r.w2 = __funnelshift_r(w2, w3, s);
  r.w3 = __funnelshift_r(w3, w4, s);
  return r;
}
GPY_FN u64 read8(const void* p) {
  const u64 at = (u64)p;
  const u32 m = (u32)at & 7;
  const u64* q = (const u64*)(at - m);
  const u64 x = q[0];
  return m ? x >> (8 * m) | q[1] << (64 - 8 * m) : x;
}
GPY_FN u32 read4(const void* p) {
  const u64 at = (u64)p;
  const u32 m = (u32)at & 3;
  const u32* q = (const u32*)(at - m);
  return __funnelshift_r(q[0], q[m != 0], 8 * m);
}

template <int N> struct Bytes { u8 b[N]; };

// V neighbours, aligned as one element is.
template <int V, class T>
GPY_FN void load_all(const T* p, T (&x)[V]) {
  constexpr int size = V * (int)sizeof(T);
  if constexpr (V == 1) {
    x[0] = p[0];
  } else if constexpr (size >= 16) {
#pragma unroll
    for (int k = 0; k < size / 16; ++k) {
      const Words w = read16((const char*)p + 16 * k);
      memcpy((char*)x + 16 * k, &w, 16);
    }
  } else if constexpr (size == 8) {
    const u64 w = read8(p);
    memcpy(x, &w, 8);
  } else if constexpr (size == 4) {
    const u32 w = read4(p);
    memcpy(x, &w, 4);
  } else {
#pragma unroll
    for (int k = 0; k < V; ++k) x[k] = p[k];
  }
}

// The first m of V neighbours. The other lanes are zero bytes.
template <int V, class T>
GPY_FN void load(const T* p, int m, T (&x)[V]) {
  if (m >= V) return load_all<V>(p, x);
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

template <int size> struct Store;
template <> struct Store<1> { typedef u8 Type; };
template <> struct Store<2> { typedef u16 Type; };
template <> struct Store<4> { typedef u32 Type; };
template <> struct Store<8> { typedef u64 Type; };
template <> struct Store<16> { typedef Words Type; };

// p is aligned to V elements, or to 16 bytes.
template <int V, class T>
GPY_FN void store(T* p, int m, const T (&x)[V]) {
  constexpr int size = V * (int)sizeof(T);
  constexpr int unit = size < 16 ? size : 16;
  if (m >= V) {
#pragma unroll
    for (int k = 0; k < size / unit; ++k) {
      typename Store<unit>::Type w;
      memcpy(&w, (const char*)x + unit * k, unit);
      ((typename Store<unit>::Type*)p)[k] = w;
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
