// Finding and replacing within text.
#include "src/typed_native.h"
#include "src/types/str.h"
#include "src/types/text_search.h"

namespace gpy {

namespace {

// The part of a text between search bounds, and where it begins.
struct Window {
  std::string_view text;
  size_t offset;
  bool empty;  // start beyond the end: not even "" is found
};

}  // namespace

static Window window(Interpreter& vm, const Str& text, const Value& start, const Value& stop) {
  bool whole = (start.is_undefined() || start.is_none()) && (stop.is_undefined() || stop.is_none());
  if (whole) return {text.view(), 0, false};
  auto length = static_cast<int64_t>(text.length);
  bool beyond = starts_beyond(vm, start, length);
  Bounds bounds = search_bounds(vm, start, stop, length);
  if (bounds.start > bounds.stop || beyond) return {{}, 0, true};
  size_t from = text.offset_of(static_cast<size_t>(bounds.start));
  size_t to = text.offset_of(static_cast<size_t>(bounds.stop));
  return {text.view().substr(from, to - from), from, false};
}

static int64_t characters(std::string_view text) {
  int64_t count = 0;
  for (char c : text) count += (c & 0xC0) != 0x80;
  return count;
}

static int64_t find(Interpreter& vm, const Str& self, const Value& sub, const Value& start,
                    const Value& end, Direction direction) {
  std::string_view wanted = text_argument(vm, sub);
  Window in = window(vm, self, start, end);
  if (in.empty) return -1;
  size_t at = find_text(vm, in.text, wanted, direction);
  if (at == in.text.npos) return -1;
  at += in.offset;
  return self.is_ascii() ? static_cast<int64_t>(at) : characters(self.view().substr(0, at));
}

static Value str_find(Interpreter& vm, Str& self, const Value& sub, const Value& start,
                      const Value& end) {
  return Value::integer(find(vm, self, sub, start, end, Direction::forward));
}

static Value str_rfind(Interpreter& vm, Str& self, const Value& sub, const Value& start,
                       const Value& end) {
  return Value::integer(find(vm, self, sub, start, end, Direction::backward));
}

static Value found(Interpreter& vm, int64_t at) {
  if (at < 0) vm.raise_value_error("substring not found");
  return Value::integer(at);
}

static Value str_index(Interpreter& vm, Str& self, const Value& sub, const Value& start,
                       const Value& end) {
  return found(vm, find(vm, self, sub, start, end, Direction::forward));
}

static Value str_rindex(Interpreter& vm, Str& self, const Value& sub, const Value& start,
                        const Value& end) {
  return found(vm, find(vm, self, sub, start, end, Direction::backward));
}

static Value str_count(Interpreter& vm, Str& self, const Value& sub, const Value& start,
                       const Value& end) {
  std::string_view wanted = text_argument(vm, sub);
  Window in = window(vm, self, start, end);
  if (in.empty) return Value::integer(0);
  if (wanted.empty()) return Value::integer(characters(in.text) + 1);
  return Value::integer(count_text(vm, in.text, wanted));
}

// --- startswith, endswith ------------------------------------------------------------------------

template <class Matches>
static Value matches_any(Interpreter& vm, const Str& text, const Value& wanted, const Value& start,
                         const Value& end, const char* method, Matches&& matches) {
  Tuple* choices = wanted.try_as<Tuple>();
  if (!choices && !wanted.is<Str>()) {
    vm.raise_type_error("{} first arg must be str or a tuple of str, not {}", method,
                        vm.type_name(wanted));
  }
  Window in = window(vm, text, start, end);
  if (!choices) return Value::boolean(!in.empty && matches(in.text, text_of(wanted)));
  for (const Value& choice : choices->items()) {
    if (!choice.is<Str>()) {
      vm.raise_type_error("tuple for {} must only contain str, not {}", method,
                          vm.type_name(choice));
    }
    if (!in.empty && matches(in.text, text_of(choice))) return Value::boolean(true);
  }
  return Value::boolean(false);
}

static Value str_startswith(Interpreter& vm, Str& self, const Value& prefix, const Value& start,
                            const Value& end) {
  auto starts = [](std::string_view text, std::string_view part) { return text.starts_with(part); };
  return matches_any(vm, self, prefix, start, end, "startswith", starts);
}

static Value str_endswith(Interpreter& vm, Str& self, const Value& suffix, const Value& start,
                          const Value& end) {
  auto ends = [](std::string_view text, std::string_view part) { return text.ends_with(part); };
  return matches_any(vm, self, suffix, start, end, "endswith", ends);
}

static Value str_removeprefix(Interpreter& vm, const Value& self, const Value& prefix) {
  std::string_view text = text_of(self), part = text_argument(vm, prefix, "removeprefix");
  if (part.empty() || !text.starts_with(part)) return unchanged(vm, self);
  return Str::make_part(vm, text.substr(part.size()));
}

static Value str_removesuffix(Interpreter& vm, const Value& self, const Value& suffix) {
  std::string_view text = text_of(self), part = text_argument(vm, suffix, "removesuffix");
  if (part.empty() || !text.ends_with(part)) return unchanged(vm, self);
  return Str::make_part(vm, text.substr(0, text.size() - part.size()));
}

// --- replace -------------------------------------------------------------------------------------

static std::string replace_between_characters(Interpreter& vm, std::string_view text,
                                              std::string_view with, int64_t most) {
  std::string result;
  each_code_point(vm, text, [&](char32_t, std::string_view character) {
    if (most-- > 0) append_bytes(vm, result, with);
    append_bytes(vm, result, character);
  });
  if (most > 0) append_bytes(vm, result, with);
  return result;
}

// The texts are checked before the count.
static Value str_replace(Interpreter& vm, const Value& self, const Value& old_text,
                         const Value& new_text, const Value& count) {
  std::string_view old = text_argument(vm, old_text, "replace", 1);
  std::string_view with = text_argument(vm, new_text, "replace", 2);
  int64_t most = vm.to_index(count);
  if (most < 0) most = INT64_MAX;
  std::string_view text = text_of(self);
  bool is_unchanged = most == 0 || (!old.empty() && find_text(vm, text, old) == text.npos);
  if (is_unchanged) return unchanged(vm, self);
  return vm.str(old.empty() ? replace_between_characters(vm, text, with, most)
                            : replace_text(vm, text, old, with, most));
}

static const Native kMethods[] = {
    {"count", "(self, sub, start=<0>, end=<end>, //)", typed<str_count>,
     "How often a text occurs, without overlap."},
    {"endswith", "(self, suffix, start=<0>, end=<end>, //)", typed<str_endswith>,
     "Whether it ends with a text, or with one of a tuple."},
    {"find", "(self, sub, start=<0>, end=<end>, //)", typed<str_find>,
     "The first position of a text, -1 if there is none."},
    {"index", "(self, sub, start=<0>, end=<end>, //)", typed<str_index>,
     "The first position of a text; ValueError if there is none."},
    {"removeprefix", "(self, prefix, /)", typed<str_removeprefix>, "Without a text at the start."},
    {"removesuffix", "(self, suffix, /)", typed<str_removesuffix>, "Without a text at the end."},
    {"replace", "(self, old, new, count=-1, /)", typed<str_replace>,
     "With one text put for another."},
    {"rfind", "(self, sub, start=<0>, end=<end>, //)", typed<str_rfind>,
     "The last position of a text, -1 if there is none."},
    {"rindex", "(self, sub, start=<0>, end=<end>, //)", typed<str_rindex>,
     "The last position of a text; ValueError if there is none."},
    {"startswith", "(self, prefix, start=<0>, end=<end>, //)", typed<str_startswith>,
     "Whether it starts with a text, or with one of a tuple."},
};

std::span<const Native> str_search_methods() { return kMethods; }

}  // namespace gpy
