#include "runtime/host_kernel/shared_memory.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace gpy::rt {
namespace {

constexpr std::string_view kSize = "\t.size\t";

// "_ZZ3sumPfE4kept" is a variable of "_ZZ3sumPfE"; one of no function is its own.
std::string_view function_of(std::string_view symbol) {
  return symbol.starts_with("_ZZ") ? symbol.substr(0, symbol.rfind('E') + 1) : symbol;
}

}  // namespace

size_t declared_shared_bytes(std::string_view assembly) {
  std::map<std::string_view, size_t> bytes;
  size_t most = 0;
  bool in_shared = false;
  while (!assembly.empty()) {
    const std::string_view line = assembly.substr(0, assembly.find('\n'));
    assembly.remove_prefix(std::min(line.size() + 1, assembly.size()));
    if (line.starts_with("\t.section\t") || line == "\t.text" || line == "\t.data")
      in_shared = line.find(kSharedSection) != line.npos;
    const size_t comma = line.find(", ");
    if (!in_shared || !line.starts_with(kSize) || comma == line.npos) continue;
    size_t size = 0;
    std::from_chars(line.data() + comma + 2, line.data() + line.size(), size);
    size_t& sum = bytes[function_of(line.substr(kSize.size(), comma - kSize.size()))];
    most = std::max(most, sum += size);
  }
  return most;
}

}  // namespace gpy::rt
