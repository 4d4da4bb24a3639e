#pragma once

// The content that views share and writes change. It points to its current value.

#include "runtime/graph/value.h"

namespace gpy::rt {

class Storage final : public RefCounted<Storage, PlainCount>, public Recycled<Storage> {
 public:
  explicit Storage(Ref<Value> value) : value_(std::move(value)) { value_->add_holder(1); }
  ~Storage() { value_->add_holder(-1); }
  static void destroy(Storage* storage) { delete storage; }

  const Ref<Value>& value() const { return value_; }
  size_t bytes() const { return value_->bytes(); }

  // Only the doors call the following: graph/write.h, write_access.h, read_access.h, loan.h,
  // lent_memory.h.
  void set_value(Ref<Value> value) {
    value->add_holder(1);
    value_->add_holder(-1);
    value_ = std::move(value);
  }
  // The memory in `place` becomes the memory of `next`, the content from here on.
  void move_memory(Place place, Ref<Value> next) { move_memory(place, std::move(next), {}, place); }
  // The same; holders of the old value read `copy`, in `copy_place`.
  void move_memory(Place place, Ref<Value> next, Ref<Buffer> copy, Place copy_place) {
    next->copies_[place] = value_->take(place);
    next->captured_ = std::exchange(value_->captured_, false);
    if (copy) value_->add_copy(copy_place, std::move(copy));
    set_value(std::move(next));
  }
  void lend() { ++lent_; }
  Ref<Buffer> lend_memory(Place place) {
    lend();
    return value_->copies_[place];
  }
  void take_back() { --lent_; }

  // Somebody outside has the address, or a graph has: graph/lent_memory.h.
  bool lent() const { return lent_ > 0 || value_->captured(); }

 private:
  Ref<Value> value_;
  int64_t lent_ = 0;
};

}  // namespace gpy::rt
