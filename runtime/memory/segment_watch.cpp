#include "runtime/memory/segment_watch.h"

namespace gpy::rt {

static thread_local SegmentWatch* this_threads = nullptr;

SegmentWatch::SegmentWatch() noexcept : outer_(this_threads) { this_threads = this; }
SegmentWatch::~SegmentWatch() { this_threads = outer_; }

SegmentWatch* SegmentWatch::current() noexcept { return this_threads; }

}  // namespace gpy::rt
