#pragma once

// The only way to bytes of a storage that may be written. Whoever writes gets the content for
// itself first: what reads the old content has run or reads a copy, and nothing that was found out
// about the old content is believed of the new one.

#include <span>

#include "runtime/session.h"

namespace gpy::rt {

class Node;

class WriteAccess {
 public:
  // Makes the content ready in `place` and frees it of everybody else: pending readers run, or get
  // a copy set aside, whichever moves fewer bytes; who holds the value keeps a copy; copies in
  // other places are dropped. `own`: readers that are part of what will be written, which read each
  // element before it is written. The memory of a lent storage stays where it is.
  WriteAccess(Session& session, const Array& target, Place place,
              std::span<const Node* const> own = {});
  // The content is a new value from here on, also if the writer failed: it may have written before.
  ~WriteAccess();
  WriteAccess(const WriteAccess&) = delete;
  WriteAccess& operator=(const WriteAccess&) = delete;
  WriteAccess(WriteAccess&&) noexcept = default;

  // The start of the storage's memory, and the address of the target's element 0.
  std::byte* memory() const { return memory_; }
  std::byte* data() const { return memory_ + offset_; }

  // The start of the memory where nothing has to be run, copied or dropped for that: the host alone
  // has the content, nobody else wants it, and the target is writeable. Null for all others. Good
  // for writing until anything else is done with the storage.
  static std::byte* try_memory(const Array& target);

 private:
  Ref<Storage> storage_;
  Ref<Value> next_;  // what the storage holds after it
  std::byte* memory_ = nullptr;
  int64_t offset_ = 0;
  Place place_ = kHostPlace;
};

}  // namespace gpy::rt
