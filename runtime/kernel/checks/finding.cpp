#include "runtime/kernel/checks/finding.h"

#include <algorithm>

namespace gpy::rt {

void LaunchChecks::keep(PlacedFinding finding) {
  const bool numbered =
      finding.array >= 0 && names && static_cast<size_t>(finding.array) < names->size();
  if (numbered) finding.name = (*names)[static_cast<size_t>(finding.array)];
  const bool known = std::ranges::any_of(found, [&](const PlacedFinding& each) {
    return each.kind == finding.kind && each.name == finding.name && each.line == finding.line &&
           each.file_name == finding.file_name;
  });
  if (!known && found.size() < kMostFindings) found.push_back(std::move(finding));
}

// FNV-1a, as the text computes it.
uint64_t file_key(std::string_view file) {
  uint64_t key = 0xcbf29ce484222325;
  for (const char c : file) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return key;
}

}  // namespace gpy::rt
