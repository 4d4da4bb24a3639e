// einsum: sums of products by subscripts.
#include <algorithm>
#include <optional>

#include "runtime/ops/products.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/shape.h"
#include "src/array/typed_arguments.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

struct EinsumTerm {
  std::string labels;
  rt::Array array;
};

// A label that is repeated in a term is a diagonal, of axes of equal extent. `operand()` names the
// term in the message.
template <class Name>
void check_diagonals(Interpreter& vm, const EinsumTerm& term, Name&& operand) {
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const size_t first = term.labels.find(term.labels[i]);
    const int64_t extent = term.array.shape()[static_cast<int64_t>(i)];
    const int64_t other = term.array.shape()[static_cast<int64_t>(first)];
    if (extent == other) continue;
    vm.raise_value_error("dimensions in {} for collapsing index '{}' don't match ({} != {})",
                         operand(), term.labels[i], other, extent);
  }
}

// The messages of NumPy differ where the result would be a view of a diagonal.
void check_diagonals(Interpreter& vm, const std::vector<EinsumTerm>& terms,
                     const std::string& output) {
  const bool view =
      terms.size() == 1 && terms[0].labels.find_first_not_of(output) == std::string::npos;
  for (size_t i = 0; i < terms.size(); ++i) {
    check_diagonals(vm, terms[i],
                    [&] { return view ? "single operand" : fmt::format("operand {}", i); });
  }
}

