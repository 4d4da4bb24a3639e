// Arrays in the shape of others.
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

struct Like {
  rt::Array model;
  rt::Dims shape;
  rt::DType dtype;
  char order;
  std::optional<rt::Dims> strides = std::nullopt;  // where no order tells them
};

Like read_like(Interpreter& vm, const rt::Array& model, const Value& dtype, const Value& order,
               const std::optional<Shape>& shape) {
  Like like{model, shape ? *shape : model.shape(), model.dtype(), 'C'};
  if (is_given(dtype)) like.dtype = to_dtype(vm, dtype);
  like.order = to_order(vm, order, 'K');
  const rt::Layout& layout = model.layout();
  const bool columns = rt::is_f_contiguous(layout) && !rt::is_c_contiguous(layout);
  if (like.order == 'K' && !columns && !rt::is_c_contiguous(layout) &&
      like.shape.size() == model.shape().size()) {
    like.strides = rt::k_strides(like.shape, rt::item_size(like.dtype), model.strides());
  }
  if (like.order == 'K' || like.order == 'A') like.order = columns ? 'F' : 'C';
  return like;
}

Value filled(Interpreter& vm, const Like& like, const rt::Scalar& number) {
  if (like.strides) {
    return wrap_array(vm, rt::full(session(vm), like.shape, number, like.dtype, like.model.space(),
                                   *like.strides));
  }
  return wrap_array(
      vm, rt::full(session(vm), like.shape, number, like.dtype, like.model.space(), like.order));
}

rt::Array unfilled(Interpreter& vm, const Like& like) {
  if (like.strides) {
    return rt::empty(session(vm), like.shape, like.dtype, like.model.space(), *like.strides);
  }
  return rt::empty(session(vm), like.shape, like.dtype, like.model.space(), like.order);
}

Value zeros_like(Interpreter& vm, const rt::Array& model, const Value& dtype, const Value& order,
                 const Value&, const std::optional<Shape>& shape, Device) {
  return filled(vm, read_like(vm, model, dtype, order, shape), rt::Scalar(false));
}

Value ones_like(Interpreter& vm, const rt::Array& model, const Value& dtype, const Value& order,
                const Value&, const std::optional<Shape>& shape, Device) {
  return filled(vm, read_like(vm, model, dtype, order, shape), rt::Scalar(true));
}

Value empty_like(Interpreter& vm, const rt::Array& model, const Value& dtype, const Value& order,
                 const Value&, const std::optional<Shape>& shape, Device) {
  return wrap_array(vm, unfilled(vm, read_like(vm, model, dtype, order, shape)));
}

Value full_like(Interpreter& vm, const Namespace& names, const rt::Array& model, const Value& value,
                const Value& dtype, const Value& order, const Value&,
                const std::optional<Shape>& shape, Device) {
  const Like like = read_like(vm, model, dtype, order, shape);
  if (const auto number = try_number_for(vm, value, like.dtype)) {
    return filled(vm, like, fill_number(vm, value, *number, like.dtype));
  }
  const rt::Array result = unfilled(vm, like);
  rt::write(session(vm), result, fill_array(vm, value, like.dtype, names));
  return wrap_array(vm, result);
}

constexpr const char* kSignature =
    "(a, dtype=None, order='K', subok=True, shape=None, *, device=None)";
const Native kFunctions[] = {
    {"zeros_like", kSignature, typed<zeros_like>, "An array of 0 in the shape of another."},
    {"ones_like", kSignature, typed<ones_like>, "An array of 1 in the shape of another."},
    {"empty_like", kSignature, typed<empty_like>,
     "An array in the shape of another, with any content."},
    {"full_like", "(a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None)",
     typed<full_like>, "An array of one number in the shape of another."},
};

}  // namespace

Family like_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
