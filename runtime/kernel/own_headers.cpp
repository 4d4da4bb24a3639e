#include "runtime/kernel/own_headers.h"

#include <algorithm>
#include <vector>

#include "runtime/kernel/complex_text.h"

namespace gpy::rt {

namespace {

constexpr std::string_view kCuComplex = R"GPY(
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define _GPY_CU_COMPLEX(Z, T, f) \
  __host__ __device__ inline T cuCreal##f(Z z) { return z.x; } \
  __host__ __device__ inline T cuCimag##f(Z z) { return z.y; } \
  __host__ __device__ inline Z cuConj##f(Z z) { z.y = -z.y; return z; } \
  __host__ __device__ inline Z cuCadd##f(Z a, Z b) { a.x += b.x; a.y += b.y; return a; } \
  __host__ __device__ inline Z cuCsub##f(Z a, Z b) { a.x -= b.x; a.y -= b.y; return a; } \
  __host__ __device__ inline Z cuCmul##f(Z a, Z b) { Z z; z.x = a.x * b.x - a.y * b.y; z.y = a.x * b.y + a.y * b.x; return z; } \
  __host__ __device__ inline T cuCabs##f(Z z) { return hypot(z.x, z.y); } \
  __host__ __device__ inline Z cuCdiv##f(Z a, Z b) { \
    const T scale = 1 / (fabs(b.x) + fabs(b.y)), x = b.x * scale, y = b.y * scale, size = 1 / (x * x + y * y); \
    const T p = a.x * scale, q = a.y * scale; \
    Z z; z.x = (p * x + q * y) * size; z.y = (q * x - p * y) * size; return z; \
  } \
  __host__ __device__ inline Z cuCfma##f(Z a, Z b, Z c) { return cuCadd##f(cuCmul##f(a, b), c); }
_GPY_CU_COMPLEX(cuFloatComplex, float, f) _GPY_CU_COMPLEX(cuDoubleComplex, double, )
#undef _GPY_CU_COMPLEX
__host__ __device__ inline cuFloatComplex make_cuFloatComplex(float x, float y) { cuFloatComplex z; z.x = x; z.y = y; return z; }
__host__ __device__ inline cuDoubleComplex make_cuDoubleComplex(double x, double y) { cuDoubleComplex z; z.x = x; z.y = y; return z; }
__host__ __device__ inline cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
__host__ __device__ inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
__host__ __device__ inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return make_cuFloatComplex((float)z.x, (float)z.y); }
)GPY";

// The same names for CuPy's complex numbers, which know operators: translate_cucomplex.
constexpr std::string_view kTranslatedComplex = R"GPY(
#define cuFloatComplex complex<float>
#define cuComplex complex<float>
#define cuDoubleComplex complex<double>
#define make_cuFloatComplex(x, y) complex<float>(x, y)
#define make_cuComplex(x, y) complex<float>(x, y)
#define make_cuDoubleComplex(x, y) complex<double>(x, y)
#define cuComplexDoubleToFloat complex<float>
#define cuComplexFloatToDouble complex<double>
#define cuCrealf real
#define cuCreal real
#define cuCimagf imag
#define cuCimag imag
#define cuConjf conj
#define cuConj conj
#define cuCabsf abs
#define cuCabs abs
#define cuCaddf(x, y) ((x) + (y))
#define cuCadd(x, y) ((x) + (y))
#define cuCsubf(x, y) ((x) - (y))
#define cuCsub(x, y) ((x) - (y))
#define cuCmulf(x, y) ((x) * (y))
#define cuCmul(x, y) ((x) * (y))
#define cuCdivf(x, y) ((x) / (y))
#define cuCdiv(x, y) ((x) / (y))
#define cuCfmaf(x, y, z) ((x) * (y) + (z))
#define cuCfma(x, y, z) ((x) * (y) + (z))
)GPY";

struct OwnHeader {
  std::string_view name;
  std::vector<std::string_view> texts;
};

std::vector<OwnHeader> own_headers(bool host, bool translate_complex) {
  std::vector<OwnHeader> out = {{"cupy/complex.cuh", {complex_text()}}};
  // CUDA has these two.
  if (host || translate_complex) out.push_back({"thrust/complex.h", {complex_text()}});
  if (translate_complex) out.push_back({"cuComplex.h", {complex_text(), kTranslatedComplex}});
  else if (host) out.push_back({"cuComplex.h", {kCuComplex}});
  return out;
}

std::string_view skip(std::string_view text, std::string_view what) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text.starts_with(what) ? text.substr(what.size()) : std::string_view();
}

// "x.h" of the line `#include <x.h>`; empty for other lines.
std::string_view included(std::string_view line) {
  std::string_view rest = skip(skip(line, "#"), "include");
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (rest.empty() || (rest[0] != '<' && rest[0] != '"')) return {};
  return rest.substr(1, rest.find_first_of(">\"", 1) - 1);
}

}  // namespace

std::string with_own_headers(const std::string& source, bool host, bool translate_complex) {
  if (source.find("omplex") == source.npos) return source;
  const std::vector<OwnHeader> known = own_headers(host, translate_complex);
  std::string out = source, headers;
  for (size_t start = 0; start < source.size();) {
    const size_t end = std::min(source.find('\n', start), source.size());
    const std::string_view name = included(std::string_view(source).substr(start, end - start));
    for (const OwnHeader& each : known) {
      if (name != each.name) continue;
      out.replace(start, end - start, end - start, ' ');
      for (std::string_view text : each.texts) {
        if (headers.find(text) == headers.npos) headers += text;
      }
    }
    start = end + 1;
  }
  return headers.empty() ? source : headers + "\n#line 1 \"<kernel>\"\n" + out;
}

}  // namespace gpy::rt
