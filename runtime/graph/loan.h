#pragma once

// Host memory that somebody else owns, as an array, until it is asked back. While it is lent both
// sides see each other's writes.

#include <functional>

#include "runtime/session.h"

namespace gpy::rt {

// Memory of the host that somebody else owns, not copied: `release` runs when nothing needs it.
Array borrow_host(Session& session, Layout layout, void* data, int64_t bytes, bool writeable,
                  std::function<void()> release);

class Loan {
 public:
  // `data` is the address of element 0; strides (bytes) may be negative. The session outlives the
  // loan. Throws kValue for null data of elements, strides between elements, and too many bytes.
  Loan(Session& session, DType dtype, const Dims& shape, const Dims& strides, void* data,
       bool writeable);
  ~Loan();  // ends it; where there is no memory for a copy, reading the content raises kMemory
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;

  const Array& array() const { return array_; }

  // Prepares for writes by the owner: pending readers of the old content run, and copies of it on
  // other devices are dropped.
  void settle();
  // The same without computing anything, where that failed or there is no time for it: pending
  // nodes read a copy from now on, and fail when they run if there was no memory for one. Where
  // there is no memory at all the loan ends.
  void detach() noexcept;
  // Ends the loan: the memory is not touched after this. Arrays and nodes that still need the
  // content get a copy; without memory for it kMemory is thrown, and the loan goes on.
  void end();

 private:
  void give_up() noexcept;
  void make_spare();

  Session& session_;
  Array array_;
  Ref<Value> spare_;  // for detach, which may run where memory is short
};

}  // namespace gpy::rt
