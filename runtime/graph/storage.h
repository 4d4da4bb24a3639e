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

  // Only the doors call the following: graph/write.h, write_access.h, read_access.h, loan.h.
  void set_value(Ref<Value> value) {
    value->add_holder(1);
    value_->add_holder(-1);
    value_ = std::move(value);
  }
  // The memory in `place` becomes the memory of `next`, the content from here on. Holders of the
  // old value read `copy`.
  void move_memory(Place place, Ref<Value> next, Ref<Buffer> copy = {}) {
    next->copies_[place] = std::exchange(value_->copies_[place], std::move(copy));
    set_value(std::move(next));
  }
  void lend() { ++lent_; }
  void take_back() { --lent_; }

  // Somebody outside has the address: graph/lent_memory.h.
  bool lent() const { return lent_ > 0; }

 private:
  Ref<Value> value_;
  int lent_ = 0;
};

}  // namespace gpy::rt
