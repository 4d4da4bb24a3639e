#include "runtime/host_kernel/meeting_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace gpy::rt {
namespace {

constexpr std::string_view kEntry = "_gpy_enter_";
constexpr std::string_view kSwitch = ".Lgpy_switch";
constexpr std::string_view kSwitchAtEnd = ".Lgpy_switch_at_end";

struct Function {
  std::set<std::string_view> calls;
  bool meets = false;
  bool calls_unknown = false;
};

// The shim's own functions: what they call by address is gpy, or the C++ library. Kernels may be a
// part of _gpy_fiber_run's.
bool is_shims(std::string_view symbol) {
  if (!symbol.starts_with("_Z")) return false;
  const size_t digits = symbol.find_first_of("0123456789");
  const size_t start = symbol.find_first_not_of("0123456789", digits);
  if (start == symbol.npos) return false;
  const std::string_view name = symbol.substr(start);
  return name.starts_with("_gpy_") && !name.starts_with("_gpy_fiber_run");
}

// Parts of a function that the compiler has put elsewhere count as its own.
std::string_view whole_function(std::string_view symbol) {
  const size_t cold = symbol.find(".cold");
  return symbol.substr(0, cold);
}

class Reader {
 public:
  void read(std::string_view line) {
    if (line.empty()) return;
    if (line.ends_with("#APP") || line.ends_with("#NO_APP")) in_statement_ = line.ends_with("#APP");
    if (line[0] != '\t' && line[0] != ' ') return read_label(line);
    const size_t start = std::min(line.find_first_not_of(" \t"), line.size());
    const size_t end = std::min(line.find_first_of(" \t", start), line.size());
    const size_t operand = line.find_first_not_of(" \t", end);
    if (operand != line.npos)
      read_instruction(line.substr(start, end - start), line.substr(operand));
  }
  const std::map<std::string_view, Function>& functions() const { return functions_; }

 private:
  void read_label(std::string_view line) {
    const std::string_view label = line.substr(0, line.find(':'));
    if (label.starts_with(kSwitchAtEnd)) at_end_ = true;
    else if (label.starts_with(kSwitch)) current().meets = true;
    else if (!in_statement_ && !label.starts_with('.') && !label.starts_with('#') &&
             label.size() != line.size() && !(label[0] >= '0' && label[0] <= '9'))
      name_ = whole_function(label);
  }

  void read_instruction(std::string_view operation, std::string_view operand) {
    const bool call = operation.starts_with("call");
    if (!call && operation != "jmp" && operation != "notrack") return;
    const bool ends = std::exchange(at_end_, false);
    if (operand.find('*') != operand.npos) {
      const bool to_host = operand.find("_gpy_host") != operand.npos;
      current().calls_unknown |= !to_host && !ends && !is_shims(name_);
      return;
    }
    if (operand[0] != '.')
      current().calls.insert(whole_function(operand.substr(0, operand.find('@'))));
  }

  Function& current() { return functions_[name_]; }

  std::map<std::string_view, Function> functions_;
  std::string_view name_;
  bool at_end_ = false;
  bool in_statement_ = false;  // of assembly: its labels are no functions
};

bool reaches_meeting(const std::map<std::string_view, Function>& functions, std::string_view from,
                     std::set<std::string_view>& seen) {
  const auto found = functions.find(from);
  if (found == functions.end() || !seen.insert(from).second) return false;
  if (found->second.meets || found->second.calls_unknown) return true;
  return std::ranges::any_of(found->second.calls, [&](std::string_view called) {
    return reaches_meeting(functions, called, seen);
  });
}

}  // namespace

std::string with_lone_kernels(const std::string& assembly) {
  Reader reader;
  for (std::string_view rest = assembly; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    reader.read(line);
  }
  std::string out = assembly;
  for (const auto& [name, function] : reader.functions()) {
    std::set<std::string_view> seen;
    if (!name.starts_with(kEntry) || reaches_meeting(reader.functions(), name, seen)) continue;
    out +=
        fmt::format("\t.section\t.rodata\n\t.globl\t_gpy_alone_{0}\n_gpy_alone_{0}:\n\t.byte\t1\n",
                    name.substr(kEntry.size()));
  }
  return out;
}

}  // namespace gpy::rt
