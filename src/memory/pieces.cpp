#include "src/memory/pieces.h"

namespace gpy {

static void add(std::string& text, std::string_view more) { text += more; }
static void add(std::vector<Value>& row, std::span<const Value> more) {
  row.insert(row.end(), more.begin(), more.end());
}

static void shorten(Interpreter&, std::string& text, size_t length) { text.resize(length); }
static void shorten(Interpreter& vm, std::vector<Value>& row, size_t length) {
  if (length == 0) return let_go_backwards(vm, row);
  row.resize(length);
}

// As a string or vector grows by itself, but what it holds is moved in pieces.
template <class Row, class Items>
static void append(Interpreter& vm, Row& row, Items more, size_t piece) {
  const size_t before = row.size(), after = before + more.size();
  if (more.empty()) return;
  if (after <= piece) return add(row, more);
  if (row.capacity() < after) {
    Row grown;
    grown.reserve(std::max(after, 2 * before));
    append(vm, grown, Items(row), piece);
    append(vm, grown, more, piece);
    row.swap(grown);
    return;
  }
  try {
    auto add_part = [&](size_t from, size_t to) { add(row, Items(&more[from], to - from)); };
    in_pieces(vm, more.size(), add_part, piece);
  } catch (...) {
    shorten(vm, row, before);
    throw;
  }
}

void append_bytes(Interpreter& vm, std::string& text, std::string_view more) {
  append(vm, text, more, kPieceBytes);
}

std::string copy_text(Interpreter& vm, std::string_view text) {
  std::string copy;
  append_bytes(vm, copy, text);
  return copy;
}

void append_fill(Interpreter& vm, std::string& text, size_t count, char fill) {
  in_pieces(
      vm, count, [&](size_t from, size_t to) { text.append(to - from, fill); }, kPieceBytes);
}

void append_items(Interpreter& vm, std::vector<Value>& row, std::span<const Value> items) {
  append(vm, row, items, kPiece);
}

std::vector<Value> copy_items(Interpreter& vm, std::span<const Value> items) {
  std::vector<Value> row;
  row.reserve(items.size());
  append_items(vm, row, items);
  return row;
}

}  // namespace gpy
