#include "runtime/host_kernel/shared_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>

#include "runtime/host_kernel/block_stacks.h"

namespace gpy::rt {
namespace {

constexpr std::string_view kSize = "\t.size\t";

// Whether this is all of a name behind its length, as in "4kept"; "4kept_0" is a second one.
bool is_name(std::string_view text) {
  size_t length = 0;
  const char* const end = text.data() + text.size();
  const char* const name = std::from_chars(text.data(), end, length).ptr;
  if (length == 0 || static_cast<size_t>(end - name) < length) return false;
  return name + length == end || name[length] == '_';
}

// "_ZZ3sumPfE4kept" is a variable of "_ZZ3sumPfE"; a variable of no function is its own.
std::string_view function_of(std::string_view symbol) {
  if (!symbol.starts_with("_ZZ")) return symbol;
  size_t at = symbol.find('E');
  while (at != symbol.npos && !is_name(symbol.substr(at + 1))) at = symbol.find('E', at + 1);
  return symbol.substr(0, at == symbol.npos ? at : at + 1);
}

// The system's way to a thread's variables, of the compilers that are known.
bool loads_module(std::string_view line) {
  return line.starts_with("\tleaq\t") &&
         (line.ends_with("@tlsld(%rip), %rdi") || line.ends_with("@TLSLD(%rip), %rdi"));
}
bool calls_for_address(std::string_view line) {
  return line == "\tcall\t__tls_get_addr@PLT" || line == "\tcallq\t__tls_get_addr@PLT";
}

std::string address_in_region(unsigned stack_shift) {
  const int64_t region = int64_t{2048} << stack_shift;
  return fmt::format("\tmovq\t%rsp, %rax\n\tandq\t$-{}, %rax\n\taddq\t${}, %rax\n", region,
                     kSharedOffset);
}

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

}  // namespace

std::string with_shared_in_region(const std::string& assembly, unsigned stack_shift) {
  std::string out;
  for (std::string_view rest = assembly; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (loads_module(line)) {
      if (!calls_for_address(take_line(rest))) return assembly;
      out += address_in_region(stack_shift);
      continue;
    }
    if (line.find("__tls_get_addr") != line.npos || line.find("@tls") != line.npos ||
        line.find("@TLS") != line.npos)
      return assembly;
    out.append(line) += '\n';
  }
  return out;
}

size_t declared_shared_bytes(std::string_view assembly) {
  std::map<std::string_view, size_t> bytes;
  size_t most = 0;
  bool in_shared = false;
  while (!assembly.empty()) {
    const std::string_view line = take_line(assembly);
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
