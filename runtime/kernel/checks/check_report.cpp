#include "runtime/kernel/checks/check_report.h"

#include <fmt/format.h>

#include "runtime/core/error.h"
#include "runtime/core/notes.h"

namespace gpy::rt {
namespace {

using Kind = Finding::Kind;

std::string point(const uint32_t (&at)[3]) {
  return fmt::format("({}, {}, {})", at[0], at[1], at[2]);
}

std::string place(const PlacedFinding& finding) {
  if (finding.file_name.empty() && finding.line <= 0) return "line not known";
  if (finding.file_name.empty()) return fmt::format("line {}", finding.line);
  return fmt::format("{}:{}", finding.file_name, finding.line);
}

std::string thread(const PlacedFinding& finding) {
  if (finding.element >= 0) return fmt::format("element {}", finding.element);
  return fmt::format("block {}, thread {}", point(finding.block), point(finding.thread));
}

std::string what(const PlacedFinding& finding) {
  const bool is_variable = finding.index < 0 && (finding.kind == Kind::kUninitialised ||
                                                 finding.kind == Kind::kSharedRace);
  const std::string item =
      is_variable ? finding.name : fmt::format("{}[{}]", finding.name, finding.index);
  switch (finding.kind) {
    case Kind::kOutside:
      if (finding.detail > 0) {
        return fmt::format("index {} is out of bounds for axis {} of '{}' with size {}",
                           finding.index, finding.detail - 1, finding.name, finding.extent);
      }
      return fmt::format("{} is out of bounds: '{}' has {} element{}", item, finding.name,
                         finding.extent, finding.extent == 1 ? "" : "s");
    case Kind::kNull:
      return fmt::format("{} is read or written, but '{}' is a null pointer", item, finding.name);
    case Kind::kMisaligned:
      return fmt::format("'{}' is used at an address that is no multiple of {}", finding.name,
                         finding.extent);
    case Kind::kUninitialised:
      return fmt::format("{} of shared memory is read before it is written", item);
    case Kind::kSharedRace:
      return fmt::format("{} of shared memory is used by thread {} too, with no barrier between",
                         item, point(finding.other));
    case Kind::kGlobalRace:
      return fmt::format(
          "{} is used by {} too, and one of the two writes it: nothing says which comes first",
          item,
          finding.other_element >= 0
              ? fmt::format("element {}", finding.other_element)
              : fmt::format("block {}, thread {}", point(finding.other_block),
                            point(finding.other)));
    case Kind::kDivergent:
      return finding.detail > 0
                 ? fmt::format("waits at a barrier, and thread {} at another one, line {}",
                               point(finding.other), finding.detail)
                 : fmt::format("waits at a barrier that thread {} does not come to",
                               point(finding.other));
    case Kind::kNan: return fmt::format("{} becomes NaN", item);
    case Kind::kHandedOn: break;
  }
  return "";
}

std::string described(const PlacedFinding& finding) {
  return fmt::format("{} ({}, {})", what(finding), place(finding), thread(finding));
}

}  // namespace

void report_findings(const std::string& kernel, const LaunchChecks& checks, ToldArrays& told) {
  std::string message;
  for (const PlacedFinding& each : checks.found) {
    if (each.kind == Kind::kHandedOn) {
      if (told.insert(each.array).second) {
        note_warning(
            fmt::format("kernel '{}': accesses by what '{}' is converted to are not checked "
                        "({})",
                        kernel, each.name, place(each)));
      }
      continue;
    }
    message += message.empty() ? fmt::format("kernel '{}': ", kernel) : "\n  and ";
    message += described(each);
  }
  if (!message.empty()) fail(ErrorKind::kCheck, "{}", message);
}

}  // namespace gpy::rt
