#include "stdlib/native/numpy/norm.h"

#include <cmath>

#include "runtime/ops/products.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

using rt::Fold;

struct Order {
  std::string_view text;  // "fro", "nuc" or empty
  std::optional<double> number;
  bool none() const { return text.empty() && !number; }
  bool is(double value) const { return number && *number == value; }
};

Order read_order(Interpreter& vm, const Value& ord) {
  if (!is_given(ord)) return {};
  if (const Str* text = ord.try_as<Str>()) return {text->view() == "f" ? "fro" : text->view(), {}};
  return {{}, vm.to_real(ord)};
}

rt::Array folded(Interpreter& vm, Fold fold, const rt::Array& x, std::vector<int64_t> axes,
                 bool keepdims) {
  rt::ReduceOptions options;
  options.axes = std::move(axes);
  options.keepdims = keepdims;
  if (x.size() == 0 && fold == Fold::maximum) options.initial = rt::Scalar::weak(0.0);
  return rt::reduce(session(vm), fold, x, options);
}

rt::Array magnitude(Interpreter& vm, const rt::Array& x) { return ops::absolute(vm, x); }

rt::Array squares(Interpreter& vm, const rt::Array& x) {
  if (!rt::is_complex(x.dtype())) return ops::multiply(vm, x, x);
  return ops::real(vm, ops::multiply(vm, ops::conjugate(vm, x), x));
}

rt::Array euclidean(Interpreter& vm, const rt::Array& x, std::vector<int64_t> axes, bool keepdims) {
  return ops::sqrt(vm, folded(vm, Fold::add, squares(vm, x), std::move(axes), keepdims));
}

// The norm of all elements, by one dot product.
rt::Array flat_norm(Interpreter& vm, const rt::Array& x, bool keepdims) {
  rt::Session& state = session(vm);
  const rt::Array row = rt::ravel(state, x, 'K');
  rt::Array square = rt::vdot(state, row, row);
  if (rt::is_complex(square.dtype())) square = ops::real(vm, square);
  const rt::Array result = ops::sqrt(vm, square);
  return keepdims ? rt::reshape(state, result, rt::Dims(x.rank(), 1)) : result;
}

rt::Array vector_norm(Interpreter& vm, const rt::Array& x, const Order& order, int64_t axis,
                      bool keepdims) {
  if (!order.text.empty()) {
    vm.raise_value_error("Invalid norm order '{}' for vectors", order.text);
  }
  if (order.none() || order.is(2)) return euclidean(vm, x, {axis}, keepdims);
  if (order.is(INFINITY)) return folded(vm, Fold::maximum, magnitude(vm, x), {axis}, keepdims);
  if (order.is(-INFINITY)) return folded(vm, Fold::minimum, magnitude(vm, x), {axis}, keepdims);
  if (order.is(1)) return folded(vm, Fold::add, magnitude(vm, x), {axis}, keepdims);
  if (order.is(0)) {
    const rt::Array set = ops::not_equal(vm, x, rt::Scalar::weak(int64_t{0}));
    return folded(vm, Fold::add, rt::astype(session(vm), set, rt::real_type(x.dtype())), {axis},
                  keepdims);
  }
  const rt::Array powers = ops::power(vm, magnitude(vm, x), rt::Scalar::weak(*order.number));
  const rt::Array sum = folded(vm, Fold::add, powers, {axis}, keepdims);
  return ops::power(vm, sum, rt::Scalar::weak(1 / *order.number));
}

rt::Array singular_values(Interpreter& vm, const rt::Array& x, int row, int col) {
  const int64_t from[] = {row, col};
  const int64_t to[] = {-2, -1};
  return rt::svd(session(vm), rt::move_axes(x, from, to), false, false).s;
}

rt::Array sum_then(Interpreter& vm, const rt::Array& x, int summed, int other, Fold pick) {
  const rt::Array sums = folded(vm, Fold::add, magnitude(vm, x), {summed}, false);
  return folded(vm, pick, sums, {other > summed ? other - 1 : other}, false);
}

rt::Array two_axis_norm(Interpreter& vm, const rt::Array& x, const Order& order, int row, int col) {
  if (row == col) vm.raise_value_error("Duplicate axes given.");
  if (order.none() || order.text == "fro") return euclidean(vm, x, {row, col}, false);
  if (order.text == "nuc")
    return folded(vm, Fold::add, singular_values(vm, x, row, col), {-1}, false);
  if (order.is(2)) return folded(vm, Fold::maximum, singular_values(vm, x, row, col), {-1}, false);
  if (order.is(-2)) return folded(vm, Fold::minimum, singular_values(vm, x, row, col), {-1}, false);
  if (order.is(1)) return sum_then(vm, x, row, col, Fold::maximum);
  if (order.is(-1)) return sum_then(vm, x, row, col, Fold::minimum);
  if (order.is(INFINITY)) return sum_then(vm, x, col, row, Fold::maximum);
  if (order.is(-INFINITY)) return sum_then(vm, x, col, row, Fold::minimum);
  vm.raise_value_error("Invalid norm order for matrices.");
}

}  // namespace

rt::Array matrix_norm(Interpreter& vm, const rt::Array& x, const Value& ord) {
  return two_axis_norm(vm, x, read_order(vm, ord), x.rank() - 2, x.rank() - 1);
}

rt::Array array_norm(Interpreter& vm, const rt::Array& given, const Value& ord, const Value& axis,
                     bool keepdims) {
  rt::Array x = given;
  if (!rt::is_inexact(x.dtype())) x = rt::astype(session(vm), x, rt::DType::kFloat64);
  const Order order = read_order(vm, ord);
  auto axes = to_axes(vm, axis);
  if (!axes) {
    const bool flat =
        order.none() || (order.text == "fro" && x.rank() == 2) || (order.is(2) && x.rank() == 1);
    if (flat) return flat_norm(vm, x, keepdims);
    axes.emplace();
    for (int i = 0; i < x.rank(); ++i) axes->push_back(i);
  }
  if (axes->size() == 1) return vector_norm(vm, x, order, (*axes)[0], keepdims);
  if (axes->size() != 2) vm.raise_value_error("Improper number of dimensions to norm.");
  const int row = rt::normalize_axis((*axes)[0], x.rank());
  const int col = rt::normalize_axis((*axes)[1], x.rank());
  const rt::Array result = two_axis_norm(vm, x, order, row, col);
  if (!keepdims) return result;
  rt::Dims shape = x.shape();
  shape[row] = shape[col] = 1;
  return rt::reshape(session(vm), result, shape);
}

}  // namespace gpy::lib
