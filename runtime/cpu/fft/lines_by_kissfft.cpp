// Where ducc0 could not be fetched: kissfft, line by line, in double precision.

#include <complex>
#include <kissfft/kissfft.hh>
#include <vector>

#include "runtime/cpu/fft/lines.h"

namespace gpy::rt {
namespace {

using Complex = std::complex<double>;

// The points of a line: gathered, made whole where half of them are stored, transformed.
class Line {
 public:
  Line(const FftLines& lines, int64_t points)
      : lines_(lines), points_(points), plan_(points, !lines.forward), in_(points), out_(points) {}

  template <class F> void run(const std::byte* from, std::byte* to) {
    switch (lines_.kind) {
      case FftKind::kComplex:
        gather<std::complex<F>>(from, points_);
        plan_.transform(in_.data(), out_.data());
        return scatter<std::complex<F>>(to, points_);
      case FftKind::kRealToHalf:
        gather<F>(from, points_);
        plan_.transform(in_.data(), out_.data());
        return scatter<std::complex<F>>(to, points_ / 2 + 1);
      case FftKind::kHalfToReal:
        gather<std::complex<F>>(from, points_ / 2 + 1);
        make_whole();
        plan_.transform(in_.data(), out_.data());
        return scatter<F>(to, points_);
    }
  }

 private:
  template <class T> void gather(const std::byte* from, int64_t count) {
    const int64_t step = lines_.in_strides[lines_.axis];
    for (int64_t i = 0; i < count; ++i) {
      in_[i] = Complex(*reinterpret_cast<const T*>(from + i * step));
    }
  }
  // The imaginary parts that the transform of real points cannot have are not read.
  void make_whole() {
    in_[0] = in_[0].real();
    if (points_ % 2 == 0) in_[points_ / 2] = in_[points_ / 2].real();
    for (int64_t i = points_ / 2 + 1; i < points_; ++i) in_[i] = std::conj(in_[points_ - i]);
  }
  template <class T> void scatter(std::byte* to, int64_t count) const {
    const int64_t step = lines_.out_strides[lines_.axis];
    for (int64_t i = 0; i < count; ++i) {
      const Complex result = out_[i] * lines_.factor;
      if constexpr (std::is_floating_point_v<T>) {
        *reinterpret_cast<T*>(to + i * step) = static_cast<T>(result.real());
      } else {
        *reinterpret_cast<T*>(to + i * step) = T(result);
      }
    }
  }

  const FftLines& lines_;
  const int64_t points_;
  kissfft<double> plan_;
  std::vector<Complex> in_, out_;
};

template <class F> void run_all(const FftLines& lines, const std::byte* in, std::byte* out) {
  Line line(lines, lines.shape[lines.axis]);
  Dims at(lines.shape.size(), 0);
  while (true) {
    int64_t from = 0, to = 0;
    for (int i = 0; i < at.size(); ++i) {
      from += at[i] * lines.in_strides[i];
      to += at[i] * lines.out_strides[i];
    }
    line.run<F>(in + from, out + to);
    int axis = at.size() - 1;
    for (; axis >= 0; --axis) {
      if (axis == lines.axis) continue;
      if (++at[axis] < lines.shape[axis]) break;
      at[axis] = 0;
    }
    if (axis < 0) return;
  }
}

}  // namespace

void run_lines_base(const FftLines& lines, const void* in, void* out) {
  const auto* from = static_cast<const std::byte*>(in);
  auto* to = static_cast<std::byte*>(out);
  if (lines.dtype == DType::kFloat32) return run_all<float>(lines, from, to);
  run_all<double>(lines, from, to);
}

void run_lines_avx2(const FftLines& lines, const void* in, void* out) {
  run_lines_base(lines, in, out);
}

}  // namespace gpy::rt
