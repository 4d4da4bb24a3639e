#include "src/objects/containers.h"

#include <algorithm>

#include "src/interpreter.h"
#include "src/memory/pieces.h"

namespace gpy {

List::~List() { destroy_items_backwards(*type->vm, items); }

// Whether an item cannot refer back to the tuple, so that it cannot be part of a cycle.
static bool is_leaf(const Value& item) {
  return !item.is_object() || !item.as_object()->type->slots.traverse;
}

// A long tuple has size 0 until all of its items are made.
void Tuple::make_items(Interpreter& vm, Ref<Tuple>& tuple) {
  const size_t size = std::exchange(tuple->size, 0);
  try {
    in_pieces(vm, size, [&](size_t from, size_t to) {
      for (size_t i = from; i < to; ++i) new (tuple->data() + i) Value();
    });
  } catch (...) {
    free(vm, tuple.detach(), size);
    throw;
  }
  tuple->size = size;
}

Ref<Tuple> Tuple::make_uninitialised(Interpreter& vm, size_t size, bool tracked) {
  vm.claim(size, sizeof(Value));
  void* block = vm.heap.allocate(block_bytes(size), tracked);
  Ref<Tuple> tuple(new (block) Tuple(vm.types.tuple, size));
  if (size > kPiece) {
    make_items(vm, tuple);
  } else {
    for (size_t i = 0; i < size; ++i) new (tuple->data() + i) Value();
  }
  return tuple;
}

Ref<Tuple> Tuple::make(Interpreter& vm, std::span<const Value> items) {
  bool tracked = false;
  in_pieces(vm, items.size(), [&](size_t from, size_t to) {
    tracked = tracked || !std::all_of(items.begin() + from, items.begin() + to, is_leaf);
  });
  Ref<Tuple> tuple = make_uninitialised(vm, items.size(), tracked);
  in_pieces(vm, items.size(), [&](size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) (*tuple)[i] = items[i];
  });
  return tuple;
}

// Destroys items from the last to the first, as lists do.
class Tuple::Rest : public Remains {
 public:
  Rest(Interpreter& vm, Tuple* tuple) : vm_(vm), tuple_(tuple), left_(tuple->size) {}
  bool end_part() noexcept override {
    for (size_t part = std::min(kPart, left_); part > 0; --part) (*tuple_)[--left_] = Value();
    if (left_ == 0) Tuple::free(vm_, tuple_, tuple_->size);
    return left_ == 0;
  }

 private:
  Interpreter& vm_;  // the tuple's type may be destroyed before it
  Tuple* tuple_;
  size_t left_;
};

void Tuple::free(Interpreter& vm, Tuple* tuple, size_t size) noexcept {
  tuple->~Tuple();
  vm.heap.free(tuple, block_bytes(size));
}

void Tuple::destroy(Object* self) {
  auto* tuple = static_cast<Tuple*>(self);
  Interpreter& vm = *tuple->type->vm;
  if (tuple->size > Remains::kPart && try_destroy_in_parts<Rest>(vm, vm, tuple)) return;
  for (size_t i = tuple->size; i-- > 0;) (*tuple)[i].~Value();
  free(vm, tuple, tuple->size);
}

static int64_t range_length(int64_t start, int64_t stop, int64_t step) {
  auto distance = [](int64_t from, int64_t to) {
    return static_cast<uint64_t>(to) - static_cast<uint64_t>(from);
  };
  if (step > 0 && start < stop) {
    return static_cast<int64_t>((distance(start, stop) - 1) / static_cast<uint64_t>(step) + 1);
  }
  if (step < 0 && start > stop) {
    uint64_t stride = 0 - static_cast<uint64_t>(step);
    return static_cast<int64_t>((distance(stop, start) - 1) / stride + 1);
  }
  return 0;
}

Range::Range(Type* type, int64_t start, int64_t stop, int64_t step)
    : Object(type), start(start), stop(stop), step(step), length(range_length(start, stop, step)) {}

// A slice bound as an index, saturating; `missing` for None.
static int64_t bound(Interpreter& vm, const Value& value, int64_t missing) {
  if (value.is_integer() || value.is_boolean()) return value.as_integer();
  if (value.is_none()) return missing;
  if (!vm.has_index(value)) {
    vm.raise_type_error("slice indices must be integers or None or have an __index__ method");
  }
  Value index = vm.to_index_value(value);
  if (index.is_integer()) return index.as_integer();
  return vm.less(index, Value::integer(0)) ? INT64_MIN : INT64_MAX;
}

static int64_t clip(int64_t index, int64_t length, int64_t lowest, int64_t highest) {
  if (index < 0) index += length;
  if (index < lowest) return lowest;
  return index > highest ? highest : index;
}

Slice::Indices Slice::indices(Interpreter& vm, int64_t length) const {
  int64_t by = bound(vm, step, 1);
  if (by == 0) vm.raise_value_error("slice step cannot be zero");
  if (by < -INT64_MAX) by = -INT64_MAX;
  bool down = by < 0;
  int64_t lowest = down ? -1 : 0;
  int64_t highest = down ? length - 1 : length;
  int64_t from = start.is_none() ? (down ? highest : lowest)
                                 : clip(bound(vm, start, 0), length, lowest, highest);
  int64_t to = stop.is_none() ? (down ? lowest : highest)
                              : clip(bound(vm, stop, 0), length, lowest, highest);
  return {from, to, by, range_length(from, to, by)};
}

}  // namespace gpy
