#include <string>

#include "runtime/host_kernel/shim_texts.h"

namespace gpy::rt {
namespace {

constexpr std::string_view kTypes = R"GPY(
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
)GPY";

// A texel's channels become those of the type that the kernel asks for, register by register.
constexpr std::string_view kTextures = R"GPY(
template <class C> static inline C _gpy_register(unsigned bits) {
  if constexpr (sizeof(C) == 4) {
    C out;
    __builtin_memcpy(&out, &bits, 4);
    return out;
  } else {
    return (C)bits;
  }
}
template <class T> struct _gpy_texel_type {
  static T of(const _gpy_sample& s) { return _gpy_register<T>(s.channel[0]); }
};
#define _GPY_TEXELS(type, name) \
  template <> struct _gpy_texel_type<name##1> { \
    static name##1 of(const _gpy_sample& s) { return {_gpy_register<type>(s.channel[0])}; } \
  }; \
  template <> struct _gpy_texel_type<name##2> { \
    static name##2 of(const _gpy_sample& s) { \
      return {_gpy_register<type>(s.channel[0]), _gpy_register<type>(s.channel[1])}; \
    } \
  }; \
  template <> struct _gpy_texel_type<name##4> { \
    static name##4 of(const _gpy_sample& s) { \
      return {_gpy_register<type>(s.channel[0]), _gpy_register<type>(s.channel[1]), \
              _gpy_register<type>(s.channel[2]), _gpy_register<type>(s.channel[3])}; \
    } \
  };
_GPY_TEXELS(signed char, char) _GPY_TEXELS(unsigned char, uchar) _GPY_TEXELS(short, short)
_GPY_TEXELS(unsigned short, ushort) _GPY_TEXELS(int, int) _GPY_TEXELS(unsigned, uint)
_GPY_TEXELS(float, float)
#undef _GPY_TEXELS

static inline _gpy_sample _gpy_fetched(const _gpy_texels& t, int i) {
  if (i >= 0 && i < t.width) return _gpy_texel(t, i, 0, 0);
  return {};
}
static inline _gpy_sample _gpy_sampled_1(const _gpy_texels& t, float x, int layer = -1) {
  return _gpy_sampled(t, 1, &x, layer);
}
static inline _gpy_sample _gpy_sampled_2(const _gpy_texels& t, float x, float y, int layer = -1) {
  const float at[2] = {x, y};
  return _gpy_sampled(t, 2, at, layer);
}
static inline _gpy_sample _gpy_sampled_3(const _gpy_texels& t, float x, float y, float z) {
  const float at[3] = {x, y, z};
  return _gpy_sampled(t, 3, at, -1);
}
// One channel of the four texels that are interpolated, counterclockwise from the lower left one.
static inline _gpy_sample _gpy_gathered(const _gpy_texels& t, float x, float y, int channel) {
  _gpy_texels near = t;
  near.linear = true;
  const long long i = _gpy_on_axis(near, x, t.width).first, j = _gpy_on_axis(near, y, t.height).first;
  const auto texel = [&](long long column, long long row) {
    return _gpy_texel(t, _gpy_place(t.address[0], t.normalized, column, t.width),
                      _gpy_place(t.address[1], t.normalized, row, t.height), 0).channel[channel & 3];
  };
  return {{texel(i, j + 1), texel(i + 1, j + 1), texel(i + 1, j), texel(i, j)}};
}
static inline int _gpy_layer(int layer) { return layer < 0 ? 0 : layer; }

#define _GPY_LIST(...) __VA_ARGS__
#define _GPY_TEXTURE(name, parameters, values, sample) \
  template <class T> static inline T name(cudaTextureObject_t _texture, parameters) { \
    const _gpy_texels& t = *(const _gpy_texels*)_texture; \
    return _gpy_texel_type<T>::of(sample); \
  } \
  template <class T> static inline void name(T* _to, cudaTextureObject_t _texture, parameters) { \
    *_to = name<T>(_texture, values); \
  }
_GPY_TEXTURE(tex1Dfetch, int x, x, _gpy_fetched(t, x))
_GPY_TEXTURE(tex1D, float x, x, _gpy_sampled_1(t, x))
_GPY_TEXTURE(tex2D, _GPY_LIST(float x, float y), _GPY_LIST(x, y), _gpy_sampled_2(t, x, y))
_GPY_TEXTURE(tex3D, _GPY_LIST(float x, float y, float z), _GPY_LIST(x, y, z), _gpy_sampled_3(t, x, y, z))
_GPY_TEXTURE(tex1DLayered, _GPY_LIST(float x, int layer), _GPY_LIST(x, layer),
             _gpy_sampled_1(t, x, _gpy_layer(layer)))
