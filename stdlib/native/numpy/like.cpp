// Arrays in the shape of others.
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

struct Like {
  rt::Array model;
  rt::Dims shape;
  rt::DType dtype;
  char order;
};

// (a, ..., dtype, order, subok, shape): `at` is where dtype stands.
Like read_like(Interpreter& vm, const Args& args, size_t at) {
  Like like{array_argument(vm, args), {}, {}, 'C'};
  like.shape = is_given(args[at + 3]) ? to_shape(vm, args[at + 3]) : like.model.shape();
  like.dtype = to_optional_dtype(vm, args[at]).value_or(like.model.dtype());
  like.order = to_order(vm, args[at + 1], 'K');
  const rt::Layout& layout = like.model.layout();
  const bool columns = rt::is_f_contiguous(layout) && !rt::is_c_contiguous(layout);
  if (like.order == 'K' || like.order == 'A') like.order = columns ? 'F' : 'C';
  return like;
}

Value filled(Interpreter& vm, const Like& like, const rt::Scalar& number) {
  return wrap_array(
      vm, rt::full(session(vm), like.shape, number, like.dtype, like.model.space(), like.order));
}

Value zeros_like(Interpreter& vm, Args args) {
  return filled(vm, read_like(vm, args, 1), rt::Scalar(false));
}

Value ones_like(Interpreter& vm, Args args) {
  return filled(vm, read_like(vm, args, 1), rt::Scalar(true));
}

Value empty_like(Interpreter& vm, Args args) {
  const Like like = read_like(vm, args, 1);
  return wrap_array(vm,
                    rt::empty(session(vm), like.shape, like.dtype, like.model.space(), like.order));
}

Value full_like(Interpreter& vm, Args args) {
  const Like like = read_like(vm, args, 2);
  if (const auto number = try_number_for(vm, args[1], like.dtype)) {
    return filled(vm, like, fill_number(vm, args[1], *number, like.dtype));
  }
  const rt::Array result =
      rt::empty(session(vm), like.shape, like.dtype, like.model.space(), like.order);
  rt::write(session(vm), result, fill_array(vm, args[1], like.dtype, namespace_or_numpy(args)));
  return wrap_array(vm, result);
}

constexpr const char* kSignature =
    "(a, dtype=None, order='K', subok=True, shape=None, *, device=None)";
const Native kFunctions[] = {
    {"zeros_like", kSignature, zeros_like, "An array of 0 in the shape of another."},
    {"ones_like", kSignature, ones_like, "An array of 1 in the shape of another."},
    {"empty_like", kSignature, empty_like, "An array in the shape of another, with any content."},
    {"full_like", "(a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None)",
     full_like, "An array of one number in the shape of another."},
};

}  // namespace

Family like_family() { return {.functions = kFunctions}; }

}  // namespace gpy::lib
