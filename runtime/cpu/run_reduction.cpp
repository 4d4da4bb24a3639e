#include "runtime/core/error.h"
#include "runtime/cpu/run.h"
namespace gpy::rt {
void run_reduction(ThreadPool&, const Plan&, const Bindings&, std::span<int>) {
  fail(ErrorKind::kNotImplemented, "reductions: not built yet");
}
void run_scan(ThreadPool&, const Plan&, const Bindings&, std::span<int>) {
  fail(ErrorKind::kNotImplemented, "scans: not built yet");
}
}  // namespace gpy::rt
