#include "src/types/sequence.h"

#include <cstring>

#include "src/classes/class_slots.h"
#include "src/classes/for_classes.h"
#include "src/numbers/number.h"
#include "src/memory/pieces.h"

namespace gpy {

static int64_t read_index(Interpreter& vm, const Value& key, const SequenceWords& words) {
  if (key.is_integer() || key.is_boolean()) return key.as_integer();
  if (!vm.has_index(key)) vm.raise_type_error("{}, not {}", words.indices, vm.type_name(key));
  Value exact = vm.to_index_value(key);
  if (exact.is_integer()) return exact.as_integer();
  vm.raise_index_error("cannot fit '{}' into an index-sized integer", vm.type_name(key));
}

static int64_t checked_index(Interpreter& vm, int64_t index, int64_t length,
                             const SequenceWords& words) {
  if (index < 0) index += length;
  if (index < 0 || index >= length) vm.raise_index_error("{}", words.out_of_range);
  return index;
}

int64_t sequence_index(Interpreter& vm, const Value& key, int64_t length,
                       const SequenceWords& words) {
  return checked_index(vm, read_index(vm, key, words), length, words);
}

int64_t sequence_index(Interpreter& vm, const Value& key, const Value& self, LengthOf length_of,
                       const SequenceWords& words) {
  const int64_t index = read_index(vm, key, words);
  return checked_index(vm, index, length_of(vm, self), words);
}

Slice::Indices slice_indices(Interpreter& vm, const Slice& slice, const Value& self,
                             LengthOf length_of) {
  auto is_plain = [](const Value& bound) { return !bound.is_object(); };
  if (is_plain(slice.start) && is_plain(slice.stop) && is_plain(slice.step)) {
    return slice.indices(vm, length_of(vm, self));
  }
  auto read = [&](const Value& bound) {
    return vm.has_index(bound) ? vm.to_index_value(bound) : bound;
  };
  Value step = read(slice.step), start = read(slice.start), stop = read(slice.stop);
  Value settled = vm.slice(start, stop, step);
  return settled.as<Slice>()->indices(vm, length_of(vm, self));
}

int64_t clip_bound(Interpreter& vm, const Value& bound, int64_t length) {
  Value exact = vm.to_index_value(bound);
  if (!exact.is_integer()) return vm.less(exact, Value::integer(0)) ? 0 : length;
  int64_t index = exact.as_integer();
  if (index < 0) index += length;
  return std::clamp<int64_t>(index, 0, length);
}

Bounds search_bounds(Interpreter& vm, const Value& start, const Value& stop, int64_t length) {
  auto bound = [&](const Value& v, int64_t missing) {
    if (v.is_undefined() || v.is_none()) return missing;
    if (!vm.has_index(v)) {
      vm.raise_type_error("slice indices must be integers or None or have an __index__ method");
    }
    return clip_bound(vm, v, length);
  };
  return {bound(start, 0), bound(stop, length)};
}

Bounds index_bounds(Interpreter& vm, const Value& start, const Value& stop, int64_t length) {
  for (const Value& bound : {start, stop}) {
    if (bound.is_undefined() || vm.has_index(bound)) continue;
    vm.raise_type_error("slice indices must be integers or have an __index__ method");
  }
  return search_bounds(vm, start, stop, length);
}

// Whether a type has the operators of the builtin sequences, which would ask back endlessly.
static bool is_of_sequence(const Type* type) {
  const Types& t = type->vm->types;
  const auto slot = type->slots.binary;
  return slot == t.list->slots.binary || slot == t.tuple->slots.binary ||
         slot == t.str->slots.binary || slot == t.bytes->slots.binary;
}

Value let_other_answer(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs,
                       const Value& other) {
  if (!other.is_object()) return Value();
  Type* type = other.as_object()->type;
  auto slot = type->slots.binary;
  if (!slot || is_of_sequence(type)) return Value();
  // A class over arrays has their operators.
  const bool by_method = type->is_class && !for_classes(native_base(type));
  Value answer =
      by_method ? answer_by_method(vm, op, lhs, rhs, other.same(rhs)) : slot(vm, op, lhs, rhs);
  return answer.is_not_implemented() ? Value() : answer;
}

size_t repeat_count(Interpreter& vm, const Value& times, size_t length, size_t item_bytes,
                    const char* too_long) {
  if (!vm.has_index(times)) {
    vm.raise_type_error("can't multiply sequence by non-int of type '{}'", vm.type_name(times));
  }
  Value exact = vm.to_index_value(times);
  if (!exact.is_integer()) {
    vm.raise_overflow_error("cannot fit '{}' into an index-sized integer", vm.type_name(times));
  }
  auto count = static_cast<size_t>(std::max<int64_t>(exact.as_integer(), 0));
  int64_t total;
  if (__builtin_mul_overflow(count, length, &total)) {
    if (too_long) vm.raise_overflow_error("{}", too_long);
    vm.raise(vm.types.memory_error, "");
  }
  vm.claim(static_cast<size_t>(total), item_bytes);
  return length == 0 ? 0 : count;
}

void repeat_bytes(Interpreter& vm, char* to, std::string_view text, size_t count) {
  if (text.empty() || count == 0) return;
  size_t total = text.size() * count, done = text.size();
  copy_bytes(vm, to, text.data(), done);
  while (done < total) {
    // Continues with the bytes that stand one text after its start.
    const size_t at = done % text.size();
    const size_t more = std::min({done - at, total - done, kPieceBytes});
    std::memcpy(to + done, to + at, more);
    done += more;
    vm.poll();
  }
}

void raise_concatenation(Interpreter& vm, const char* name, const Value& other) {
  vm.raise_type_error("can only concatenate {} (not \"{}\") to {}", name, vm.type_name(other),
                      name);
}

std::string repr_items(Interpreter& vm, std::string_view open, std::string_view close,
                       const std::function<bool(size_t, std::string&)>& append_item) {
  vm.check_stack();
  std::string text(open);
  for (size_t i = 0;; ++i) {
    size_t before = text.size();
    if (i > 0) text += ", ";
    if (!append_item(i, text)) {
      text.resize(before);
      break;
    }
  }
  return text += close;
}

Value row_iterator_next(Interpreter&, const Value& self) {
  auto& at = *self.as<SequenceIterator>();
  if (const Value* item = next_in_row(at)) return *item;
  at.sequence = Value();
  return Value();
}

}  // namespace gpy
