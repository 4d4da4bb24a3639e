#include "src/memory/pieces.h"

namespace gpy {

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
