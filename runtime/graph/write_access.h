#pragma once

// The only access to bytes of a storage for writing. A writer gets the content for itself first:
// readers of the old content have run or read a copy, and facts about the old content are dropped.

#include <span>

#include "runtime/session.h"

namespace gpy::rt {

class Node;

class WriteAccess {
 public:
  // Makes the content ready in `place` and detaches everybody else: pending readers run, or get a
  // copy set aside, whichever moves fewer bytes; other holders of the value keep a copy; copies in
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

  // The start of the memory where nothing has to be run, copied or dropped for that: only the host
  // has the content, nobody else needs it, and the target is writeable. Null for all others. Valid
  // for writing until anything else is done with the storage.
  static std::byte* try_memory(const Array& target);

  // The memory of a ready value, for work that reads it for the last time and may write it: only
  // `reads` inputs of that work have the value, which is nowhere else, in memory of the device's
  // own that no other value has. Null for all others.
  static Ref<Buffer> try_memory_of_last_use(Session& session, Value& value, Place place, int reads);

 private:
  Ref<Storage> storage_;
  Ref<Value> next_;  // the value that the storage holds afterwards
  std::byte* memory_ = nullptr;
  int64_t offset_ = 0;
  Place place_ = kHostPlace;
};

// Copies a ready content that other storages have as well: the array's storage has it alone.
void own_content(Session& session, const Array& array);

}  // namespace gpy::rt
