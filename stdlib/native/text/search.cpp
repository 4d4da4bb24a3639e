// What texts hold: numpy.strings' find, count, startswith, replace, partition, and comparisons.
#include <unordered_set>

#include "src/array/typed_arguments.h"
#include "stdlib/native/text/families.h"
#include "stdlib/native/text/units.h"

namespace gpy::lib {

namespace {

// text[start:end] with Python's rule for negative bounds; `exists` is false where it begins behind
// its end: not even an empty text is in it.
template <class Unit> struct Window {
  Window(TextView<Unit> text, int64_t from, int64_t end) {
    const auto size = static_cast<int64_t>(text.size());
    end = end > size ? size : end < 0 ? std::max<int64_t>(end + size, 0) : end;
    start = from < 0 ? std::max<int64_t>(from + size, 0) : from;
    exists = start <= end;
    if (exists) part = text.substr(static_cast<size_t>(start), static_cast<size_t>(end - start));
  }

  TextView<Unit> part;
  int64_t start;
  bool exists;
};

template <class Unit> Window(TextView<Unit>, int64_t, int64_t) -> Window<Unit>;

using SearchLoop = RowLoop<2, 2>;

SearchLoop search_loop(Interpreter& vm, const rt::Array& rows, const rt::Array& parts,
                       const rt::Array& start, const rt::Array& end) {
  return {vm, {rows, parts}, {start, end}};
}

// Where the first or the last part stands in each text, or -1; `required`: a ValueError then.
Value text_find(Interpreter& vm, const rt::Array& rows, const rt::Array& parts,
                const rt::Array& start, const rt::Array& end, bool last, bool required) {
  auto loop = search_loop(vm, rows, parts, start, end);
  return loop.numbers<int64_t>(rt::DType::kInt64,
                               [&](auto text, auto part, int64_t from, int64_t to) -> int64_t {
                                 const Window window(text, from, to);
                                 const size_t at = !window.exists ? text.npos
                                                   : last         ? find_last_in(window.part, part)
                                                                  : find_in(window.part, part);
                                 if (at != text.npos)
                                   return window.start + static_cast<int64_t>(at);
                                 if (required) vm.raise_value_error("substring not found");
                                 return -1;
                               });
}

Value text_count(Interpreter& vm, const rt::Array& rows, const rt::Array& parts,
                 const rt::Array& start, const rt::Array& end) {
  auto loop = search_loop(vm, rows, parts, start, end);
  return loop.numbers<int64_t>(rt::DType::kInt64,
                               [](auto text, auto part, int64_t from, int64_t to) -> int64_t {
                                 const Window window(text, from, to);
                                 if (!window.exists) return 0;
                                 return part.empty() ? static_cast<int64_t>(window.part.size()) + 1
                                                     : count_in(window.part, part);
                               });
}

Value text_starts(Interpreter& vm, const rt::Array& rows, const rt::Array& parts,
                  const rt::Array& start, const rt::Array& end, bool at_end) {
  auto loop = search_loop(vm, rows, parts, start, end);
  return loop.numbers<bool>(rt::DType::kBool, [&](auto text, auto part, int64_t from, int64_t to) {
    const Window window(text, from, to);
    return window.exists && (at_end ? window.part.ends_with(part) : window.part.starts_with(part));
  });
}

// --- replacing -----------------------------------------------------------------------------------

// The new text before each of the first characters, and behind the last.
template <class Sink, class Unit>
void put_between(Sink& sink, TextView<Unit> text, TextView<Unit> with, int64_t most) {
  size_t at = 0;
  for (; most > 0; --most) {
    sink.put(with);
    if (at == text.size()) return;
    sink.put(text[at++]);
  }
  sink.put(text.substr(at));
}

template <class Sink, class Unit>
void put_replaced(Sink& sink, TextView<Unit> text, TextView<Unit> old, TextView<Unit> with,
                  int64_t most) {
  for (; most > 0; --most) {
    const size_t at = find_in(text, old);
    if (at == text.npos) break;
    sink.put(text.substr(0, at));
    sink.put(with);
    text.remove_prefix(at + old.size());
  }
  sink.put(text);
}

Value text_replace(Interpreter& vm, const rt::Array& rows, const rt::Array& old,
                   const rt::Array& with, const rt::Array& most) {
  RowLoop<3, 1> loop(vm, {rows, old, with}, {most});
  return loop.texts([](auto& sink, auto text, auto part, auto put, int64_t count) {
    if (count < 0) count = std::numeric_limits<int64_t>::max();
    if (part.empty()) return put_between(sink, text, put, count);
    put_replaced(sink, text, part, put, count);
  });
}

// text[begin:end]; bounds are in the text.
Value text_between(Interpreter& vm, const rt::Array& rows, const rt::Array& begin,
                   const rt::Array& end) {
  RowLoop<1, 2> loop(vm, {rows}, {begin, end});
  return loop.texts([](auto& sink, auto text, int64_t from, int64_t to) {
    if (from < to) sink.put(text.substr(static_cast<size_t>(from), static_cast<size_t>(to - from)));
  });
}

// --- order ---------------------------------------------------------------------------------------

template <class Unit> bool is_zero(TextView<Unit> units) {
  return std::all_of(units.begin(), units.end(), [](Unit unit) { return unit == 0; });
}

// The texts of whole rows compared; what is behind the end of the shorter row counts as zeros.
template <class Unit> bool equal_rows(TextView<Unit> a, TextView<Unit> b) {
  const size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common; ++i) {  // most rows differ early: a call would cost more
    if (a[i] != b[i]) return false;
  }
  return is_zero(a.substr(common)) && is_zero(b.substr(common));
}

template <class Unit> int order_of_rows(TextView<Unit> a, TextView<Unit> b) {
  const size_t common = std::min(a.size(), b.size());
  for (size_t i = 0; i < common; ++i) {
    if (a[i] != b[i]) return std::char_traits<Unit>::lt(a[i], b[i]) ? -1 : 1;
  }
  return int{!is_zero(a.substr(common))} - int{!is_zero(b.substr(common))};
}

// == != < <= > >=, in this order, by their number.
template <class Text> bool holds_of_rows(int64_t comparison, Text a, Text b) {
  switch (comparison) {
    case 0: return equal_rows(a, b);
    case 1: return !equal_rows(a, b);
    case 2: return order_of_rows(a, b) < 0;
    case 3: return order_of_rows(a, b) <= 0;
    case 4: return order_of_rows(a, b) > 0;
    default: return order_of_rows(a, b) >= 0;
  }
}

Value text_compare(Interpreter& vm, const rt::Array& rows, const rt::Array& others,
                   int64_t comparison) {
  RowLoop<2, 0, Ends::kept> loop(vm, {rows, others});
  return loop.numbers<bool>(rt::DType::kBool,
                            [&](auto a, auto b) { return holds_of_rows(comparison, a, b); });
}

template <class Unit>
Value text_in_set(Interpreter& vm, const rt::Array& rows, const rt::Array& set) {
  RowLoop<1, 0> wanted(vm, {set});
  std::unordered_set<TextView<Unit>> texts;
  auto keep = [&](auto text) {
    if constexpr (std::is_same_v<decltype(text), TextView<Unit>>) texts.insert(text);
  };
  wanted.run(keep);
  RowLoop<1, 0> loop(vm, {rows});
  return loop.template numbers<bool>(rt::DType::kBool, [&](auto text) {
    if constexpr (std::is_same_v<decltype(text), TextView<Unit>>) return texts.contains(text);
    return false;
  });
}

// Whether each text is one of a set.
Value text_is_in(Interpreter& vm, const rt::Array& rows, const rt::Array& set) {
  if (rows.dtype() == rt::DType::kUInt8) return text_in_set<char>(vm, rows, set);
  return text_in_set<char32_t>(vm, rows, set);
}

// --- widths --------------------------------------------------------------------------------------

Value text_lengths(Interpreter& vm, const rt::Array& rows) {
  RowLoop<1, 0> loop(vm, {rows});
  return loop.numbers<int64_t>(rt::DType::kInt64, [](auto text) { return text.size(); });
}

const Native kRows[] = {
    {"_text_find", "(rows, parts, start, end, last, required, /)", typed<text_find>,
     "Where parts stand first or last in texts, or -1."},
    {"_text_count", "(rows, parts, start, end, /)", typed<text_count>,
     "How often parts are in texts."},
    {"_text_starts", "(rows, parts, start, end, at_end, /)", typed<text_starts>,
     "Whether texts begin, or end, with parts."},
    {"_text_replace", "(rows, old, new, most, /)", typed<text_replace>,
     "Rows with the new text for the first occurrences of the old one."},
    {"_text_between", "(rows, begin, end, /)", typed<text_between>,
     "What texts hold between bounds within them."},
    {"_text_is_in", "(rows, set, /)", typed<text_is_in>, "Whether texts are among those of a set."},
    {"_text_compare", "(rows, others, comparison, /)", typed<text_compare>,
     "Whether == != < <= > >=, by number, holds of texts."},
    {"_text_lengths", "(rows, /)", typed<text_lengths>, "The lengths of texts."},
};

}  // namespace

std::span<const Native> text_search_rows() { return kRows; }

}  // namespace gpy::lib
