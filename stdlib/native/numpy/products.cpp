// Products of arrays.
#include "runtime/ops/products.h"

#include <algorithm>

#include "runtime/ops/create.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

struct Pair {
  rt::Array a, b;
};

Pair pair_of(Interpreter& vm, const Args& args) {
  return {array_argument(vm, args, 0), array_argument(vm, args, 1)};
}

using Product = rt::Array (*)(rt::Session&, const rt::Array&, const rt::Array&);

// (a, b, out)
template <Product kProduct> Value product(Interpreter& vm, Args args) {
  const Pair pair = pair_of(vm, args);
  return finish(vm, kProduct(session(vm), pair.a, pair.b), args.size() > 2 ? args[2] : Value());
}

// (x1, x2, out, ...)
// What is multiplied is of the dtype asked for, not the result alone.
rt::Array matmul_input(Interpreter& vm, const rt::Array& array, int i, rt::DType dtype,
                       rt::Casting casting) {
  rt::check_cast("matmul", fmt::format("input {}", i), array.dtype(), dtype, casting);
  return rt::astype(session(vm), array, dtype, rt::Casting::kUnsafe, false);
}

Value matmul(Interpreter& vm, Args args) {
  Pair pair = pair_of(vm, args);
  if (auto dtype = to_optional_dtype(vm, args[3])) {
    const rt::Casting casting = to_casting(vm, args[4], rt::Casting::kSameKind);
    pair.a = matmul_input(vm, pair.a, 0, *dtype, casting);
    pair.b = matmul_input(vm, pair.b, 1, *dtype, casting);
  }
  return finish(vm, rt::matmul(session(vm), pair.a, pair.b), args[2]);
}

// (a, offset, axis1, axis2, dtype, out)
Value trace(Interpreter& vm, Args args) {
  rt::Array result =
      rt::trace(session(vm), array_argument(vm, args), vm.to_index(args[1]), vm.to_index(args[2]),
                vm.to_index(args[3]), to_optional_dtype(vm, args[4]));
  return finish(vm, std::move(result), args[5]);
}

// --- others -------------------------------------------------------------------------------------

// (x1, x2, axis): sums of products along an axis of stacks of vectors.
Value vecdot(Interpreter& vm, Args args) {
  Pair pair = pair_of(vm, args);
  const int64_t axis = vm.to_index(args[2]);
  for (rt::Array* array : {&pair.a, &pair.b}) {
    if (array->rank() == 0) {
      vm.raise_value_error(
          "vecdot: Input operand {} does not have enough dimensions (has 0, gufunc core with "
          "signature (n),(n)->() requires 1)",
          array == &pair.a ? 0 : 1);
    }
    const int64_t from[] = {axis}, to[] = {-1};
    *array = rt::move_axes(*array, from, to);
  }
  if (pair.a.shape().back() != pair.b.shape().back()) {
    vm.raise_value_error(
        "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
        "(n),(n)->() (size {} is different from {})",
        pair.b.shape().back(), pair.a.shape().back());
  }
  if (rt::is_complex(pair.a.dtype())) pair.a = apply(vm, "conjugate", {pair.a});
  const rt::Array products = apply(vm, "multiply", {pair.a, pair.b});
  rt::ReduceOptions last;
  last.axes = std::vector<int64_t>{-1};
  last.dtype = products.dtype();
  const char* fold = products.dtype() == rt::DType::kBool ? "logical_or" : "add";
  return wrap_result(vm, rt::reduce(session(vm), fold, products, last));
}

// --- einsum --------------------------------------------------------------------------------------

struct EinsumTerm {
  std::string labels;
  rt::Array array;
};

// A label that occurs again in one term is a diagonal, of axes that are alike. `operand` names the
// term in the message.
void check_diagonals(Interpreter& vm, const EinsumTerm& term, const std::string& operand) {
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const size_t first = term.labels.find(term.labels[i]);
    const int64_t extent = term.array.shape()[static_cast<int64_t>(i)];
    const int64_t other = term.array.shape()[static_cast<int64_t>(first)];
    if (extent == other) continue;
    vm.raise_value_error("dimensions in {} for collapsing index '{}' don't match ({} != {})",
                         operand, term.labels[i], other, extent);
  }
}

