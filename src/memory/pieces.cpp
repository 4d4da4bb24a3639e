#include "src/memory/pieces.h"

namespace gpy {

void append_bytes(Interpreter& vm, std::string& text, std::string_view more) {
  const size_t before = text.size();
  if (before + more.size() <= kPieceBytes) {
    text += more;
    return;
  }
  if (text.capacity() - before < more.size()) {
    // As a string grows, but in pieces.
    std::string grown;
    grown.reserve(std::max(before + more.size(), before ? 2 * before : 0));
    append_bytes(vm, grown, text);
    append_bytes(vm, grown, more);
    text.swap(grown);
    return;
  }
  try {
    in_pieces(
        vm, more.size(), [&](size_t from, size_t to) { text.append(more.substr(from, to - from)); },
        kPieceBytes);
  } catch (...) {
    text.resize(before);
    throw;
  }
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
  const size_t before = row.size();
  if (before + items.size() <= kPiece) {
    row.insert(row.end(), items.begin(), items.end());
    return;
  }
  if (row.capacity() - before < items.size()) {
    // As a vector grows, but in pieces.
    std::vector<Value> grown;
    grown.reserve(std::max(before + items.size(), 2 * before));
    append_items(vm, grown, row);
    append_items(vm, grown, items);
    row.swap(grown);
    return;
  }
  try {
    in_pieces(vm, items.size(), [&](size_t from, size_t to) {
      row.insert(row.end(), items.begin() + from, items.begin() + to);
    });
  } catch (...) {
    row.resize(before);
    throw;
  }
}

std::vector<Value> copy_items(Interpreter& vm, std::span<const Value> items) {
  std::vector<Value> row;
  row.reserve(items.size());
  append_items(vm, row, items);
  return row;
}

}  // namespace gpy
