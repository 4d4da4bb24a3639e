// Finding and replacing within bytes.
#include "src/memory/pieces.h"
#include "src/typed_native.h"
#include "src/types/bytes.h"
#include "src/types/sequence.h"
#include "src/types/text_search.h"

namespace gpy {

// The bytes to search for: bytes, or one byte as an int.
static std::string wanted_bytes(Interpreter& vm, const Value& v) {
  if (v.is<Bytes>()) return bytes_of(v);
  if (vm.has_index(v)) return std::string(1, byte_argument(vm, v));
  vm.raise_type_error("argument should be integer or bytes-like object, not '{}'", vm.type_name(v));
}

namespace {

// The part between search bounds, and where it begins.
struct Window {
  std::string_view data;
  int64_t offset;
  bool empty;  // start beyond the end: not even b"" is found
};

}  // namespace

static Window window(Interpreter& vm, const Value& self, const Value& start, const Value& end) {
  auto length = static_cast<int64_t>(bytes_of(self).size());
  bool beyond = starts_beyond(vm, start, length);
  Bounds bounds = search_bounds(vm, start, end, length);
  std::string_view data = bytes_of(self);  // a bound's __index__ may have changed self
  auto first = static_cast<size_t>(bounds.start);
  if (bounds.start > bounds.stop || beyond || first > data.size()) return {{}, 0, true};
  return {data.substr(first, static_cast<size_t>(bounds.stop) - first), bounds.start, false};
}

template <Direction direction>
static int64_t find(Interpreter& vm, const Value& self, const Value& sub, const Value& start,
                    const Value& end) {
  std::string wanted = wanted_bytes(vm, sub);
  Window in = window(vm, self, start, end);
  if (in.empty) return -1;
  size_t at = find_text(vm, in.data, wanted, direction);
  return at == in.data.npos ? -1 : in.offset + static_cast<int64_t>(at);
}

template <Direction direction>
static Value bytes_find(Interpreter& vm, const Value& self, const Value& sub, const Value& start,
                        const Value& end) {
  return Value::integer(find<direction>(vm, self, sub, start, end));
}

template <Direction direction>
static Value bytes_index(Interpreter& vm, const Value& self, const Value& sub, const Value& start,
                         const Value& end) {
  int64_t at = find<direction>(vm, self, sub, start, end);
  if (at < 0) vm.raise_value_error("subsection not found");
  return Value::integer(at);
}

static Value bytes_count(Interpreter& vm, const Value& self, const Value& sub, const Value& start,
                         const Value& end) {
  std::string wanted = wanted_bytes(vm, sub);
  Window in = window(vm, self, start, end);
  if (in.empty) return Value::integer(0);
  if (wanted.empty()) return Value::integer(static_cast<int64_t>(in.data.size()) + 1);
  return Value::integer(count_text(vm, in.data, wanted));
}

// --- the ends ------------------------------------------------------------------------------------

template <class Matches>
static Value matches_any(Interpreter& vm, const char* method, const Window& in, const Value& wanted,
                         Matches&& matches) {
  if (wanted.is<Bytes>()) return Value::boolean(!in.empty && matches(in.data, bytes_of(wanted)));
  Tuple* choices = wanted.try_as<Tuple>();
  if (!choices) {
    vm.raise_type_error("{} first arg must be bytes or a tuple of bytes, not {}", method,
                        vm.type_name(wanted));
  }
  for (const Value& choice : choices->items()) {
    std::string_view part = bytes_argument(vm, choice);
    if (!in.empty && matches(in.data, part)) return Value::boolean(true);
  }
  return Value::boolean(false);
}

static Value bytes_startswith(Interpreter& vm, const Value& self, const Value& prefix,
                              const Value& start, const Value& end) {
  const Window in = window(vm, self, start, end);
  auto starts = [](std::string_view data, std::string_view part) { return data.starts_with(part); };
  return matches_any(vm, "startswith", in, prefix, starts);
}

static Value bytes_endswith(Interpreter& vm, const Value& self, const Value& suffix,
                            const Value& start, const Value& end) {
  const Window in = window(vm, self, start, end);
  auto ends = [](std::string_view data, std::string_view part) { return data.ends_with(part); };
  return matches_any(vm, "endswith", in, suffix, ends);
}

static Value bytes_removeprefix(Interpreter& vm, const Value& self, const Value& prefix) {
  std::string_view data = bytes_of(self), part = bytes_argument(vm, prefix);
  if (data.starts_with(part)) data.remove_prefix(part.size());
  return bytes_unless_same(vm, self, data);
}

static Value bytes_removesuffix(Interpreter& vm, const Value& self, const Value& suffix) {
  std::string_view data = bytes_of(self), part = bytes_argument(vm, suffix);
  if (data.ends_with(part)) data.remove_suffix(part.size());
  return bytes_unless_same(vm, self, data);
}

// --- replace -------------------------------------------------------------------------------------

// Puts `with` before each byte and at the end.
static std::string interleaved(Interpreter& vm, std::string_view data, std::string_view with,
                               int64_t most) {
  std::string result;
  InterruptPoll poll(vm);
  for (char c : data) {
    poll.step();
    if (most-- > 0) append_bytes(vm, result, with);
    append_byte(vm, result, c);
  }
  if (most > 0) append_bytes(vm, result, with);
  return result;
}

static Value bytes_replace(Interpreter& vm, const Value& self, const Value& old, const Value& with,
                           int64_t count) {
  const int64_t most = count < 0 ? INT64_MAX : count;
  std::string_view data = bytes_of(self), gone = bytes_argument(vm, old);
  std::string_view put = bytes_argument(vm, with);
  if (gone.empty()) return bytes_like(vm, self, interleaved(vm, data, put, most));
  return bytes_like(vm, self, replace_text(vm, data, gone, put, most));
}

static const Native kMethods[] = {
    {"count", "(self, sub, start=<0>, end=<end>, //)", typed<bytes_count>,
     "How often bytes occur, without overlap."},
    {"endswith", "(self, suffix, start=<0>, end=<end>, //)", typed<bytes_endswith>,
     "Whether it ends with bytes, or with one of a tuple."},
    {"find", "(self, sub, start=<0>, end=<end>, //)", typed<bytes_find<Direction::forward>>,
     "The first position of bytes, -1 if there is none."},
    {"index", "(self, sub, start=<0>, end=<end>, //)", typed<bytes_index<Direction::forward>>,
     "The first position of bytes; ValueError if there is none."},
    {"removeprefix", "(self, prefix, /)", typed<bytes_removeprefix>,
     "Without some bytes at the start."},
    {"removesuffix", "(self, suffix, /)", typed<bytes_removesuffix>,
     "Without some bytes at the end."},
    {"replace", "(self, old, new, count=-1, /)", typed<bytes_replace>,
     "With some bytes put for others."},
    {"rfind", "(self, sub, start=<0>, end=<end>, //)", typed<bytes_find<Direction::backward>>,
     "The last position of bytes, -1 if there is none."},
    {"rindex", "(self, sub, start=<0>, end=<end>, //)", typed<bytes_index<Direction::backward>>,
     "The last position of bytes; ValueError if there is none."},
    {"startswith", "(self, prefix, start=<0>, end=<end>, //)", typed<bytes_startswith>,
     "Whether it starts with bytes, or with one of a tuple."},
};

std::span<const Native> bytes_search_methods() { return kMethods; }

}  // namespace gpy
