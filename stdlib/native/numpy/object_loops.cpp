// Loops over lists of objects for arrays of objects and tables of records: operators, columns.
#include <algorithm>

#include "runtime/graph/make_node.h"
#include "src/array/sequence_objects.h"
#include "src/array/typed_arguments.h"
#include "src/calls/override.h"
#include "src/memory/pieces.h"
#include "stdlib/native/numpy/kind_arguments.h"
#include "stdlib/native/numpy/kinds.h"
#include "stdlib/native/numpy/support.h"

namespace gpy::lib {

namespace {

// A list's items, or one that stands for all.
class Objects {
 public:
  Objects(Interpreter& vm, const Value& list) : items_(vm, list), size_(items_.size()) {}
  size_t size() const { return size_; }
  Value operator[](size_t i) const { return items_.at(size_ == 1 ? 0 : i); }

 private:
  ListItems items_;
  size_t size_;
};

size_t common_size(const Objects& a, const Objects& b) {
  return a.size() == 1 ? b.size() : a.size();
}

constexpr std::string_view kOperators[] = {
    "add",    "subtract",   "multiply",    "true_divide", "floor_divide", "remainder",  "power",
    "matmul", "left_shift", "right_shift", "bitwise_and", "bitwise_or",   "bitwise_xor"};
constexpr std::string_view kComparisons[] = {"equal",      "not_equal", "less",
                                             "less_equal", "greater",   "greater_equal"};

constexpr std::string_view kExtremes[] = {"maximum", "minimum"};

template <class Op, size_t n>
std::optional<Op> find_operator(const std::string_view (&names)[n], std::string_view name) {
  for (size_t i = 0; i < n; ++i) {
    if (names[i] == name) return static_cast<Op>(i);
  }
  return std::nullopt;
}

[[noreturn]] void refuse_operator(Interpreter& vm, std::string_view name) {
  vm.raise_value_error("no such operator: {}", name);
}

// An operator of Python's, or the one of two objects that is no less, or no greater.
class Combination {
 public:
  Combination(Interpreter& vm, std::string_view name)
      : vm_(vm), op_(find_operator<BinaryOp>(kOperators, name)) {
    const auto extreme = find_operator<int>(kExtremes, name);
    if (!op_ && !extreme) refuse_operator(vm, name);
    if (extreme) keeps_ = *extreme == 0 ? CompareOp::greater_equal : CompareOp::less_equal;
  }

  Value operator()(const Value& a, const Value& b) const {
    vm_.poll();
    if (op_) return vm_.binary(*op_, a, b);
    return vm_.truth(vm_.compare(keeps_, a, b)) ? a : b;
  }

