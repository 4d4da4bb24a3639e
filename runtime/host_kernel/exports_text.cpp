#include "runtime/host_kernel/exports_text.h"

#include <fmt/format.h>

#include "runtime/kernel/cuda_source.h"
#include "runtime/kernel/global_variables.h"

namespace gpy::rt {

std::string kernel_symbol(const std::string& name) {
  std::string symbol;
  for (const char c : name) {
    if (is_name_char(c)) symbol += c;
    else if (c != ' ') symbol += fmt::format("_{:02x}", static_cast<unsigned char>(c));
  }
  return symbol;
}

std::string variable_symbol(const std::string& name) { return "_gpy_variable_" + name; }

std::string exports_text(const std::string& source) {
  std::string text;
  for (const GlobalDeclaration& each : find_globals(host_lines(source))) {
    text += fmt::format(
        "_GPY_VISIBLE void* {0}(unsigned long long* _gpy_bytes) {{ *_gpy_bytes = sizeof({1}); "
        "return "
        "(void*)&{1}; }}\n",
        variable_symbol(each.name), each.name);
  }
  return text;
}

}  // namespace gpy::rt
