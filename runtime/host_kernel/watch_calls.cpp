// What the objects of checked kernels call: it goes to the watch of the launch that runs.

#include "runtime/host_kernel/guarded_run.h"
#include "runtime/host_kernel/launch_watch.h"

namespace gpy::rt {
namespace {

template <class F> void with_watch(F&& act) {
  GuardedRun* const run = GuardedRun::current();
  if (run && run->watch()) act(*run, *run->watch());
}

}  // namespace

void note_finding(const Finding* finding) {
  with_watch(
      [&](const GuardedRun& run, LaunchWatch& watch) { watch.found(*finding, run.position()); });
}

void note_touch(const Touch* touch) {
  const void* const frame = __builtin_frame_address(0);
  with_watch([&](const GuardedRun& run, LaunchWatch& watch) { watch.touched(run, *touch, frame); });
}

void note_event(const BlockEvent* event) {
  with_watch([&](const GuardedRun& run, LaunchWatch& watch) { watch.came(run, *event); });
}

void note_shared(const SharedArray* array) {
  with_watch([&](const GuardedRun&, LaunchWatch& watch) { watch.declared(*array); });
}

}  // namespace gpy::rt