_GPY_TEXTURE(tex2DLayered, _GPY_LIST(float x, float y, int layer), _GPY_LIST(x, y, layer),
             _gpy_sampled_2(t, x, y, _gpy_layer(layer)))
_GPY_TEXTURE(tex1DLod, _GPY_LIST(float x, float), _GPY_LIST(x, 0), _gpy_sampled_1(t, x))
_GPY_TEXTURE(tex2DLod, _GPY_LIST(float x, float y, float), _GPY_LIST(x, y, 0), _gpy_sampled_2(t, x, y))
_GPY_TEXTURE(tex3DLod, _GPY_LIST(float x, float y, float z, float), _GPY_LIST(x, y, z, 0),
             _gpy_sampled_3(t, x, y, z))
#undef _GPY_TEXTURE
template <class T> static inline T tex2Dgather(cudaTextureObject_t texture, float x, float y, int channel = 0) {
  return _gpy_texel_type<T>::of(_gpy_gathered(*(const _gpy_texels*)texture, x, y, channel));
}
)GPY";

constexpr std::string_view kSurfaces = R"GPY(
extern "C" __attribute__((noreturn)) void __assert_fail(const char*, const char*, unsigned, const char*) noexcept;
static inline long long _gpy_held(long long i, long long last) { return i < 0 ? 0 : i > last ? last : i; }
// Null: reads give 0 there, writes are left out.
static inline unsigned char* _gpy_surface(cudaSurfaceObject_t surface, long long x, long long y, long long z,
                                          long long bytes, cudaSurfaceBoundaryMode mode) {
  const _gpy_texels& t = *(const _gpy_texels*)surface;
  const long long last = t.width * (t.bits / 8 * t.channels) - bytes;
  if (last < 0) return 0;  // a row is shorter than what is read or written
  const bool outside = x < 0 || x > last || y < 0 || y >= t.height || z < 0 || z >= t.depth;
  if (outside && mode == cudaBoundaryModeZero) return 0;
  if (outside && mode == cudaBoundaryModeTrap)
    __assert_fail("a surface is read or written outside of its array", "", 0, "");
  return t.data + _gpy_held(z, t.depth - 1) * t.slice + _gpy_held(y, t.height - 1) * t.row + _gpy_held(x, last);
}
#define _GPY_SURFACE(name, parameters, place) \
  template <class T> static inline void name##read(T* _to, cudaSurfaceObject_t _surface, parameters, \
                                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    const unsigned char* at = _gpy_surface(_surface, place, sizeof(T), mode); \
    if (at) __builtin_memcpy(_to, at, sizeof(T)); \
    else __builtin_memset(_to, 0, sizeof(T)); \
  } \
  template <class T> static inline T name##read(cudaSurfaceObject_t _surface, parameters, \
                                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    T _out; \
    if (const unsigned char* at = _gpy_surface(_surface, place, sizeof(T), mode)) __builtin_memcpy(&_out, at, sizeof(T)); \
    else __builtin_memset(&_out, 0, sizeof(T)); \
    return _out; \
  } \
  template <class T> static inline void name##write(T _from, cudaSurfaceObject_t _surface, parameters, \
                                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    if (unsigned char* at = _gpy_surface(_surface, place, sizeof(T), mode)) __builtin_memcpy(at, &_from, sizeof(T)); \
  }
#define _GPY_PLACE(...) __VA_ARGS__
_GPY_SURFACE(surf1D, int x, _GPY_PLACE(x, 0, 0))
_GPY_SURFACE(surf2D, _GPY_PLACE(int x, int y), _GPY_PLACE(x, y, 0))
_GPY_SURFACE(surf3D, _GPY_PLACE(int x, int y, int z), _GPY_PLACE(x, y, z))
_GPY_SURFACE(surf1DLayered, _GPY_PLACE(int x, int layer), _GPY_PLACE(x, 0, layer))
_GPY_SURFACE(surf2DLayered, _GPY_PLACE(int x, int y, int layer), _GPY_PLACE(x, y, layer))
#undef _GPY_SURFACE
#undef _GPY_PLACE
#undef _GPY_LIST
)GPY";

}  // namespace

std::string_view texture_text() {
  static const std::string& text =
      *new std::string(std::string(kTypes) + std::string(texture_support_text()) +
                       std::string(kTextures) + std::string(kSurfaces));
  return text;
}

}  // namespace gpy::rt