 private:
  Interpreter& vm_;
  std::optional<BinaryOp> op_;
  CompareOp keeps_{};
};

Value object_operators(Interpreter& vm) {
  std::vector<Value> names;
  for (std::string_view each : kOperators) names.push_back(vm.str(each));
  for (std::string_view each : kExtremes) names.push_back(vm.str(each));
  return vm.list(std::move(names));
}

Value objects_combined(Interpreter& vm, std::string_view name, const Value& lhs, const Value& rhs) {
  const Combination combine(vm, name);
  const Objects a(vm, lhs), b(vm, rhs);
  const size_t size = common_size(a, b);
  vm.claim(size, sizeof(Value));
  std::vector<Value> found;
  found.reserve(size);
  for (size_t i = 0; i < size; ++i) found.push_back(combine(a[i], b[i]));
  return vm.list(std::move(found));
}

Value objects_compared(Interpreter& vm, std::string_view name, const Value& lhs, const Value& rhs) {
  const auto op = find_operator<CompareOp>(kComparisons, name);
  if (!op) refuse_operator(vm, name);
  const Objects a(vm, lhs), b(vm, rhs);
  const size_t size = common_size(a, b);
  auto fill = [&](std::byte* memory) {
    for (size_t i = 0; i < size; ++i) {
      vm.poll();
      memory[i] = static_cast<std::byte>(vm.truth(vm.compare(*op, a[i], b[i])));
    }
  };
  const rt::Dims shape{static_cast<int64_t>(size)};
  return wrap_array(vm,
                    rt::make_filled(session(vm), rt::DType::kBool, shape, rt::Space::host(), fill));
}

// The total of all items by an operator, from a first one on.
Value objects_folded(Interpreter& vm, std::string_view name, Value total, const Value& list) {
  const Combination combine(vm, name);
  const Objects items(vm, list);
  for (size_t i = 0; i < items.size(); ++i) total = combine(total, items[i]);
  return total;
}

// The totals on the way to each item.
Value objects_accumulated(Interpreter& vm, std::string_view name, const Value& list) {
  const Combination combine(vm, name);
  const Objects items(vm, list);
  vm.claim(items.size(), sizeof(Value));
  std::vector<Value> totals;
  totals.reserve(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    totals.push_back(i == 0 ? items[0] : combine(totals.back(), items[i]));
  }
  return vm.list(std::move(totals));
}

// --- lists in lists ------------------------------------------------------------------------------

bool is_array_of_any_kind(Interpreter& vm, const Value& value) {
  if (!value.is_object()) return false;
  Type* const type = vm.type_of(value);
  return as_ndarray(value) || (type->is_class && librarys_array_function(vm, type));
}

// What lists in lists hold, as far down as they are even.
class ObjectLeaves {
 public:
  ObjectLeaves(Interpreter& vm, const Value& value, size_t most)
      : vm_(vm), poll_(vm), most_(most), of_lists_(find_shape(value, 0, shape_)) {
    if (of_lists_) flatten(value, 0);
  }

  // Whether no array is among them, which has axes of its own.
  bool of_lists() const { return of_lists_; }
  std::vector<Value> take_items() { return std::move(items_); }
  std::span<const int64_t> shape() const { return shape_; }

 private:
  bool find_shape(const Value& value, size_t depth, std::vector<int64_t>& shape) {
    poll_.step();
    const auto items = items_of(value);
    if (!items || depth >= most_) return !is_array_of_any_kind(vm_, value);
    std::vector<int64_t> below, own;
    for (const Value& item : *items) {
      own.clear();
      if (item.is_object() && !find_shape(item, depth + 1, own)) return false;
      if (&item == &items->front()) below = own;
      const auto end = std::ranges::mismatch(below, own).in1;
      below.erase(end, below.end());
    }
    shape.assign(1, static_cast<int64_t>(items->size()));
    shape.insert(shape.end(), below.begin(), below.end());
    return true;
  }

  void flatten(const Value& value, size_t depth) {
    poll_.step();
    if (depth == shape_.size()) return append_item(vm_, items_, value);
    const auto items = items_of(value);
    for (const Value& item : *items) flatten(item, depth + 1);
  }

