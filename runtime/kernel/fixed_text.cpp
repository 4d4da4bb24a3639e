#include "runtime/kernel/fixed_text.h"

#include <initializer_list>
#include <string>

#include "runtime/kernel/cuda_source.h"

namespace gpy::rt {
namespace {

// Whether a directive of the preprocessor begins with one of the words. Blanks, and line ends
// behind a backslash, may stand behind its `#` (or `%:`).
bool has_directive(std::string_view source, std::initializer_list<std::string_view> words) {
  const std::string text = without_comments(source);
  for (size_t at = text.find_first_of("#:"); at != text.npos; at = text.find_first_of("#:", at)) {
    if (text[at] == ':' && (at == 0 || text[at - 1] != '%')) {
      ++at;
      continue;
    }
    at = text.find_first_not_of(" \t\v\f\\\r\n", at + 1);
    if (at == text.npos) return false;
    for (const std::string_view word : words) {
      if (std::string_view(text).substr(at).starts_with(word)) return true;
    }
  }
  return false;
}

}  // namespace

bool has_include(std::string_view source) { return has_directive(source, {"include", "import"}); }

bool is_fixed_text(std::string_view source) {
  for (const char* word : {".incbin", "__has_include", "__has_embed", "__DATE__", "__TIME"}) {
    if (source.find(word) != source.npos) return false;
  }
  return !has_directive(source, {"include", "import", "embed"});
}

}  // namespace gpy::rt