// NumPy tells of a diagonal that it would give as a view otherwise.
void check_diagonals(Interpreter& vm, const std::vector<EinsumTerm>& terms,
                     const std::string& output) {
  const bool view =
      terms.size() == 1 && terms[0].labels.find_first_not_of(output) == std::string::npos;
  for (size_t i = 0; i < terms.size(); ++i) {
    check_diagonals(vm, terms[i], view ? "single operand" : fmt::format("operand {}", i));
  }
}

// The array with an axis for each of `all`, in that order; 1 where it has no such label. A label
// that occurs twice is a diagonal.
rt::Array spread(Interpreter& vm, EinsumTerm term, const std::string& all) {
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const size_t again = term.labels.find(term.labels[i], i + 1);
    if (again == std::string::npos) continue;
    const char label = term.labels[i];
    term.array = rt::diagonal(term.array, 0, static_cast<int64_t>(i), static_cast<int64_t>(again));
    term.labels.erase(again, 1);
    term.labels.erase(i, 1);
    term.labels += label;
    i = static_cast<size_t>(-1);
  }
  std::vector<int64_t> order;
  rt::Dims shape;
  for (char label : all) {
    const size_t at = term.labels.find(label);
    if (at == std::string::npos) {
      shape.push_back(1);
    } else {
      order.push_back(static_cast<int64_t>(at));
      shape.push_back(term.array.shape()[static_cast<int64_t>(at)]);
    }
  }
  return rt::reshape(session(vm), rt::transpose(term.array, order), shape);
}

std::string implicit_output(const std::vector<EinsumTerm>& terms) {
  std::string joined;
  for (const EinsumTerm& term : terms) joined += term.labels;
  std::string output;
  for (char label = 'A'; label <= 'z'; ++label) {
    if (std::count(joined.begin(), joined.end(), label) == 1) output += label;
  }
  return output;
}

