#pragma once

// The third door: memory that somebody outside can see or write. While a storage is pinned its
// address does not change; if it may be written, nothing older that is pending reads it and no copy
// of it elsewhere is trusted.

#include "runtime/session.h"

namespace gpy::rt {

class Pin {
 public:
  // Makes the storage's content ready in `place`. `for_writing`: runs everything pending that reads
  // it, makes it the storage's alone, drops the copies in other places, and counts the content as
  // changed, as a whole, when the pin ends.
  Pin(Session& session, const Array& array, Place place, bool for_writing);
  ~Pin();
  Pin(const Pin&) = delete;
  Pin& operator=(const Pin&) = delete;
  Pin(Pin&& other) noexcept;

  // The address of the array's element 0.
  std::byte* data() const { return data_; }

 private:
  Ref<Storage> storage_;
  Ref<Value> next_;  // what the storage holds when a pin for writing has ended
  std::byte* data_ = nullptr;
  Place place_ = kHostPlace;
  bool for_writing_ = false;
};

// The content of an array where the host can read it. Keeps the memory alive; the content stays
// what it was even if the array is written meanwhile.
class HostRead {
 public:
  HostRead(Session& session, const Array& array);
  ~HostRead();
  HostRead(const HostRead&) = delete;
  HostRead& operator=(const HostRead&) = delete;

  // Of element 0. Looked up each time: where pinned memory is written the old content moves.
  const std::byte* data() const {
    return static_cast<const std::byte*>(value_->at(kHostPlace)->data()) + offset_;
  }

 private:
  Ref<Value> value_;
  int64_t offset_;
};

}  // namespace gpy::rt
