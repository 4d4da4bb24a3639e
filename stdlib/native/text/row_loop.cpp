#include "stdlib/native/text/row_loop.h"

#include "runtime/ops/elementwise.h"

namespace gpy::lib {

namespace {

// Rows whose units lie side by side; numbers as int64.
rt::Array readable(Interpreter& vm, const rt::Array& array, bool is_text) {
  const bool has_units = array.dtype() == rt::DType::kUInt8 || array.dtype() == rt::DType::kUInt32;
  if (is_text && (array.rank() == 0 || !has_units)) {
    vm.raise_type_error("rows of characters or bytes are needed here");
  }
  if (!is_text) return rt::astype(session(vm), array, rt::DType::kInt64);
  const bool is_dense = array.shape().back() < 2 || array.strides().back() == array.item_size();
  return is_dense ? array : rt::copy(session(vm), array, 'C');
}

rt::Dims loop_shape(const rt::Array& array, bool is_text) {
  rt::Dims shape = array.shape();
  if (is_text) shape.erase(shape.size() - 1);
  return shape;
}

// Whether a step along an axis is one round of the axis behind it, in all arguments.
bool is_one_axis(const std::deque<LoopArgument>& arguments, const rt::Dims& shape, int axis) {
  return std::all_of(arguments.begin(), arguments.end(), [&](const LoopArgument& each) {
    return each.strides[axis] == each.strides[axis + 1] * shape[axis + 1];
  });
}

}  // namespace

LoopArgument::LoopArgument(Interpreter& vm, const rt::Array& given, bool is_text)
    : array(readable(vm, given, is_text)),
      read(session(vm), array),
      shape(loop_shape(array, is_text)),
      width(is_text ? static_cast<size_t>(array.shape().back()) : 0),
      used(width) {
  if (!is_text || rt::element_count(shape) != 1) return;
  used = array.dtype() == rt::DType::kUInt8 ? text_in_row<char>(read.data(), width).size()
                                            : text_in_row<char32_t>(read.data(), width).size();
}

int64_t checked_width(Interpreter& vm, int64_t width) {
  if (width < 0) vm.raise_value_error("the width of text must not be negative (got {})", width);
  return width;
}

void check_units(Interpreter& vm, const std::deque<LoopArgument>& arguments, size_t texts) {
  for (size_t i = 1; i < texts; ++i) {
    if (arguments[i].array.dtype() != arguments[0].array.dtype()) {
      vm.raise_type_error("texts of characters and of bytes do not go together");
    }
  }
}

LoopShape::LoopShape(std::deque<LoopArgument>& arguments) {
  std::vector<std::span<const int64_t>> shapes;
  for (const LoopArgument& each : arguments) shapes.push_back(each.shape);
  shape = rt::broadcast_shapes(shapes);
  for (LoopArgument& each : arguments) {
    rt::Layout layout = each.array.layout();
    layout.shape = each.shape;
    layout.strides.resize(each.shape.size());
    each.strides = rt::try_broadcast(layout, shape)->strides;
  }
  axes = shape;
  for (int axis = axes.size() - 2; axis >= 0; --axis) {
    if (!is_one_axis(arguments, axes, axis)) continue;
    axes[axis + 1] *= axes[axis];
    axes.erase(axis);
    for (LoopArgument& each : arguments) each.strides.erase(axis);
  }
}

}  // namespace gpy::lib
