// Taking bytes apart and putting them together.
#include <algorithm>

#include "src/memory/pieces.h"
#include "src/types/bytes.h"
#include "src/types/sequence.h"
#include "src/types/text_search.h"

namespace gpy {

static constexpr std::string_view kSpaces = " \t\n\v\f\r";

using Parts = std::vector<std::string_view>;

// --- split ---------------------------------------------------------------------------------------

static Parts split_at_spaces(Interpreter& vm, std::string_view data, int64_t most) {
  Parts parts;
  for (Heed heed(vm);; heed.step()) {
    data.remove_prefix(std::min(data.find_first_not_of(kSpaces), data.size()));
    if (data.empty()) return parts;
    size_t end = most-- == 0 ? data.size() : std::min(data.find_first_of(kSpaces), data.size());
    append_item(vm, parts, data.substr(0, end));
    data.remove_prefix(end);
  }
}

static Parts rsplit_at_spaces(Interpreter& vm, std::string_view data, int64_t most) {
  Parts parts;
  for (Heed heed(vm);; heed.step()) {
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
  Heed heed(vm);
  for (size_t at; most > 0 && (at = find_text(vm, data, separator)) != data.npos; --most) {
    heed.step();
    append_item(vm, parts, data.substr(0, at));
    data.remove_prefix(at + separator.size());
  }
  append_item(vm, parts, data);
  return parts;
}

static Parts rsplit_at(Interpreter& vm, std::string_view data, std::string_view separator,
                       int64_t most) {
  Parts parts;
  Heed heed(vm);
  for (size_t at; most > 0 && (at = find_last_text(vm, data, separator)) != data.npos; --most) {
    heed.step();
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

static Value split_by(Interpreter& vm, Args args, SplitSpaces at_spaces, SplitBytes at_bytes) {
  int64_t most = vm.to_index(args[2]);
  if (most < 0) most = INT64_MAX;
  std::string_view data = bytes_of(args[0]);
  if (args[1].is_none()) return list_of(vm, args[0], at_spaces(vm, data, most));
  return list_of(vm, args[0], at_bytes(vm, data, separator_of(vm, args[1]), most));
}

static Value bytes_split(Interpreter& vm, Args args) {
  return split_by(vm, args, split_at_spaces, split_at);
}
static Value bytes_rsplit(Interpreter& vm, Args args) {
  return split_by(vm, args, rsplit_at_spaces, rsplit_at);
}

static Value bytes_splitlines(Interpreter& vm, Args args) {
  bool keep = vm.to_index(args[1]) != 0;
  std::string_view data = bytes_of(args[0]);
  Parts lines;
  for (Heed heed(vm); !data.empty(); heed.step()) {
    size_t end = std::min(data.find_first_of("\r\n"), data.size());
    size_t next = std::min(end + (data.substr(end, 2) == "\r\n" ? 2 : 1), data.size());
    append_item(vm, lines, data.substr(0, keep ? next : end));
    data.remove_prefix(next);
  }
  return list_of(vm, args[0], lines);
}

static Value three(Interpreter& vm, const Value& self, std::string_view before,
                   std::string_view middle, std::string_view behind) {
  return vm.tuple({bytes_like(vm, self, std::string(before)),
                   bytes_like(vm, self, std::string(middle)),
                   bytes_like(vm, self, std::string(behind))});
}

static Value bytes_partition(Interpreter& vm, Args args) {
  std::string_view data = bytes_of(args[0]), separator = separator_of(vm, args[1]);
  size_t at = find_text(vm, data, separator);
  if (at == data.npos) return three(vm, args[0], data, "", "");
  return three(vm, args[0], data.substr(0, at), separator, data.substr(at + separator.size()));
}

static Value bytes_rpartition(Interpreter& vm, Args args) {
  std::string_view data = bytes_of(args[0]), separator = separator_of(vm, args[1]);
  size_t at = find_last_text(vm, data, separator);
  if (at == data.npos) return three(vm, args[0], "", "", data);
  return three(vm, args[0], data.substr(0, at), separator, data.substr(at + separator.size()));
}

// --- strip ---------------------------------------------------------------------------------------

enum Side { left = 1, right = 2 };

static Value strip(Interpreter& vm, Args args, int sides) {
  std::string_view data = bytes_of(args[0]);
  std::string_view set = args[1].is_none() ? kSpaces : bytes_argument(vm, args[1]);
  auto is_in_set = [&](char byte) { return set.find(byte) != set.npos; };
  Heed heed(vm);
  for (; (sides & left) && !data.empty() && is_in_set(data.front()); data.remove_prefix(1)) {
    heed.step();
  }
  for (; (sides & right) && !data.empty() && is_in_set(data.back()); data.remove_suffix(1)) {
    heed.step();
  }
  return bytes_unless_same(vm, args[0], data);
}

static Value bytes_strip(Interpreter& vm, Args args) { return strip(vm, args, left | right); }
static Value bytes_lstrip(Interpreter& vm, Args args) { return strip(vm, args, left); }
static Value bytes_rstrip(Interpreter& vm, Args args) { return strip(vm, args, right); }

// --- join ----------------------------------------------------------------------------------------

static Value bytes_join(Interpreter& vm, Args args) {
  if (!vm.is_iterable(args[1])) vm.raise_type_error("can only join an iterable");
  std::vector<Value> items = vm.collect(args[1]);
  std::string joined;
  Heed heed(vm);
  for (size_t i = 0; i < items.size(); ++i) {
    heed.step();
    if (!items[i].is<Bytes>()) {
      vm.raise_type_error("sequence item {}: expected a bytes-like object, {} found", i,
                          vm.type_name(items[i]));
    }
    if (i > 0) append_bytes(vm, joined, bytes_of(args[0]));
    append_bytes(vm, joined, bytes_of(items[i]));
  }
  return bytes_like(vm, args[0], std::move(joined));
}

static const Native kMethods[] = {
    {"join", "(self, iterable, /)", bytes_join,
     "All bytes of an iterable with these between them."},
    {"lstrip", "(self, bytes=None, /)", bytes_lstrip,
     "Without white space, or such bytes, at the start."},
    {"partition", "(self, sep, /)", bytes_partition,
     "(before, separator, behind) of its first occurrence."},
    {"rpartition", "(self, sep, /)", bytes_rpartition,
     "(before, separator, behind) of its last occurrence."},
    {"rsplit", "(self, /, sep=None, maxsplit=-1)", bytes_rsplit,
     "The parts between separators, from the end."},
    {"rstrip", "(self, bytes=None, /)", bytes_rstrip,
     "Without white space, or such bytes, at the end."},
    {"split", "(self, /, sep=None, maxsplit=-1)", bytes_split,
     "The parts between separators; between white space by default."},
    {"splitlines", "(self, /, keepends=False)", bytes_splitlines, "The lines."},
    {"strip", "(self, bytes=None, /)", bytes_strip,
     "Without white space, or such bytes, at both ends."},
};

std::span<const Native> bytes_split_methods() { return kMethods; }

}  // namespace gpy
