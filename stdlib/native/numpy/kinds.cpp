#include "stdlib/native/numpy/kinds.h"

#include <algorithm>
#include <cstring>

#include "runtime/graph/make_node.h"
#include "runtime/graph/read_access.h"
#include "runtime/ops/elementwise.h"
#include "runtime/ops/shape.h"
#include "src/array/sequence_objects.h"
#include "src/array/typed_arguments.h"
#include "src/builtins/stands_for.h"
#include "src/memory/pieces.h"
#include "src/objects/utf8.h"
#include "stdlib/native/numpy/kind_arguments.h"
#include "stdlib/native/numpy/support.h"
#include "stdlib/native/text/ascii_rows.h"

namespace gpy::lib {

namespace {

// --- text ----------------------------------------------------------------------------------------
// An element is a row of code points (uint32) or of bytes (uint8), 0 after its end.

int64_t length_of(const Value& text) {
  if (const Str* str = text.try_as<Str>()) return static_cast<int64_t>(str->length);
  return static_cast<int64_t>(text.as<Bytes>()->data.size());
}

void put_text(std::string_view text, std::span<uint32_t> row) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (size_t i = 0; i < row.size(); ++i) row[i] = at < end ? decode_utf8(at, end) : 0;
}

void put_bytes(std::string_view text, std::span<uint8_t> row) {
  const size_t count = std::min(text.size(), row.size());
  std::memcpy(row.data(), text.data(), count);
  std::fill(row.begin() + static_cast<ptrdiff_t>(count), row.end(), 0);
}

// Rows of strs, or of bytes, cut or filled up to the width.
Value text_rows(Interpreter& vm, const Value& list, int64_t width, bool of_bytes) {
  const auto items = listed(vm, list);
  const rt::DType dtype = of_bytes ? rt::DType::kUInt8 : rt::DType::kUInt32;
  const rt::Dims shape{static_cast<int64_t>(items.size()), checked_width(vm, width)};
  InterruptPoll poll(vm);
  auto fill = [&](std::byte* memory) {
    const auto columns = static_cast<size_t>(width);
    for (size_t i = 0; i < items.size(); ++i) {
      poll.step();
      if (of_bytes) {
        put_bytes(items[i].as<Bytes>()->data,
                  {reinterpret_cast<uint8_t*>(memory) + i * columns, columns});
      } else {
        put_text(items[i].as<Str>()->view(),
                 {reinterpret_cast<uint32_t*>(memory) + i * columns, columns});
      }
    }
  };
  return wrap_array(vm, rt::make_filled(session(vm), dtype, shape, rt::Space::host(), fill));
}

Value text_width(Interpreter& vm, const Value& list) {
  int64_t width = 0;
  InterruptPoll poll(vm);
  for (const Value& each : listed(vm, list)) {
    poll.step();
    width = std::max(width, length_of(each));
  }
  return Value::integer(width);
}

Value text_of(Interpreter& vm, TextView<char> text) { return vm.bytes(std::string(text)); }
Value text_of(Interpreter& vm, TextView<char32_t> text) {
  std::string buffer;
  const std::string_view bytes = as_utf8(text, buffer);
  return bytes.size() == text.size() ? Str::make_part(vm, bytes, text.size()) : vm.str(bytes);
}

// The texts of rows, without the zeros after their ends.
Value row_texts(Interpreter& vm, const rt::Array& rows) {
  RowLoop<1, 0> loop(vm, {rows});
  std::vector<Value> texts;
  loop.run([&](auto text) { append_item(vm, texts, text_of(vm, text)); });
  return vm.list(std::move(texts));
}

// --- records -------------------------------------------------------------------------------------

// Raises where so many bytes from a place on do not lie in each of the rows, side by side.
void check_place(Interpreter& vm, const rt::Array& rows, int64_t place, int64_t bytes,
                 int64_t step) {
  const int last = rows.rank() - 1;
  if (last < 0 || rows.item_size() != 1 || (rows.shape()[last] > 1 && rows.strides()[last] != 1)) {
    vm.raise_type_error("fields are read from rows of bytes that lie side by side");
  }
  if (place < 0 || bytes > rows.shape()[last] || place > rows.shape()[last] - bytes) {
    vm.raise_value_error("a field lies beyond the end of its record");
  }
  if (place % step != 0) vm.raise_value_error("a field must lie at a multiple of {}", step);
}

// What lies in rows of bytes from a place on, as a view: `shape` elements of a dtype in each row.
// `base` is what the view tells it is a view of.
Value part_of_rows(Interpreter& vm, const rt::Array& rows, int64_t place, rt::DType dtype,
                   const Shape& shape, const Value& base) {
  const int64_t size = rt::item_size(dtype);
  const int last = rows.rank() - 1;
  check_place(vm, rows, place, rt::element_count(shape, size) * size, size);
  rt::Layout layout = rows.layout();
  layout.dtype = dtype;
  layout.offset += place;
  layout.shape.erase(last);
  layout.strides.erase(last);
  const rt::Dims strides = rt::c_strides(shape.span(), size);
  for (int axis = 0; axis < shape.size(); ++axis) {
    layout.shape.push_back(shape[axis]);
    layout.strides.push_back(strides[axis]);
  }
  rt::Array view = rt::view_memory(session(vm), rows, std::move(layout));
  return vm.make<Ndarray>(arrays(vm).array_type(view.space()), std::move(view), base);
}

// --- lists of text -------------------------------------------------------------------------------

// Walks lists in lists that hold strs alone, or bytes alone, evenly; `even` is false for all
// others.
struct TextLeaves {
  explicit TextLeaves(Interpreter& vm) : poll(vm) {}

