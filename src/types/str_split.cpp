// Splitting, stripping and joining text.
#include <algorithm>
#include <cstring>

#include "src/typed_native.h"
#include "src/types/str.h"
#include "src/types/text_search.h"
#include "src/text/unicode.h"

namespace gpy {

static bool is_space(char32_t c) {
  if (c < 128) return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
  return is_class(c, kSpace);
}

// The last code point before `end` of text, and its position.
static char32_t last_before(std::string_view text, size_t end, size_t& begin) {
  begin = end - 1;
  if (auto c = static_cast<unsigned char>(text[begin]); c < 128) return c;
  while ((text[begin] & 0xC0) == 0x80) --begin;
  const char* at = text.data() + begin;
  return decode_utf8(at, text.data() + end);
}

static char32_t first_at(std::string_view text, size_t begin, size_t& end) {
  end = begin + 1;
  if (auto c = static_cast<unsigned char>(text[begin]); c < 128) return c;
  const char* at = text.data() + begin;
  char32_t c = decode_utf8(at, text.data() + text.size());
  end = static_cast<size_t>(at - text.data());
  return c;
}

// --- split ---------------------------------------------------------------------------------------

static std::vector<Value> split_at_spaces(Interpreter& vm, std::string_view text, int64_t most) {
  std::vector<Value> parts;
  size_t at = 0, next;
  InterruptPoll poll(vm);
  auto skip = [&](bool spaces) {
    for (; at < text.size() && is_space(first_at(text, at, next)) == spaces; at = next) poll.step();
  };
  for (skip(true); at < text.size(); skip(true)) {
    size_t begin = at;
    if (most-- == 0) {
      append_item(vm, parts, Str::make_part(vm, text.substr(begin)));
      break;
    }
    skip(false);
    vm.poll();
    append_item(vm, parts, Str::make_part(vm, text.substr(begin, at - begin)));
  }
  return parts;
}

static std::vector<Value> rsplit_at_spaces(Interpreter& vm, std::string_view text, int64_t most) {
  std::vector<Value> parts;
  size_t end = text.size(), before;
  InterruptPoll poll(vm);
  auto skip = [&](bool spaces) {
    for (; end > 0 && is_space(last_before(text, end, before)) == spaces; end = before) poll.step();
  };
  for (skip(true); end > 0; skip(true)) {
    size_t stop = end;
    if (most-- == 0) {
      append_item(vm, parts, Str::make_part(vm, text.substr(0, stop)));
      break;
    }
    skip(false);
    vm.poll();
    append_item(vm, parts, Str::make_part(vm, text.substr(end, stop - end)));
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

static std::vector<Value> split_at(Interpreter& vm, std::string_view text,
                                   std::string_view separator, int64_t most) {
  std::vector<Value> parts;
  size_t at = 0;
  for (; most > 0; --most) {
    size_t next = find_text(vm, text, separator, at);
    if (next == text.npos) break;
    vm.poll();
    append_item(vm, parts, Str::make_part(vm, text.substr(at, next - at)));
    at = next + separator.size();
  }
  append_item(vm, parts, Str::make_part(vm, text.substr(at)));
  return parts;
}

static std::vector<Value> rsplit_at(Interpreter& vm, std::string_view text,
                                    std::string_view separator, int64_t most) {
  std::vector<Value> parts;
  size_t end = text.size();
  for (; most > 0 && end >= separator.size(); --most) {
    size_t next = find_last_text(vm, text.substr(0, end), separator);
    if (next == text.npos) break;
    vm.poll();
    append_item(
        vm, parts,
        Str::make_part(vm, text.substr(next + separator.size(), end - next - separator.size())));
    end = next;
  }
  append_item(vm, parts, Str::make_part(vm, text.substr(0, end)));
  std::reverse(parts.begin(), parts.end());
  return parts;
}

using SplitSpaces = std::vector<Value> (*)(Interpreter&, std::string_view, int64_t);
using SplitText = std::vector<Value> (*)(Interpreter&, std::string_view, std::string_view, int64_t);

static Value split_by(Interpreter& vm, std::string_view text, const Value& sep, int64_t most,
                      SplitSpaces at_spaces, SplitText at_text) {
  if (most < 0) most = INT64_MAX;
  if (sep.is_none()) return vm.list(at_spaces(vm, text, most));
  if (!sep.is<Str>()) vm.raise_type_error("must be str or None, not {}", vm.type_name(sep));
  if (text_of(sep).empty()) vm.raise_value_error("empty separator");
  return vm.list(at_text(vm, text, text_of(sep), most));
}

static Value str_split(Interpreter& vm, Str& self, const Value& sep, int64_t maxsplit) {
  return split_by(vm, self.view(), sep, maxsplit, split_at_spaces, split_at);
}
static Value str_rsplit(Interpreter& vm, Str& self, const Value& sep, int64_t maxsplit) {
  return split_by(vm, self.view(), sep, maxsplit, rsplit_at_spaces, rsplit_at);
}

static bool ends_line(char32_t c) {
  return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 ||
         c == 0x2029;
}

static Value str_splitlines(Interpreter& vm, Str& self, int64_t keepends) {
  std::string_view text = self.view();
  std::vector<Value> lines;
  size_t begin = 0;
  InterruptPoll poll(vm);
  for (size_t at = 0, next; at < text.size(); at = next) {
    poll.step();
    if (!ends_line(first_at(text, at, next))) continue;
    vm.poll();
    if (text[at] == '\r' && next < text.size() && text[next] == '\n') ++next;
    append_item(vm, lines, Str::make_part(vm, text.substr(begin, (keepends ? next : at) - begin)));
    begin = next;
  }
  if (begin < text.size()) append_item(vm, lines, Str::make_part(vm, text.substr(begin)));
  return vm.list(std::move(lines));
}

static std::string_view separator_of(Interpreter& vm, const Value& v) {
  std::string_view separator = text_argument(vm, v);
  if (separator.empty()) vm.raise_value_error("empty separator");
  return separator;
}

static Value str_partition(Interpreter& vm, const Value& self, const Value& sep) {
  std::string_view text = text_of(self), separator = separator_of(vm, sep);
  size_t at = find_text(vm, text, separator);
  if (at == text.npos) return vm.tuple({self, vm.str(""), vm.str("")});
  return vm.tuple({Str::make_part(vm, text.substr(0, at)), sep,
                   Str::make_part(vm, text.substr(at + separator.size()))});
}

static Value str_rpartition(Interpreter& vm, const Value& self, const Value& sep) {
  std::string_view text = text_of(self), separator = separator_of(vm, sep);
  size_t at = find_last_text(vm, text, separator);
  if (at == text.npos) return vm.tuple({vm.str(""), vm.str(""), self});
  return vm.tuple({Str::make_part(vm, text.substr(0, at)), sep,
                   Str::make_part(vm, text.substr(at + separator.size()))});
}

// --- strip ---------------------------------------------------------------------------------------

enum Side { left = 1, right = 2 };

static Value strip(Interpreter& vm, const Value& self, const Value& chars, int sides,
                   const char* method) {
  std::string_view text = text_of(self);
  if (!chars.is_none() && !chars.is<Str>()) {
    vm.raise_type_error("{} arg must be None or str", method);
  }
  std::string_view set = chars.is_none() ? std::string_view() : text_of(chars);
  auto dropped = [&](char32_t c, std::string_view bytes) {
    return chars.is_none() ? is_space(c) : set.find(bytes) != set.npos;
  };
  size_t begin = 0, end = text.size(), other;
  InterruptPoll poll(vm);
  while ((sides & left) && begin < end) {
    char32_t c = first_at(text, begin, other);
    if (!dropped(c, text.substr(begin, other - begin))) break;
    poll.step();
    begin = other;
  }
  while ((sides & right) && end > begin) {
    char32_t c = last_before(text, end, other);
    if (!dropped(c, text.substr(other, end - other))) break;
    poll.step();
    end = other;
  }
  if (begin == 0 && end == text.size()) return unchanged(vm, self);
  return Str::make_part(vm, text.substr(begin, end - begin));
}

static Value str_strip(Interpreter& vm, const Value& self, const Value& chars) {
  return strip(vm, self, chars, left | right, "strip");
}
static Value str_lstrip(Interpreter& vm, const Value& self, const Value& chars) {
  return strip(vm, self, chars, left, "lstrip");
}
static Value str_rstrip(Interpreter& vm, const Value& self, const Value& chars) {
  return strip(vm, self, chars, right, "rstrip");
}

// --- join ----------------------------------------------------------------------------------------

static void check_items(Interpreter& vm, const std::vector<Value>& items) {
  InterruptPoll poll(vm);
  for (size_t i = 0; i < items.size(); ++i) {
    poll.step();
    if (items[i].is<Str>()) continue;
    vm.raise_type_error("sequence item {}: expected str instance, {} found", i,
                        vm.type_name(items[i]));
  }
}

static Value str_join(Interpreter& vm, Str& self, const Value& iterable) {
  if (!vm.is_iterable(iterable)) vm.raise_type_error("can only join an iterable");
  std::vector<Value> items = vm.collect(iterable);
  check_items(vm, items);
  if (items.size() == 1 && vm.is_text(items[0])) return items[0];
  const size_t gaps = items.empty() ? 0 : items.size() - 1;
  size_t bytes = self.bytes * gaps, length = self.length * gaps;
  InterruptPoll poll(vm);
  for (const Value& item : items) {
    poll.step();
    bytes += str_of(item)->bytes;
    length += str_of(item)->length;
  }
  Ref<Str> joined = Str::make_joined(vm, bytes, length);
  char* to = joined->mutable_data();
  auto put = [&](const Str& part) {
    copy_bytes(vm, to, part.data(), part.bytes);
    to += part.bytes;
  };
  for (size_t i = 0; i < items.size(); ++i) {
    vm.poll();
    if (i > 0) put(self);
    put(*str_of(items[i]));
  }
  return joined;
}

static const Native kMethods[] = {
    {"join", "(self, iterable, /)", typed<str_join>,
     "All texts of an iterable with this one between them."},
    {"lstrip", "(self, chars=None, /)", typed<str_lstrip>,
     "Without white space, or such characters, at the start."},
    {"partition", "(self, sep, /)", typed<str_partition>,
     "(before, separator, behind) of its first occurrence."},
    {"rpartition", "(self, sep, /)", typed<str_rpartition>,
     "(before, separator, behind) of its last occurrence."},
    {"rsplit", "(self, /, sep=None, maxsplit=-1)", typed<str_rsplit>,
     "The parts between separators, from the end."},
    {"rstrip", "(self, chars=None, /)", typed<str_rstrip>,
     "Without white space, or such characters, at the end."},
    {"split", "(self, /, sep=None, maxsplit=-1)", typed<str_split>,
     "The parts between separators; between white space by default."},
    {"splitlines", "(self, /, keepends=False)", typed<str_splitlines>, "The lines."},
    {"strip", "(self, chars=None, /)", typed<str_strip>,
     "Without white space, or such characters, at both ends."},
};

std::span<const Native> str_split_methods() { return kMethods; }

}  // namespace gpy
