#include "runtime/kernel/complex_text.h"

namespace gpy::rt {

std::string_view complex_text() {
  return R"GPY(
template <class T> struct complex {
  T re, im;
  complex() = default;
  __host__ __device__ complex(T real_part, T imag_part = T(0)) : re(real_part), im(imag_part) {}
  template <class U> __host__ __device__ explicit complex(const complex<U>& z) : re((T)z.re), im((T)z.im) {}
  __host__ __device__ T real() const { return re; }
  __host__ __device__ T imag() const { return im; }
  __host__ __device__ complex& operator+=(const complex& z) { re += z.re; im += z.im; return *this; }
  __host__ __device__ complex& operator-=(const complex& z) { re -= z.re; im -= z.im; return *this; }
  __host__ __device__ complex& operator*=(const complex& z) { return *this = *this * z; }
  __host__ __device__ complex& operator/=(const complex& z) { return *this = *this / z; }
  friend __host__ __device__ complex operator+(const complex& x, const complex& y) { return complex(x.re + y.re, x.im + y.im); }
  friend __host__ __device__ complex operator-(const complex& x, const complex& y) { return complex(x.re - y.re, x.im - y.im); }
  friend __host__ __device__ complex operator-(const complex& x) { return complex(-x.re, -x.im); }
  friend __host__ __device__ complex operator*(const complex& x, const complex& y) {
    return complex(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
  }
  friend __host__ __device__ complex operator/(const complex& x, const complex& y) {
    const T scale = y.re * y.re + y.im * y.im;
    return complex((x.re * y.re + x.im * y.im) / scale, (x.im * y.re - x.re * y.im) / scale);
  }
  friend __host__ __device__ bool operator==(const complex& x, const complex& y) { return x.re == y.re && x.im == y.im; }
  friend __host__ __device__ bool operator!=(const complex& x, const complex& y) { return !(x == y); }
};
typedef complex<float> complex64;
typedef complex<double> complex128;
template <class T> __host__ __device__ inline T real(const complex<T>& z) { return z.re; }
template <class T> __host__ __device__ inline T imag(const complex<T>& z) { return z.im; }
template <class T> __host__ __device__ inline complex<T> conj(const complex<T>& z) { return complex<T>(z.re, -z.im); }
template <class T> __host__ __device__ inline T norm(const complex<T>& z) { return z.re * z.re + z.im * z.im; }
template <class T> __host__ __device__ inline T abs(const complex<T>& z) { return hypot(z.re, z.im); }
template <class T> __host__ __device__ inline T arg(const complex<T>& z) { return atan2(z.im, z.re); }
template <class T> __host__ __device__ inline complex<T> exp(const complex<T>& z) {
  const T scale = exp(z.re);
  return complex<T>(scale * cos(z.im), scale * sin(z.im));
}
template <class T> __host__ __device__ inline complex<T> polar(const T& length, const T& angle = T()) {
  return complex<T>(length * cos(angle), length * sin(angle));
}
template <class T> __host__ __device__ inline complex<T> log(const complex<T>& z) { return complex<T>(log(abs(z)), arg(z)); }
template <class T> __host__ __device__ inline complex<T> sqrt(const complex<T>& z) {
  if (z.re == 0 && z.im == 0) return complex<T>(T(0), z.im);
  const T half = sqrt((abs(z) + fabs(z.re)) / 2), other = fabs(z.im) / (2 * half);
  return z.re >= 0 ? complex<T>(half, copysign(other, z.im)) : complex<T>(other, copysign(half, z.im));
}
template <class T> __host__ __device__ inline complex<T> pow(const complex<T>& z, const complex<T>& w) {
  return z.re == 0 && z.im == 0 ? complex<T>(w.re == 0 && w.im == 0 ? T(1) : T(0)) : exp(w * log(z));
}
template <class T> __host__ __device__ inline complex<T> pow(const complex<T>& z, const T& w) { return pow(z, complex<T>(w)); }
template <class T> __host__ __device__ inline complex<T> sinh(const complex<T>& z) {
  return complex<T>(sinh(z.re) * cos(z.im), cosh(z.re) * sin(z.im));
}
template <class T> __host__ __device__ inline complex<T> cosh(const complex<T>& z) {
  return complex<T>(cosh(z.re) * cos(z.im), sinh(z.re) * sin(z.im));
}
template <class T> __host__ __device__ inline complex<T> tanh(const complex<T>& z) { return sinh(z) / cosh(z); }
template <class T> __host__ __device__ inline complex<T> sin(const complex<T>& z) {
  return complex<T>(sin(z.re) * cosh(z.im), cos(z.re) * sinh(z.im));
}
template <class T> __host__ __device__ inline complex<T> cos(const complex<T>& z) {
  return complex<T>(cos(z.re) * cosh(z.im), -sin(z.re) * sinh(z.im));
}
template <class T> __host__ __device__ inline complex<T> tan(const complex<T>& z) { return sin(z) / cos(z); }
namespace thrust { using ::complex; }
)GPY";
}

}  // namespace gpy::rt