// The array with an axis for each of `all`, in that order; 1 where it has no such label. A label
// that occurs twice is a diagonal.
rt::Array spread(Interpreter& vm, const EinsumTerm& given, const std::string& all) {
  if (given.labels == all) return given.array;
  EinsumTerm term = given;
  for (size_t i = 0; i < term.labels.size(); ++i) {
    const size_t again = term.labels.find(term.labels[i], i + 1);
    if (again == std::string::npos) continue;
    const char label = term.labels[i];
    const rt::Array diagonal =
        rt::diagonal(term.array, 0, static_cast<int64_t>(i), static_cast<int64_t>(again));
    term.array = term.array.with_layout(diagonal.layout());  // writeable, as the array is
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

// The axes that '...' stands for have labels too, which no script can write: the same ones for the
// last axes of all terms, in rising order.
std::string broadcast_labels(int64_t count) {
  constexpr int kLast = 0xff;
  std::string labels;
  for (int64_t i = count; i > 0; --i) labels += static_cast<char>(kLast - i + 1);
  return labels;
}

constexpr std::string_view kEllipsis = "...";

bool has_ellipsis(std::string_view labels) { return labels.find('.') != std::string_view::npos; }

// The labels with those of `count` axes in place of '...'.
std::string expanded(const std::string& labels, int64_t count) {
  std::string all = labels;
  if (const size_t at = labels.find(kEllipsis); at != std::string::npos) {
    all.replace(at, kEllipsis.size(), broadcast_labels(count));
  }
  return all;
}

std::string implicit_output(const std::vector<EinsumTerm>& terms, int64_t broadcast) {
  std::string joined;
  for (const EinsumTerm& term : terms) joined += term.labels;
  std::string output = broadcast_labels(broadcast);
  for (char label = 'A'; label <= 'z'; ++label) {
    if (std::count(joined.begin(), joined.end(), label) == 1) output += label;
  }
  return output;
}

// `place()` is told where '.' is no part of an ellipsis: "operand 0", "the output".
template <class Place> void check_letters(Interpreter& vm, std::string labels, Place&& place) {
  if (const size_t at = labels.find(kEllipsis); at != std::string::npos) {
    labels.erase(at, kEllipsis.size());
  }
  if (has_ellipsis(labels)) {
    vm.raise_value_error(
        "einstein sum subscripts string contains a '.' that is not part of an ellipsis ('...') in "
        "{}",
        place());
  }
  for (char label : labels) {
    if ((label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z')) continue;
    vm.raise_value_error(
        "invalid subscript '{}' in einstein sum subscripts string, subscripts must be letters",
        label);
  }
}

// Checks the labels of a term as they are written and expands them. Returns the number of axes that
// '...' stands for.
int64_t read_labels(Interpreter& vm, EinsumTerm& term, size_t which) {
  check_letters(vm, term.labels, [which] { return fmt::format("operand {}", which); });
  const bool open = has_ellipsis(term.labels);
  const int64_t named = static_cast<int64_t>(term.labels.size()) - (open ? 3 : 0);
  const int64_t unnamed = term.array.rank() - named;
  if (unnamed < 0) {
    vm.raise_value_error(
        "einstein sum subscripts string contains too many subscripts for operand {}", which);
  }
  if (unnamed > 0 && !open) {
    vm.raise_value_error(
        "operand has more dimensions than subscripts given in einstein sum, but no '...' "
        "ellipsis provided to broadcast the extra dimensions.");
  }
  term.labels = expanded(term.labels, unnamed);
  return unnamed;
}

// `broadcast` becomes the number of axes that '...' stands for in the result.
std::vector<EinsumTerm> read_terms(Interpreter& vm, const Namespace& names, std::string_view inputs,
                                   std::span<const Value> operands, int64_t& broadcast) {
  std::vector<EinsumTerm> terms;
  for (size_t start = 0; start <= inputs.size();) {
    const size_t end = std::min(inputs.find(',', start), inputs.size());
    if (terms.size() >= operands.size()) {
      vm.raise_value_error(
          "more operands provided to einstein sum function than specified in the subscripts "
          "string");
    }
    const rt::Array array = to_array(vm, operands[terms.size()], names);
    terms.push_back({std::string(inputs.substr(start, end - start)), array});
    broadcast = std::max(broadcast, read_labels(vm, terms.back(), terms.size() - 1));
    start = end + 1;
  }
  if (terms.size() < operands.size()) {
    vm.raise_value_error(
        "fewer operands provided to einstein sum function than specified in the subscripts string");
  }
  return terms;
}

// Checks that each label of the output is in an input, and occurs once.
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

// The product of all terms summed over `axes`, in the type of the terms: unlike numpy.sum, small
// integers stay small, and sums of bools are bools.
rt::Array sum_of_products(Interpreter& vm, const rt::Array& products, std::vector<int64_t> axes) {
  rt::ReduceOptions options;
  options.axes = std::move(axes);
  options.dtype = products.dtype();
  const bool truth = products.dtype() == rt::DType::kBool;
  return rt::reduce(session(vm), truth ? rt::Fold::logical_or : rt::Fold::add, products, options);
}

// --- two terms as a product of matrices ----------------------------------------------------------

// Labels of two terms without repeats: those of both that stay are a stack of matrices, those of
// both that do not are summed over, and the others are rows of one and columns of the other.
struct Contraction {
  std::string stack, summed, rows, columns;

  Contraction(const std::string& a, const std::string& b, const std::string& output) {
    for (char label : a) {
      const bool shared = b.find(label) != std::string::npos;
      const bool stays = output.find(label) != std::string::npos;
      (shared ? stays ? stack : summed : rows) += label;
    }
    for (char label : b) {
      if (a.find(label) == std::string::npos) columns += label;
    }
  }
};

int64_t extent_of(const EinsumTerm& term, char label) {
  return term.array.shape()[static_cast<int64_t>(term.labels.find(label))];
}

int64_t elements_of(const EinsumTerm& term, const std::string& labels) {
  int64_t count = 1;
  for (char label : labels) count *= extent_of(term, label);
  return count;
}

bool has_repeats(const std::string& labels) {
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels.find(labels[i], i + 1) != std::string::npos) return true;
  }
  return false;
}

// The term as `dtype`, summed over the labels that only it has.
EinsumTerm without_own_sums(Interpreter& vm, const EinsumTerm& term, const std::string& others,
                            rt::DType dtype) {
  EinsumTerm rest{"", rt::astype(session(vm), term.array, dtype, rt::Casting::kUnsafe, false)};
  std::vector<int64_t> axes;
  for (size_t i = 0; i < term.labels.size(); ++i) {
    if (others.find(term.labels[i]) == std::string::npos) axes.push_back(static_cast<int64_t>(i));
    else rest.labels += term.labels[i];
  }
  if (!axes.empty()) rest.array = sum_of_products(vm, rest.array, axes);
  return rest;
}

rt::Array as_matrices(Interpreter& vm, const EinsumTerm& term, const std::string& stack,
                      const std::string& rows, const std::string& columns) {
  rt::Dims shape;
  if (!stack.empty()) shape.push_back(elements_of(term, stack));
  shape.push_back(elements_of(term, rows));
  shape.push_back(elements_of(term, columns));
  return rt::reshape(session(vm), spread(vm, term, stack + rows + columns), shape);
}

// The result as a matrix product, which a library computes faster. None where a label has axes of
// different extents (1 is stretched), or where there are no matrices in the subscripts.
std::optional<rt::Array> as_matmul(Interpreter& vm, const std::vector<EinsumTerm>& terms,
                                   const std::string& output) {
  if (terms.size() != 2 || has_repeats(terms[0].labels) || has_repeats(terms[1].labels)) {
    return std::nullopt;
  }
  const rt::Operand both[] = {terms[0].array, terms[1].array};
  const rt::DType dtype = rt::result_type(both);
  const std::string kept_of_a = terms[1].labels + output, kept_of_b = terms[0].labels + output;
  const bool sums_first = terms[0].labels.find_first_not_of(kept_of_a) != std::string::npos ||
                          terms[1].labels.find_first_not_of(kept_of_b) != std::string::npos;
  if (sums_first && rt::is_narrow_float(dtype)) return std::nullopt;  // the sums may be too large
  EinsumTerm a = without_own_sums(vm, terms[0], kept_of_a, dtype);
  EinsumTerm b = without_own_sums(vm, terms[1], kept_of_b, dtype);
  Contraction labels(a.labels, b.labels, output);
  if (labels.summed.empty() || labels.rows.empty() || labels.columns.empty()) return std::nullopt;
  for (char label : labels.stack + labels.summed) {
    if (extent_of(a, label) != extent_of(b, label)) return std::nullopt;
  }
  // The result is in the order of the output where its rows come before its columns.
  const size_t first = output.find_first_not_of(labels.stack);
  if (labels.columns.find(output[first]) != std::string::npos) {
    std::swap(a, b);
    labels = Contraction(a.labels, b.labels, output);
  }
  const rt::Array product =
      rt::matmul(session(vm), as_matrices(vm, a, labels.stack, labels.rows, labels.summed),
                 as_matrices(vm, b, labels.stack, labels.summed, labels.columns));
  rt::Dims shape;
  for (char label : labels.stack + labels.rows) shape.push_back(extent_of(a, label));
  for (char label : labels.columns) shape.push_back(extent_of(b, label));
  const EinsumTerm result{labels.stack + labels.rows + labels.columns,
                          rt::reshape(session(vm), product, shape)};
  return spread(vm, result, output);
}

// The result where no matrix product gives it: the sum over all products of elements.
rt::Array as_sum(Interpreter& vm, const std::vector<EinsumTerm>& terms, const std::string& output) {
  std::string all = output;
  for (const EinsumTerm& term : terms) {
    for (char label : term.labels) {
      if (all.find(label) == std::string::npos) all += label;
    }
  }
  rt::Array result = spread(vm, terms[0], all);
  for (size_t i = 1; i < terms.size(); ++i) {
    result = ops::multiply(vm, result, spread(vm, terms[i], all));
  }
  std::vector<int64_t> summed;
  for (size_t i = output.size(); i < all.size(); ++i) summed.push_back(static_cast<int64_t>(i));
  return summed.empty() ? result : sum_of_products(vm, result, summed);
}

std::string read_output(Interpreter& vm, const std::string& written, int64_t broadcast) {
  check_letters(vm, written, [] { return "the output"; });
  if (broadcast > 0 && !has_ellipsis(written)) {
    vm.raise_value_error(
        "output has more dimensions than subscripts given in einstein sum, but no '...' ellipsis "
        "provided to broadcast the extra dimensions.");
  }
  return expanded(written, broadcast);
}

void convert(Interpreter& vm, std::vector<EinsumTerm>& terms, rt::DType dtype,
             rt::Casting casting) {
  for (size_t i = 0; i < terms.size(); ++i) {
    rt::Array& array = terms[i].array;
    if (!rt::can_cast(array.dtype(), dtype, casting)) {
      vm.raise_type_error(
          "Iterator operand {} dtype could not be cast from dtype('{}') to dtype('{}') according "
          "to the rule '{}'",
          i, rt::name(array.dtype()), rt::name(dtype), rt::name(casting));
    }
    array = rt::astype(session(vm), array, dtype, rt::Casting::kUnsafe, false);
  }
}

// Checks `out` (None: none) before anything is computed for it.
void check_out(Interpreter& vm, const Value& out, rt::DType result, size_t terms,
               rt::Casting casting, const Namespace& names) {
  if (out.is_none()) return;
  const rt::DType kept = to_array(vm, out, names).dtype();
  if (rt::can_cast(result, kept, casting)) return;
  vm.raise_type_error(
      "Iterator requested dtype could not be cast from dtype('{}') to dtype('{}'), the operand {} "
      "dtype, according to the rule '{}'",
      rt::name(result), rt::name(kept), terms, rt::name(casting));
}

rt::DType common_type(const std::vector<EinsumTerm>& terms) {
  std::vector<rt::Operand> all;
  for (const EinsumTerm& term : terms) all.push_back(term.array);
  return rt::result_type(all);
}

Value einsum(Interpreter& vm, const Namespace& names, std::string_view subscripts,
             std::span<const Value> operands, const Value& out, std::optional<rt::DType> dtype,
             const Value& casting) {
  std::string text(subscripts);
  std::erase(text, ' ');
  const size_t arrow = text.find("->");
  if (arrow == std::string::npos && text.find('-') != std::string::npos) {
    vm.raise_value_error(
        "einstein sum subscript string does not contain proper '->' output specified");
  }
  int64_t broadcast = 0;
  std::vector<EinsumTerm> terms =
      read_terms(vm, names, std::string_view(text).substr(0, arrow), operands, broadcast);
  const std::string output = arrow == std::string::npos
                                 ? implicit_output(terms, broadcast)
                                 : read_output(vm, text.substr(arrow + 2), broadcast);
  check_output(vm, terms, output);
  check_diagonals(vm, terms, output);
  const rt::Casting allowed = to_casting(vm, casting, rt::Casting::kSafe);
  if (dtype) convert(vm, terms, *dtype, allowed);
  check_out(vm, out, common_type(terms), terms.size(), allowed, names);
  const std::optional<rt::Array> product = as_matmul(vm, terms, output);
  const rt::Array result = product ? *product : as_sum(vm, terms, output);
  if (out.is_none()) return wrap_result(vm, result);
  return finish(vm, rt::astype(session(vm), result, to_array(vm, out, names).dtype()), out);
}

const Native kFunctions[] = {
    {"_einsum", "(subscripts, *operands, out, dtype, casting)", typed<einsum>,
     "einsum of subscripts in a string, all operands at once."},
};

}  // namespace

Family einsum_family() { return {kFunctions, {}}; }

}  // namespace gpy::lib
