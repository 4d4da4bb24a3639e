#pragma once
// Functions that list, tuple, str, bytes and range share.

#include <string>
#include <string_view>

#include "src/interpreter.h"

namespace gpy {

// The words for a sequence in messages.
struct SequenceWords {
  const char* indices;       // "list indices must be integers or slices"
  const char* out_of_range;  // "list index out of range"
};

// key as a position in 0..length-1; counts from the end where negative.
int64_t sequence_index(Interpreter& vm, const Value& key, int64_t length,
                       const SequenceWords& words);
// The same if the sequence may change: reading the key may run code of the script, so the length is
// read after that.
using LengthOf = int64_t (*)(Interpreter&, const Value& self);
int64_t sequence_index(Interpreter& vm, const Value& key, const Value& self, LengthOf length_of,
                       const SequenceWords& words);
Slice::Indices slice_indices(Interpreter& vm, const Slice& slice, const Value& self,
                             LengthOf length_of);
// The position of an insertion or search bound, clipped to 0..length.
int64_t clip_bound(Interpreter& vm, const Value& bound, int64_t length);
// Search bounds (start, stop) as positions; None and undefined: the ends.
struct Bounds {
  int64_t start, stop;
};
// The bounds of list.index and tuple.index, which accept no None.
Bounds index_bounds(Interpreter& vm, const Value& start, const Value& stop, int64_t length);
Bounds search_bounds(Interpreter& vm, const Value& start, const Value& stop, int64_t length);

// Compares rows of values item by item; identical items count as equal. `left` and `right` give the
// rows anew at every step, as comparing may change them.
template <class Left, class Right>
Value compare_rows(Interpreter& vm, CompareOp op, Left&& left, Right&& right) {
  bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (equality && left().size() != right().size())
    return Value::boolean(op == CompareOp::not_equal);
  size_t i = 0;
  for (; i < left().size() && i < right().size(); ++i) {
    Value a = left()[i], b = right()[i];
    if (vm.equal(a, b)) continue;
    if (equality) return Value::boolean(op == CompareOp::not_equal);
    return vm.compare(op, a, b);
  }
  return Value::boolean(holds(op, left().size() <=> right().size()));
}

// The result of the other operand's type for sequence + other and sequence * other, if that is no
// sequence itself (an array); undefined when the sequence has to compute it.
Value let_other_answer(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs,
                       const Value& other);
// Fills `to` with `count` copies of the text.
void repeat_bytes(Interpreter& vm, char* to, std::string_view text, size_t count);
// The number of repetitions of a sequence of `length` items, at least 0; an empty one has none.
// TypeError for a non-int, MemoryError if the result could not be held. `too_long`: the message of
// an OverflowError that replaces the latter if the length itself does not fit.
size_t repeat_count(Interpreter& vm, const Value& times, size_t length, size_t item_bytes,
                    const char* too_long = nullptr);
[[noreturn]] void raise_concatenation(Interpreter& vm, const char* name, const Value& other);

// "[1, 2]": each item's repr between the brackets.
std::string repr_items(Interpreter& vm, std::string_view open, std::string_view close,
                       const std::function<bool(size_t, std::string&)>& append_item);

// -1 when absent: the first position in start..stop whose item equals `item`.
template <class Items>
int64_t find_item(Interpreter& vm, Items&& items, const Value& item, int64_t start, int64_t stop) {
  for (int64_t i = start; i < stop && i < static_cast<int64_t>(items().size()); ++i) {
    Value each = items()[static_cast<size_t>(i)];
    if (vm.equal(each, item)) return i;
  }
  return -1;
}

// Whether the destruction of the value that is stored here could run code.
inline bool holds_last_reference(const Value& value) {
  return value.is_object() && value.as_object()->refs == 1;
}

// The next item of a list or tuple iterator; null at the end.
inline const Value* peek_in_row(const SequenceIterator& at) {
  if (const List* list = at.sequence.try_as<List>()) {
    return at.index < list->items.size() ? &list->items[at.index] : nullptr;
  }
  Tuple* tuple = at.sequence.try_as<Tuple>();
  return tuple && at.index < tuple->size ? &(*tuple)[at.index] : nullptr;
}
// The same, and moves behind it.
inline const Value* next_in_row(SequenceIterator& at) {
  const Value* item = peek_in_row(at);
  at.index += item != nullptr;
  return item;
}

// Slots::next of both, which drops the sequence at its end.
Value row_iterator_next(Interpreter& vm, const Value& self);

// The result of iter() for an iterator.
inline Value iterator_itself(Interpreter&, const Value& self) { return self; }

}  // namespace gpy
