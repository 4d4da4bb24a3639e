#pragma once

// Bytes of an array that may be read; write_access.h has those that may be written.

#include "runtime/session.h"

namespace gpy::rt {

// The content in one place. While it lives the address stays the same, and what is written to the
// array through the doors is seen there.
class ReadAccess {
 public:
  ReadAccess(Session& session, const Array& array, Place place);
  ~ReadAccess();
  ReadAccess(const ReadAccess&) = delete;
  ReadAccess& operator=(const ReadAccess&) = delete;
  ReadAccess(ReadAccess&&) noexcept = default;

  // The address of the array's element 0.
  const std::byte* data() const { return data_; }

 private:
  Ref<Storage> storage_;
  const std::byte* data_ = nullptr;
};

// The content of an array where the host can read it. Keeps the memory alive; the content stays
// what it was even if the array is written meanwhile.
class HostRead {
 public:
  HostRead(Session& session, const Array& array);
  ~HostRead();
  HostRead(const HostRead&) = delete;
  HostRead& operator=(const HostRead&) = delete;

  // The address of element 0, looked up each time: writes to lent memory move the old content.
  const std::byte* data() const {
    return static_cast<const std::byte*>(value_->at(kHostPlace)->data()) + offset_;
  }

 private:
  Ref<Value> value_;
  int64_t offset_;
};

}  // namespace gpy::rt
