#pragma once

// Known facts about the elements of an array, remembered until they are written: an index array
// that is used again pays once for being checked.

#include <optional>
#include <utility>

#include "runtime/core/array.h"

namespace gpy::rt {

// A fact is about all bytes of a value, read as one dtype. So it is read and kept only through an
// array that covers each of them once, whose memory nobody outside writes.
class Facts {
 public:
  explicit Facts(const Array& array);

  // Bounds of all elements, which need not be elements themselves.
  std::optional<std::pair<int64_t, int64_t>> range() const;
  void remember_range(std::pair<int64_t, int64_t> range);

  // True if the elements are known to be distinct.
  bool distinct() const;
  void remember_distinct();

  // True if no element is known to be less than the one before.
  bool rising() const;
  void remember_rising();

  // A number that no other content has had or will have; 0 where nothing may be known.
  uint64_t content();

 private:
  void know_as_dtype();

  Value* value_;  // null where nothing may be known
  DType dtype_;
};

}  // namespace gpy::rt
