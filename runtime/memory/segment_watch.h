#pragma once

#include <cstddef>

namespace gpy::rt {

// Is told, while it lives, of the segments that pools take for blocks of this thread.
class SegmentWatch {
 public:
  SegmentWatch() noexcept;
  virtual ~SegmentWatch();
  SegmentWatch(const SegmentWatch&) = delete;
  SegmentWatch& operator=(const SegmentWatch&) = delete;

  // Both may throw: the segment is not taken, or goes back. `segment` is null where there was none.
  virtual void before_segment(size_t bytes) = 0;
  virtual void after_segment(size_t bytes, const void* segment) = 0;

  // The innermost one, or null.
  static SegmentWatch* current() noexcept;

 private:
  SegmentWatch* const outer_;
};

}  // namespace gpy::rt
