#include "src/types/text_search.h"

#include "src/interpreter.h"

namespace gpy {

int64_t count_text(Interpreter& vm, std::string_view text, std::string_view wanted) {
  int64_t count = 0;
  for (size_t at = find_text(text, wanted); at != text.npos;
       at = find_text(text, wanted, at + wanted.size())) {
    ++count;
    vm.poll();
  }
  return count;
}

std::string replace_text(Interpreter& vm, std::string_view text, std::string_view old,
                         std::string_view with, int64_t most) {
  std::string result;
  size_t at = 0;
  for (; most > 0; --most) {
    const size_t next = find_text(text, old, at);
    if (next == text.npos) break;
    vm.poll();
    result += text.substr(at, next - at);
    result += with;
    at = next + old.size();
  }
  return result += text.substr(at);
}

bool starts_beyond(Interpreter& vm, const Value& start, int64_t length) {
  if (start.is_undefined() || start.is_none() || !vm.has_index(start)) return false;
  return vm.less(Value::integer(length), vm.to_index_value(start));
}

}  // namespace gpy