  void walk(const Value& value, size_t depth) {
    poll.step();
    const auto items = items_of(value);
    if (!items || depth >= static_cast<size_t>(rt::kMaxRank)) return leaf(value, depth);
    const auto size = static_cast<int64_t>(items->size());
    if (depth == shape.size() && flat.empty()) shape.push_back(size);
    even = even && depth < shape.size() && shape[depth] == size && size > 0;
    for (size_t i = 0; even && i < items->size(); ++i) walk((*items)[i], depth + 1);
  }

  std::vector<Value> flat;
  std::vector<int64_t> shape;
  int64_t width = 0;
  bool of_bytes = false, even = true;

 private:
  void leaf(const Value& value, size_t depth) {
    const bool is_bytes = value.is<Bytes>();
    if (flat.empty()) of_bytes = is_bytes;
    even = even && depth == shape.size() && is_bytes == of_bytes && (is_bytes || value.is<Str>());
    if (!even) return;
    width = std::max(width, length_of(value));
    flat.push_back(value);
  }

  InterruptPoll poll;
};

// (flat list, shape, width, of bytes) of lists that hold text alone; None for all other values.
Value text_leaves(Interpreter& vm, const Value& value) {
  TextLeaves found(vm);
  if (!items_of(value)) return Value::none();
  found.walk(value, 0);
  if (!found.even || found.flat.empty()) return Value::none();
  return vm.tuple({vm.list(std::move(found.flat)), shape_tuple(vm, found.shape),
                   Value::integer(std::max<int64_t>(found.width, 1)),
                   Value::boolean(found.of_bytes)});
}

// text.NAME(*arguments) for each text, with its arguments of each list.
Value each_method(Interpreter& vm, const Value& texts, const Value& name, const Value& lists) {
  const ListItems items(vm, texts);
  std::vector<ListItems> columns;
  for (const Value& each : listed(vm, lists)) columns.emplace_back(vm, each);
  Str* const method = vm.intern(name.as<Str>()->view());
  std::vector<Value> found, arguments(columns.size());
  for (size_t i = 0; i < items.size(); ++i) {
    vm.poll();
    for (size_t k = 0; k < columns.size(); ++k) arguments[k] = columns[k].at(i);
    const Value bound = vm.get_attribute(items.at(i), method);
    found.push_back(
        vm.call(bound, {arguments.data(), static_cast<uint32_t>(arguments.size()), {}}));
  }
  return vm.list(std::move(found));
}

// The items of a list at the places that an array of int64 holds, in its order.
Value gathered(Interpreter& vm, const Value& list, const rt::Array& places) {
  const Int64Values chosen(vm, places);
  const auto items = listed(vm, list);
  const auto size = static_cast<int64_t>(items.size());
  std::vector<Value> found;
  found.reserve(chosen.size());
  InterruptPoll poll(vm);
  for (int64_t at : chosen.all()) {
    poll.step();
    found.push_back(items[static_cast<size_t>(checked_row(vm, at, size))]);
  }
  return vm.list(std::move(found));
}

// --- classes -------------------------------------------------------------------------------------

// Objects of the class count as those of the types, from which it takes no method.
Value stand_for(Interpreter& vm, const Value& cls, const Value& types) {
  cls.as<Type>()->set_attribute(vm.intern(kStandsFor), types);
  return cls;
}

Value raise_no_loop_text(Interpreter& vm, std::string_view message) {
  vm.raise(arrays(vm).ufunc_type_error, message);
}

const Native kRows[] = {
    {"_raise_no_loop", "(message, /)", typed<raise_no_loop_text>, "Raises a UFuncTypeError."},
    {"_text_rows", "(texts, width, of_bytes, /)", typed<text_rows>,
     "A list of texts as rows of code points or bytes."},
    {"_text_width", "(texts, /)", typed<text_width>, "The length of the longest one."},
    {"_part_of_rows", "(rows, place, dtype, shape, base=None, /)", typed<part_of_rows>,
     "What rows of bytes hold from a place on, as a view of another dtype."},
    {"_row_texts", "(rows, /)", typed<row_texts>, "The texts that rows hold, as a list."},
    {"_text_leaves", "(lists, /)", typed<text_leaves>,
     "What lists that hold text alone hold, flat; their shape, the longest text, whether it is "
     "bytes."},
    {"_each_method", "(texts, name, lists, /)", typed<each_method>,
     "The results of a method of each text, with arguments out of lists."},
    {"_gathered", "(list, places, /)", typed<gathered>, "The items of a list at places, flat."},
    {"_stand_for", "(cls, types, /)", typed<stand_for>,
     "Lets isinstance take objects of the class for those of the types, a tuple."},
};

}  // namespace

std::span<const Native> kinds_rows() { return kRows; }

}  // namespace gpy::lib
