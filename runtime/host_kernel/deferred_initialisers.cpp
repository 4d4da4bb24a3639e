// Initialisers of a kernel's text: they run when gpy calls them, not when the object is opened.

#include <fmt/format.h>

#include <algorithm>

#include "runtime/host_kernel/assembly.h"
#include "runtime/host_kernel/assembly_statements.h"

namespace gpy::rt {
namespace {

// The section that replaces one run when the object is opened or closed; empty for others.
std::string_view deferred_section(std::string_view name) {
  if (name.starts_with('"')) name.remove_prefix(1);
  for (const char* at_start : {".init_array", ".preinit_array", ".ctors"}) {
    if (name.starts_with(at_start)) return "gpy_init";
  }
  for (const char* at_end : {".fini_array", ".dtors"}) {
    if (name.starts_with(at_end)) return "gpy_fini";
  }
  return {};
}

// The statement as it is, or with another section.
std::string with_section_deferred(std::string_view text) {
  const AssemblyStatement statement = read_statement(text);
  const bool names = statement.operation == ".section" || statement.operation == ".pushsection";
  const std::string_view section = names ? deferred_section(statement.operands) : "";
  if (section.empty()) return std::string(text);
  std::string out;
  for (std::string_view label : statement.labels) out += fmt::format("{}:", label);
  return out + fmt::format("\t{}\t{},\"aw\",@progbits", statement.operation, section);
}

}  // namespace

std::string defer_initialisers(std::string_view assembly) {
  std::string out;
  bool by_user = false;
  for (size_t start = 0; start < assembly.size();) {
    const size_t line_end = std::min(assembly.find('\n', start), assembly.size());
    update_by_user(assembly.substr(start, line_end - start), by_user);
    const size_t end = by_user ? std::min(assembly.find(';', start), line_end) : line_end;
    out += with_section_deferred(assembly.substr(start, end - start));
    if (end < assembly.size()) out += assembly[end];
    start = end + 1;
  }
  return out;
}

}  // namespace gpy::rt
