#include "runtime/host_kernel/define_text.h"

#include <string_view>

namespace gpy::rt {

std::string with_defines(const std::string& source, std::span<const std::string> options) {
  std::string before, after;
  for (const std::string& option : options) {
    if (!option.starts_with("-D")) continue;
    const std::string_view macro = std::string_view(option).substr(2);
    const std::string_view head = macro.substr(0, macro.find('='));
    const bool has_value = head.size() < macro.size();
    const std::string_view value = has_value ? macro.substr(head.size() + 1) : "1";
    before.append("#define ").append(head).append(" ").append(value).append("\n");
    after.append("#undef ").append(head.substr(0, head.find('('))).append("\n");
  }
  return before + "#line 1 \"<kernel>\"\n" + source + "\n#line 1 \"<generated>\"\n" + after;
}

}  // namespace gpy::rt
