#include "src/types/text_search.h"

#include <cstring>

#include "src/memory/pieces.h"

namespace gpy {

static size_t find_at_once(std::string_view text, std::string_view wanted) {
  const void* found = memmem(text.data(), text.size(), wanted.data(), wanted.size());
  if (!found) return text.npos;
  return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

// The length of text searched at once: the set-up of a search costs more for a long text.
static size_t piece_for(std::string_view wanted) {
  return std::max(8 * wanted.size(), kPieceBytes);
}

size_t find_text(Interpreter& vm, std::string_view text, std::string_view wanted, size_t from) {
  if (from > text.size()) return text.npos;
  const size_t piece = piece_for(wanted);
  for (;; from += piece) {
    const bool is_last = text.size() - from <= piece + wanted.size();
    const auto window = text.substr(from, is_last ? text.npos : piece + wanted.size() - 1);
    const size_t found = find_at_once(window, wanted);
    if (found != text.npos) return from + found;
    if (is_last) return text.npos;
    poll_interrupt(vm);
  }
}

size_t find_last_text(Interpreter& vm, std::string_view text, std::string_view wanted) {
  if (wanted.size() > text.size()) return text.npos;
  // Tries the places before `end`, from the last to the first.
  for (size_t end = text.size() - wanted.size() + 1; end > 0;) {
    const size_t begin = end - std::min(end, kPiece);
    const auto window = text.substr(begin, end - begin - 1 + wanted.size());
    const size_t found = window.rfind(wanted);
    if (found != text.npos) return begin + found;
    end = begin;
    poll_interrupt(vm);
  }
  return text.npos;
}

size_t find_text(Interpreter& vm, std::string_view text, std::string_view wanted,
                 Direction direction) {
  return direction == Direction::forward ? find_text(vm, text, wanted)
                                         : find_last_text(vm, text, wanted);
}

int64_t count_text(Interpreter& vm, std::string_view text, std::string_view wanted) {
  int64_t count = 0;
  for (size_t at = find_text(vm, text, wanted); at != text.npos;
       at = find_text(vm, text, wanted, at + wanted.size())) {
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
    const size_t next = find_text(vm, text, old, at);
    if (next == text.npos) break;
    vm.poll();
    append_bytes(vm, result, text.substr(at, next - at));
    append_bytes(vm, result, with);
    at = next + old.size();
  }
  append_bytes(vm, result, text.substr(at));
  return result;
}

bool starts_beyond(Interpreter& vm, const Value& start, int64_t length) {
  if (start.is_undefined() || start.is_none() || !vm.has_index(start)) return false;
  return vm.less(Value::integer(length), vm.to_index_value(start));
}

}  // namespace gpy
