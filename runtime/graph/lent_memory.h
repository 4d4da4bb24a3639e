#pragma once

// Memory that somebody outside sees: a user's kernel while it runs, a host that lent it (loan.h),
// another library. The rules are the same for all of them:
//
// - The address stays while the memory is lent; a writer inside gpy waits for readers of the old
//   content or sets a copy aside for them, and writes there.
// - Before somebody outside may write, all nodes pending on the old content have run or have a copy
//   of it, and copies in other places are gone.
// - What may have been written outside counts as a new value, as a whole.
// - No fact about the content is kept (facts.h), and its value is not shared.
// - At the end of the loan, handles and nodes that need the content have memory of gpy's own.

#include <variant>

#include "runtime/graph/read_access.h"
#include "runtime/graph/write_access.h"

namespace gpy::rt {

// An array's memory in one place, lent out for reading, or for reading and writing, while it lives.
class LentMemory {
 public:
  enum class Use : uint8_t { kRead, kWrite };
  LentMemory(Session& session, const Array& array, Place place, Use use)
      : access_(use == Use::kWrite
                    ? Access(std::in_place_type<WriteAccess>, session, array, place)
                    : Access(std::in_place_type<ReadAccess>, session, array, place)) {}

  // The address of the array's element 0. It may be written through if the memory is lent for that.
  const void* address() const {
    return std::visit([](const auto& access) -> const void* { return access.data(); }, access_);
  }

 private:
  using Access = std::variant<ReadAccess, WriteAccess>;
  Access access_;
};

// The memory of an array, made ready in `place` and its own, whose address somebody outside has
// from now on and may write to.
Ref<Buffer> lend_for_good(Session& session, const Array& array, Place place);

}  // namespace gpy::rt
