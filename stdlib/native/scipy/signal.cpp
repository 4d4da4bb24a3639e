// scipy.signal and cupyx.scipy.signal: convolution in two dimensions.
#include "runtime/ops/create.h"
#include "runtime/ops/index.h"
#include "runtime/ops/products.h"
#include "runtime/ops/shape.h"
#include "src/array/errors.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/modes.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/scipy/open.h"

namespace gpy::lib {

namespace {

// SciPy takes no array of a device, cupyx none of the host.
rt::Array image_argument(Interpreter& vm, const Namespace& names, const Value& value) {
  const Ndarray* given = as_ndarray(value);
  if (given && names.is_numpy() && given->array.space().is_device()) raise_implicit_conversion(vm);
  const rt::Array array = to_array(vm, value, names);
  if (array.rank() != 2) vm.raise_value_error("convolve2d inputs must both be 2-D arrays");
  return array;
}

enum class Boundary { fill, wrap, symmetric };

Boundary to_boundary(Interpreter& vm, const Value& value) {
  const std::string_view text = vm.to_text(value, "boundary");
  if (text == "fill" || text == "pad") return Boundary::fill;
  if (text == "wrap" || text == "circular") return Boundary::wrap;
  if (text == "symm" || text == "symmetric") return Boundary::symmetric;
  vm.raise_value_error(
      "Acceptable boundary flags are 'fill', 'circular' (or 'wrap'), and 'symmetric' (or 'symm').");
}

// The position on an axis of `extent` that stands for the element `i` outside of it.
int64_t reflected(int64_t i, int64_t extent, Boundary boundary) {
  if (boundary == Boundary::wrap) return ((i % extent) + extent) % extent;
  const int64_t at = ((i % (2 * extent)) + 2 * extent) % (2 * extent);
  return at < extent ? at : 2 * extent - 1 - at;
}

rt::Array extended_along(Interpreter& vm, const rt::Array& array, int axis, int64_t margin,
                         Boundary boundary) {
  const int64_t extent = array.shape()[axis];
  std::vector<int64_t> at;
  for (int64_t i = -margin; i < extent + margin; ++i) at.push_back(reflected(i, extent, boundary));
  const rt::Array index = rt::from_host(
      session(vm), rt::DType::kInt64, {static_cast<int64_t>(at.size())}, at.data(), array.space());
  return rt::take(session(vm), array, index, axis);
}

// The image with a margin of the kernel's size less one, filled as the boundary says.
rt::Array extended(Interpreter& vm, const rt::Array& image, const rt::Dims& kernel,
                   Boundary boundary, const rt::Operand& fill) {
  rt::Session& state = session(vm);
  const int64_t rows = kernel[0] - 1, cols = kernel[1] - 1;
  if (boundary != Boundary::fill) {
    return extended_along(vm, extended_along(vm, image, 0, rows, boundary), 1, cols, boundary);
  }
  const rt::Dims shape{image.shape()[0] + 2 * rows, image.shape()[1] + 2 * cols};
  const rt::Array whole = rt::full(state, shape, fill.scalar(), image.dtype(), image.space());
  std::vector<rt::IndexItem> middle;
  middle.emplace_back(rt::SliceIndex{rows, rows + image.shape()[0], 1});
  middle.emplace_back(rt::SliceIndex{cols, cols + image.shape()[1], 1});
  rt::set_items(state, whole, middle, image);
  return whole;
}

// The part of a full convolution that a mode keeps.
rt::Array cropped(Interpreter& vm, const rt::Array& full, const rt::Dims& image,
                  const rt::Dims& kernel, rt::ConvolveMode mode) {
  if (mode == rt::ConvolveMode::kFull) return full;
  std::vector<rt::IndexItem> items;
  for (int axis = 0; axis < 2; ++axis) {
    const bool same = mode == rt::ConvolveMode::kSame;
    const int64_t start = same ? (kernel[axis] - 1) / 2 : kernel[axis] - 1;
    const int64_t count = same ? image[axis] : image[axis] - kernel[axis] + 1;
    items.emplace_back(rt::SliceIndex{start, start + count, 1});
  }
  return rt::copy(session(vm), rt::get_items(session(vm), full, items), 'C');
}

// The treatment of edges, as scripts give it.
struct Edges {
  const Value& mode;
  const Value& boundary;
  const Value& fill;
};

rt::Array filtered(Interpreter& vm, const rt::Array& image, const rt::Array& kernel,
                   const Edges& edges) {
  const rt::ConvolveMode mode = to_convolve_mode(vm, edges.mode);
  const Boundary boundary = to_boundary(vm, edges.boundary);
  const rt::Operand fill = to_operand(vm, edges.fill, kGp);
  if (fill.is_array())
    vm.raise_value_error("fillvalue must be scalar or an array with one element");
  const bool zeros =
      boundary == Boundary::fill && fill.scalar().as_complex() == std::complex<double>(0);
  if (zeros || mode == rt::ConvolveMode::kValid)
    return rt::convolve2d(session(vm), image, kernel, mode);
  const rt::Array wide = extended(vm, image, kernel.shape(), boundary, fill);
  const rt::Array full = rt::convolve2d(session(vm), wide, kernel, rt::ConvolveMode::kValid);
  return cropped(vm, full, image.shape(), kernel.shape(), mode);
}

Value convolve2d(Interpreter& vm, const Namespace& names, const Value& in1, const Value& in2,
                 const Value& mode, const Value& boundary, const Value& fill) {
  return wrap_array(vm, filtered(vm, image_argument(vm, names, in1), image_argument(vm, names, in2),
                                 {mode, boundary, fill}));
}

Value correlate2d(Interpreter& vm, const Namespace& names, const Value& in1, const Value& in2,
                  const Value& mode, const Value& boundary, const Value& fill) {
  const int64_t both[] = {0, 1};
  rt::Array kernel = rt::flip(image_argument(vm, names, in2), both);
  if (rt::is_complex(kernel.dtype())) kernel = ops::conjugate(vm, kernel);
  return wrap_array(vm,
                    filtered(vm, image_argument(vm, names, in1), kernel, {mode, boundary, fill}));
}

const Native kFunctions[] = {
    {"convolve2d", "(in1, in2, mode='full', boundary='fill', fillvalue=0)", typed<convolve2d>,
     "The convolution of two matrices."},
    {"correlate2d", "(in1, in2, mode='full', boundary='fill', fillvalue=0)", typed<correlate2d>,
     "The cross-correlation of two matrices."},
};

}  // namespace

Value open_scipy_signal(Interpreter& vm) {
  return open_scipy_part(vm, "scipy.signal", kNumpy, kFunctions);
}

Value open_cupyx_signal(Interpreter& vm) {
  return open_scipy_part(vm, "cupyx.scipy.signal", kCupy, kFunctions);
}

}  // namespace gpy::lib
