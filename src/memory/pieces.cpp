#include "src/memory/pieces.h"

namespace gpy {

static void add(std::string& text, std::string_view more) { text += more; }
static void add(std::vector<Value>& row, std::span<const Value> more) {
  row.insert(row.end(), more.begin(), more.end());
}

static void shorten(Interpreter&, std::string& text, size_t length) { text.resize(length); }
static void shorten(Interpreter& vm, std::vector<Value>& row, size_t length) {
  if (length == 0) return destroy_items_backwards(vm, row);
  row.resize(length);
}

// Appends items to a string or vector in pieces.
template <class Row, class Items>
static void append(Interpreter& vm, Row& row, Items more, size_t piece);

template <class Row, class Items>
static void grow_in_pieces(Interpreter& vm, Row& row, size_t more, size_t piece) {
  const size_t most = std::max(row.size() + more, 2 * row.size());
  vm.claim(most, sizeof(*row.data()));
  constexpr size_t kMovedAtOnce = 16;  // pieces, in a few milliseconds
  if (row.size() <= kMovedAtOnce * piece) return row.reserve(most);
  Row grown;
  grown.reserve(most);
  append(vm, grown, Items(row), piece);
  row.swap(grown);
}

template <class Row, class Items>
static void append(Interpreter& vm, Row& row, Items more, size_t piece) {
  const size_t before = row.size();
  if (more.empty()) return;
  if (more.size() > row.capacity() - before) {
    grow_in_pieces<Row, Items>(vm, row, more.size(), piece);
  }
  if (more.size() <= piece) return add(row, more);
  try {
    auto add_part = [&](size_t from, size_t to) { add(row, Items(&more[from], to - from)); };
    in_pieces(vm, more.size(), add_part, piece);
  } catch (...) {
    shorten(vm, row, before);
    throw;
  }
}

void grow(Interpreter& vm, std::string& text, size_t more) {
  grow_in_pieces<std::string, std::string_view>(vm, text, more, kPieceBytes);
}

void grow(Interpreter& vm, std::vector<Value>& row, size_t more) {
  grow_in_pieces<std::vector<Value>, std::span<const Value>>(vm, row, more, kPiece);
}

void append_long(Interpreter& vm, std::string& text, std::string_view more) {
  append(vm, text, more, kPieceBytes);
}

std::string copy_text(Interpreter& vm, std::string_view text) {
  std::string copy;
  append_bytes(vm, copy, text);
  return copy;
}

void append_fill(Interpreter& vm, std::string& text, size_t count, char fill) {
  make_room(vm, text, count);
  in_pieces(
      vm, count, [&](size_t from, size_t to) { text.append(to - from, fill); }, kPieceBytes);
}

void append_items(Interpreter& vm, std::vector<Value>& row, std::span<const Value> items) {
  append(vm, row, items, kPiece);
}

std::vector<Value> copy_items(Interpreter& vm, std::span<const Value> items) {
  std::vector<Value> row;
  append_items(vm, row, items);
  return row;
}

}  // namespace gpy