void check_letters(Interpreter& vm, std::string_view labels) {
  for (char label : labels) {
    if ((label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z')) continue;
    vm.raise_value_error(
        "invalid subscript '{}' in einstein sum subscripts string, subscripts must be letters",
        label);
  }
}

void check_axes(Interpreter& vm, const EinsumTerm& term, size_t which) {
  check_letters(vm, term.labels);
  const int named = static_cast<int>(term.labels.size());
  if (named > term.array.rank()) {
    vm.raise_value_error(
        "einstein sum subscripts string contains too many subscripts for operand {}", which);
  }
  if (named < term.array.rank()) {
    vm.raise_value_error(
        "operand has more dimensions than subscripts given in einstein sum, but no '...' "
        "ellipsis provided to broadcast the extra dimensions.");
  }
}

std::vector<EinsumTerm> read_terms(Interpreter& vm, std::string_view inputs, const Args& args) {
  Tuple& operands = *args[1].as<Tuple>();
  std::vector<EinsumTerm> terms;
  for (size_t start = 0; start <= inputs.size();) {
    const size_t end = std::min(inputs.find(',', start), inputs.size());
    if (terms.size() >= operands.size) {
      vm.raise_value_error(
          "more operands provided to einstein sum function than specified in the subscripts "
          "string");
    }
    const rt::Array array = to_array(vm, operands[terms.size()], namespace_or_numpy(args));
    terms.push_back({std::string(inputs.substr(start, end - start)), array});
    check_axes(vm, terms.back(), terms.size() - 1);
    start = end + 1;
  }
  if (terms.size() < operands.size) {
    vm.raise_value_error(
        "fewer operands provided to einstein sum function than specified in the subscripts string");
  }
  return terms;
}

// Labels of the output: each in an input, and once.
void check_output(Interpreter& vm, const std::vector<EinsumTerm>& terms,
                  const std::string& output) {
  for (char label : output) {
    const bool known = std::any_of(terms.begin(), terms.end(), [&](const EinsumTerm& term) {
      return term.labels.find(label) != std::string::npos;
    });
    if (std::count(output.begin(), output.end(), label) > 1) {
      vm.raise_value_error(
          "einstein sum subscripts string includes output subscript '{}' multiple times", label);
    }
    if (known) continue;
    vm.raise_value_error(
        "einstein sum subscripts string included output subscript '{}' which never appeared in an "
        "input",
        label);
  }
}

// Two matrices that only share the label summed over: a product that a library does.
std::optional<rt::Array> as_matmul(Interpreter& vm, const std::vector<EinsumTerm>& terms,
                                   const std::string& output) {
  if (terms.size() != 2 || output.size() != 2) return std::nullopt;
  const std::string &a = terms[0].labels, &b = terms[1].labels;
  if (a.size() != 2 || b.size() != 2 || a[0] == a[1] || b[0] == b[1] || a[1] != b[0])
    return std::nullopt;
  // Axes of one element are stretched, which a product of matrices does not do.
  if (terms[0].array.shape()[1] != terms[1].array.shape()[0]) return std::nullopt;
  if (a[0] != output[0] || b[1] != output[1] || a[0] == b[1]) return std::nullopt;
  return rt::matmul(session(vm), terms[0].array, terms[1].array);
}

// The product of all terms summed over `axes`, in the type of the terms: unlike numpy.sum, small
// integers stay small, and sums of bools are bools.
rt::Array sum_of_products(Interpreter& vm, const rt::Array& products, std::vector<int64_t> axes) {
  rt::ReduceOptions options;
  options.axes = std::move(axes);
  options.dtype = products.dtype();
  const bool truth = products.dtype() == rt::DType::kBool;
  return rt::reduce(session(vm), truth ? "logical_or" : "add", products, options);
}

Value einsum(Interpreter& vm, Args args) {
  std::string text(vm.to_text(args[0], "subscripts"));
  std::erase(text, ' ');
  if (text.find('.') != std::string::npos) {
    vm.raise_not_implemented_error("einsum: '...' in subscripts is not supported");
  }
  const size_t arrow = text.find("->");
  if (arrow == std::string::npos && text.find('-') != std::string::npos) {
    vm.raise_value_error(
        "einstein sum subscript string does not contain proper '->' output specified");
  }
  const std::vector<EinsumTerm> terms =
      read_terms(vm, std::string_view(text).substr(0, arrow), args);
  const std::string output =
      arrow == std::string::npos ? implicit_output(terms) : text.substr(arrow + 2);
  check_letters(vm, output);
  check_output(vm, terms, output);
  check_diagonals(vm, terms, output);
  if (auto product = as_matmul(vm, terms, output)) return wrap_result(vm, *product);
  std::string all = output;
  for (const EinsumTerm& term : terms) {
    for (char label : term.labels) {
      if (all.find(label) == std::string::npos) all += label;
    }
  }
  rt::Array result = spread(vm, terms[0], all);
  for (size_t i = 1; i < terms.size(); ++i) {
    result = apply(vm, "multiply", {result, spread(vm, terms[i], all)});
  }
  std::vector<int64_t> summed;
  for (size_t i = output.size(); i < all.size(); ++i) summed.push_back(static_cast<int64_t>(i));
  if (!summed.empty()) result = sum_of_products(vm, result, summed);
  return wrap_result(vm, result);
}

const Native kFunctions[] = {
    {"dot", "(a, b, out=None)", product<rt::dot>, "The dot product, or the matrix product."},
    {"matmul", "(x1, x2, /, out=None, dtype=None, *, casting='same_kind')", matmul,
     "The matrix product; of stacks of matrices too."},
    {"vdot", "(a, b, /)", product<rt::vdot>,
     "The dot product of all elements, the first conjugated."},
    {"inner", "(a, b, /)", product<rt::inner>, "Sums over the last axes."},
    {"outer", "(a, b, out=None)", product<rt::outer>, "Every product of an element with another."},
    {"trace", "(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)", trace,
     "The sum of a diagonal."},
    {"vecdot", "(x1, x2, /, *, axis=-1)", vecdot, "The dot products of vectors along an axis."},
    {"einsum", "(subscripts, *operands)", einsum,
     "Sums of products by subscripts: einsum('ij,jk', a, b)."},
};
const Native kMethods[] = {
    {"dot", "(self, b, /, out=None)", product<rt::dot>, "The dot product, or the matrix product."},
    {"trace", "(self, offset=0, axis1=0, axis2=1, dtype=None, out=None)", trace,
     "The sum of a diagonal."},
};

}  // namespace

Family product_family() { return {kFunctions, kMethods}; }

}  // namespace gpy::lib