  Interpreter& vm_;
  InterruptPoll poll_;
  size_t most_;
  std::vector<int64_t> shape_;
  std::vector<Value> items_;
  bool of_lists_;
};

// (flat list, shape) of lists in lists without arrays among them; None for all other values.
Value object_leaves(Interpreter& vm, const Value& value, int64_t most) {
  ObjectLeaves found(vm, value, static_cast<size_t>(std::clamp<int64_t>(most, 0, rt::kMaxRank)));
  if (!found.of_lists()) return Value::none();
  const Value shape = shape_tuple(vm, found.shape());
  return vm.tuple({vm.list(found.take_items()), shape});
}

// --- columns -------------------------------------------------------------------------------------

Value list_of_columns(Interpreter& vm, std::vector<std::vector<Value>> columns) {
  std::vector<Value> lists;
  for (auto& column : columns) lists.push_back(vm.list(std::move(column)));
  return vm.list(std::move(lists));
}

// Tuples of so many items as a list for each place; None where an item is no such tuple.
Value columns_of_tuples(Interpreter& vm, const Value& list, int64_t count) {
  const auto items = listed(vm, list);
  std::vector<std::vector<Value>> columns(static_cast<size_t>(count));
  for (auto& column : columns) {
    vm.claim(items.size(), sizeof(Value));
    column.reserve(items.size());
  }
  InterruptPoll poll(vm);
  for (const Value& each : items) {
    poll.step();
    Tuple* const tuple = each.try_as<Tuple>();
    if (!tuple || tuple->type != vm.types.tuple || tuple->size != columns.size()) {
      return Value::none();
    }
    for (size_t k = 0; k < columns.size(); ++k) columns[k].push_back((*tuple)[k]);
  }
  return list_of_columns(vm, std::move(columns));
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view without_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

// The values of a line: between delimiters, or between blanks where that is empty.
void split_line(std::string_view line, std::string_view delimiter,
                std::vector<std::string_view>& values) {
  values.clear();
  if (!delimiter.empty()) {
    for (size_t at; (at = line.find(delimiter)) != line.npos;
         line.remove_prefix(at + delimiter.size())) {
      values.push_back(line.substr(0, at));
    }
    values.push_back(line);
    return;
  }
  for (size_t at = 0; at < line.size();) {
    while (at < line.size() && is_blank(line[at])) ++at;
    const size_t start = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    if (at > start) values.push_back(line.substr(start, at - start));
  }
}

// The columns of lines of ASCII that have as many values as the first; None for all others, and
// where there are no values. Behind the mark there is nothing but a comment.
Value columns_of_lines(Interpreter& vm, const Value& lines, std::string_view delimiter,
                       std::string_view mark) {
  std::vector<std::vector<Value>> columns;
  std::vector<std::string_view> values;
  InterruptPoll poll(vm);
  for (const Value& each : listed(vm, lines)) {
    poll.step();
    const Str* text = each.try_as<Str>();
    if (!text || !text->is_ascii()) return Value::none();
    std::string_view line = text->view();
    if (!mark.empty()) line = line.substr(0, line.find(mark));
    line = without_end(line);
    if (line.empty()) continue;
    split_line(line, delimiter, values);
    if (values.empty()) continue;
    if (columns.empty()) columns.resize(values.size());
    if (values.size() != columns.size()) return Value::none();
    for (size_t k = 0; k < values.size(); ++k) append_item(vm, columns[k], vm.str(values[k]));
  }
  return columns.empty() ? Value::none() : list_of_columns(vm, std::move(columns));
}

const Native kRows[] = {
    {"_object_operators", "()", typed<object_operators>,
     "The names of the operators of _objects_combined."},
    {"_objects_combined", "(name, lhs, rhs, /)", typed<objects_combined>,
     "A list of an operator's results on two lists of objects, of which one may have one item."},
    {"_objects_compared", "(name, lhs, rhs, /)", typed<objects_compared>,
     "An array of what a comparison tells of two lists of objects."},
    {"_objects_folded", "(name, total, list, /)", typed<objects_folded>,
     "The total of a list of objects by an operator."},
    {"_objects_accumulated", "(name, list, /)", typed<objects_accumulated>,
     "The totals of a list of objects by an operator, on the way to each item."},
    {"_object_leaves", "(lists, most, /)", typed<object_leaves>,
     "What lists in lists hold, flat, and their shape, as far down as they are even; None where "
     "there are arrays."},
    {"_columns_of_tuples", "(list, count, /)", typed<columns_of_tuples>,
     "Tuples of so many items as a list for each place; None where there are others."},
    {"_columns_of_lines", "(lines, delimiter, mark, /)", typed<columns_of_lines>,
     "The columns of a table of text, lists of str; None where it is not even, or not ASCII."},
};

}  // namespace

std::span<const Native> object_loop_rows() { return kRows; }

}  // namespace gpy::lib
