#pragma once

// The name of a changing thing: what views share and writes change. It points to its current value.

#include "runtime/graph/value.h"

namespace gpy::rt {

class Storage final : public RefCounted<Storage, PlainCount> {
 public:
  explicit Storage(Ref<Value> value) : value_(std::move(value)) { value_->add_holder(1); }
  ~Storage() { value_->add_holder(-1); }
  static void destroy(Storage* storage) { delete storage; }

  const Ref<Value>& value() const { return value_; }
  size_t bytes() const { return value_->bytes(); }

  // Only the doors (graph/write.h, pin.h, loan.h) may call these, and borrow_host, whose pin stays.
  void set_value(Ref<Value> value) {
    value->add_holder(1);
    value_->add_holder(-1);
    value_ = std::move(value);
  }
  void add_pin(int change) { pins_ += change; }

  bool pinned() const { return pins_ > 0; }

 private:
  Ref<Value> value_;
  int pins_ = 0;
};

}  // namespace gpy::rt
