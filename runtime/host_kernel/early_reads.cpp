#include "runtime/host_kernel/early_reads.h"

#include <algorithm>
#include <utility>

namespace gpy::rt {

bool EarlyReads::are_of_others(const Thread& running) {
  return std::exchange(running_, running) != running && !reads_.empty();
}

void EarlyReads::add(PlacedFinding finding, const std::byte* at) {
  const bool known = std::ranges::any_of(
      reads_, [&](const Read& each) { return each.finding.where == finding.where; });
  if (!known) reads_.push_back({std::move(finding), at});
}

void EarlyReads::prove(const std::byte* at) {
  std::erase_if(reads_, [&](const Read& each) { return each.at == at; });
}

std::vector<PlacedFinding> EarlyReads::take() {
  std::vector<PlacedFinding> out;
  for (Read& each : std::exchange(reads_, {})) out.push_back(std::move(each.finding));
  return out;
}

}  // namespace gpy::rt
