#include "runtime/kernel/checks/checked_kernel.h"

#include <cstring>

#include "runtime/graph/recording.h"
#include "runtime/kernel/checks/check_report.h"
#include "runtime/memory/raw_memory.h"

namespace gpy::rt {
namespace {

// The first byte that an array reaches, and how many there are from it to the last one.
std::pair<uint64_t, int64_t> reach_of(const Array& array, const void* address) {
  const auto [low, high] = byte_range(array.layout());
  const auto at = reinterpret_cast<uint64_t>(address);
  return {at + static_cast<uint64_t>(low - array.layout().offset), high - low};
}

// What is the same already may be constant memory of the host.
void copy_variable(Backend& backend, const GlobalVariable& to, const GlobalVariable& from) {
  if (backend.is_host() && std::memcmp(to.address, from.address, to.bytes) == 0) return;
  backend.raw_memory().copy(to.address, from.address, to.bytes);
}

}  // namespace

bool checks_launches(Session& session, Space space) {
  return session.kernel_checks.at(session.place_of(space)) && !recording_queue(session, space);
}

CheckedLaunch::CheckedLaunch(const Session& session, std::shared_ptr<CheckedKernel> kernel)
    : kernel_(std::move(kernel)) {
  checks_.nan = session.kernel_checks.nan;
  checks_.names = kernel_->names;
}

void CheckedLaunch::lend(const std::string& name, const Array& array, const void* address) {
  const auto [first, bytes] = reach_of(array, address);
  checks_.memory.push_back({name, reinterpret_cast<const std::byte*>(first), bytes, array.dtype()});
}

void CheckedLaunch::lend(const std::string& name, Block block, DType dtype) {
  checks_.memory.push_back({name, reinterpret_cast<const std::byte*>(block.first),
                            static_cast<int64_t>(block.second), dtype});
}

bool CheckedLaunch::make_pointer(size_t i, const void* address, const Array& array,
                                 CheckedPointer& out) const {
  const auto [first, bytes] = reach_of(array, address);
  return make_pointer(i, address, Block{first, bytes}, out);
}

bool CheckedLaunch::make_pointer(size_t i, const void* address, Block block,
                                 CheckedPointer& out) const {
  const int number = i < kernel_->parameters.size() ? kernel_->parameters[i] : -1;
  if (number < 0) return false;
  out = {address, block.first, block.first + block.second, number, 0, nullptr};
  if (block.first == 0 && address) out.high = UINT64_MAX;
  return true;
}

void CheckedLaunch::bring_variables(Backend& backend) const {
  if (!kernel_->variables.empty()) backend.synchronize();
  for (const VariablePair& each : kernel_->variables)
    copy_variable(backend, each.checked, each.plain);
}

void CheckedLaunch::return_variables(Backend& backend) const {
  if (!kernel_->variables.empty()) backend.synchronize();
  for (const VariablePair& each : kernel_->variables)
    copy_variable(backend, each.plain, each.checked);
}

void CheckedLaunch::report(const std::string& kernel) {
  report_findings(kernel, checks_, kernel_->told);
}

}  // namespace gpy::rt
