// Splitting, stripping and joining bytes.
#include <algorithm>

#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/bytes.h"
#include "src/types/sequence.h"
#include "src/types/text_search.h"

namespace gpy {

static constexpr std::string_view kSpaces = " \t\n\v\f\r";

using Parts = std::vector<std::string_view>;

// --- split ---------------------------------------------------------------------------------------

static Parts split_at_spaces(Interpreter& vm, std::string_view data, int64_t most) {
  Parts parts;
  for (InterruptPoll poll(vm);; poll.step()) {
    data.remove_prefix(std::min(data.find_first_not_of(kSpaces), data.size()));
    if (data.empty()) return parts;
    size_t end = most-- == 0 ? data.size() : std::min(data.find_first_of(kSpaces), data.size());
    append_item(vm, parts, data.substr(0, end));
    data.remove_prefix(end);
  }
}

static Parts rsplit_at_spaces(Interpreter& vm, std::string_view data, int64_t most) {
  Parts parts;
  for (InterruptPoll poll(vm);; poll.step()) {
    data = data.substr(0, data.find_last_not_of(kSpaces) + 1);
    if (data.empty()) break;
    size_t begin = most-- == 0 ? 0 : data.find_last_of(kSpaces) + 1;
    append_item(vm, parts, data.substr(begin));
    data = data.substr(0, begin);
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

static Parts split_at(Interpreter& vm, std::string_view data, std::string_view separator,
                      int64_t most) {
  Parts parts;
  InterruptPoll poll(vm);
  for (size_t at; most > 0 && (at = find_text(vm, data, separator)) != data.npos; --most) {
    poll.step();
    append_item(vm, parts, data.substr(0, at));
    data.remove_prefix(at + separator.size());
  }
  append_item(vm, parts, data);
  return parts;
}

static Parts rsplit_at(Interpreter& vm, std::string_view data, std::string_view separator,
                       int64_t most) {
  Parts parts;
  InterruptPoll poll(vm);
  for (size_t at; most > 0 && (at = find_last_text(vm, data, separator)) != data.npos; --most) {
    poll.step();
    append_item(vm, parts, data.substr(at + separator.size()));
    data = data.substr(0, at);
  }
  append_item(vm, parts, data);
  std::reverse(parts.begin(), parts.end());
  return parts;
}

static Value list_of(Interpreter& vm, const Value& self, const Parts& parts) {
  std::vector<Value> items;
  make_room(vm, items, parts.size());
  for (std::string_view part : parts) {
    items.push_back(bytes_like(vm, self, std::string(part)));
    vm.poll();
  }
  return vm.list(std::move(items));
}

static std::string_view separator_of(Interpreter& vm, const Value& v) {
  std::string_view separator = bytes_argument(vm, v);
  if (separator.empty()) vm.raise_value_error("empty separator");
  return separator;
}

using SplitSpaces = Parts (*)(Interpreter&, std::string_view, int64_t);
using SplitBytes = Parts (*)(Interpreter&, std::string_view, std::string_view, int64_t);

template <SplitSpaces at_spaces, SplitBytes at_bytes>
static Value split_by(Interpreter& vm, const Value& self, const Value& sep, int64_t maxsplit) {
  const int64_t most = maxsplit < 0 ? INT64_MAX : maxsplit;
  std::string_view data = bytes_of(self);
  if (sep.is_none()) return list_of(vm, self, at_spaces(vm, data, most));
  return list_of(vm, self, at_bytes(vm, data, separator_of(vm, sep), most));
}

static Value bytes_splitlines(Interpreter& vm, const Value& self, int64_t keepends) {
  std::string_view data = bytes_of(self);
  Parts lines;
  for (InterruptPoll poll(vm); !data.empty(); poll.step()) {
    size_t end = std::min(data.find_first_of("\r\n"), data.size());
    size_t next = std::min(end + (data.substr(end, 2) == "\r\n" ? 2 : 1), data.size());
    append_item(vm, lines, data.substr(0, keepends ? next : end));
    data.remove_prefix(next);
  }
  return list_of(vm, self, lines);
}

static Value three(Interpreter& vm, const Value& self, std::string_view before,
                   std::string_view middle, std::string_view behind) {
  return vm.tuple({bytes_like(vm, self, std::string(before)),
                   bytes_like(vm, self, std::string(middle)),
                   bytes_like(vm, self, std::string(behind))});
}

static Value bytes_partition(Interpreter& vm, const Value& self, const Value& sep) {
  std::string_view data = bytes_of(self), separator = separator_of(vm, sep);
  size_t at = find_text(vm, data, separator);
  if (at == data.npos) return three(vm, self, data, "", "");
  return three(vm, self, data.substr(0, at), separator, data.substr(at + separator.size()));
}

static Value bytes_rpartition(Interpreter& vm, const Value& self, const Value& sep) {
  std::string_view data = bytes_of(self), separator = separator_of(vm, sep);
  size_t at = find_last_text(vm, data, separator);
  if (at == data.npos) return three(vm, self, "", "", data);
  return three(vm, self, data.substr(0, at), separator, data.substr(at + separator.size()));
}

// --- strip ---------------------------------------------------------------------------------------

enum Side { left = 1, right = 2 };

template <int sides> static Value strip(Interpreter& vm, const Value& self, const Value& bytes) {
  std::string_view data = bytes_of(self);
  std::string_view set = bytes.is_none() ? kSpaces : bytes_argument(vm, bytes);
  auto is_in_set = [&](char byte) { return set.find(byte) != set.npos; };
  InterruptPoll poll(vm);
  for (; (sides & left) && !data.empty() && is_in_set(data.front()); data.remove_prefix(1)) {
    poll.step();
  }
  for (; (sides & right) && !data.empty() && is_in_set(data.back()); data.remove_suffix(1)) {
    poll.step();
  }
  return bytes_unless_same(vm, self, data);
}

// --- join ----------------------------------------------------------------------------------------

static Value bytes_join(Interpreter& vm, const Value& self, const Value& iterable) {
  if (!vm.is_iterable(iterable)) vm.raise_type_error("can only join an iterable");
  std::vector<Value> items = vm.collect(iterable);
  std::string joined;
  InterruptPoll poll(vm);
  for (size_t i = 0; i < items.size(); ++i) {
    poll.step();
    if (!items[i].is<Bytes>()) {
      vm.raise_type_error("sequence item {}: expected a bytes-like object, {} found", i,
                          vm.type_name(items[i]));
    }
    if (i > 0) append_bytes(vm, joined, bytes_of(self));
    append_bytes(vm, joined, bytes_of(items[i]));
  }
  return bytes_like(vm, self, std::move(joined));
}

static const Native kMethods[] = {
    {"join", "(self, iterable, /)", typed<bytes_join>,
     "All bytes of an iterable with these between them."},
    {"lstrip", "(self, bytes=None, /)", typed<strip<left>>,
     "Without white space, or such bytes, at the start."},
    {"partition", "(self, sep, /)", typed<bytes_partition>,
     "(before, separator, behind) of its first occurrence."},
    {"rpartition", "(self, sep, /)", typed<bytes_rpartition>,
     "(before, separator, behind) of its last occurrence."},
    {"rsplit", "(self, /, sep=None, maxsplit=-1)", typed<split_by<rsplit_at_spaces, rsplit_at>>,
     "The parts between separators, from the end."},
    {"rstrip", "(self, bytes=None, /)", typed<strip<right>>,
     "Without white space, or such bytes, at the end."},
    {"split", "(self, /, sep=None, maxsplit=-1)", typed<split_by<split_at_spaces, split_at>>,
     "The parts between separators; between white space by default."},
    {"splitlines", "(self, /, keepends=False)", typed<bytes_splitlines>, "The lines."},
    {"strip", "(self, bytes=None, /)", typed<strip<left | right>>,
     "Without white space, or such bytes, at both ends."},
};

std::span<const Native> bytes_split_methods() { return kMethods; }

}  // namespace gpy
