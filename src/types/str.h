#pragma once
// Shared declarations of the files of str.

#include <span>
#include <string_view>

#include "src/interpreter.h"
#include "src/memory/pieces.h"
#include "src/types/sequence.h"

namespace gpy {

// The methods, by family.
std::span<const Native> str_search_methods();
std::span<const Native> str_case_methods();
std::span<const Native> str_test_methods();
std::span<const Native> str_split_methods();
std::span<const Native> str_layout_methods();
std::span<const Native> str_convert_methods();

inline Str* str_of(const Value& v) { return v.as<Str>(); }
inline std::string_view text_of(const Value& v) { return v.as<Str>()->view(); }

struct StrIterator : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_iterator;
  StrIterator(Type* type, Ref<Str> text) : Object(type), text(std::move(text)) {}
  Ref<Str> text;
  size_t offset = 0;  // in bytes
};

Ref<Str> number_text(Interpreter& vm, int64_t number);  // str(number)
Value join_texts(Interpreter& vm, const Str& a, const Str& b, size_t capacity = 0);
// The concatenation, where a text that nobody else refers to grows in place. `ahead`: with room for
// more, so that building one piece by piece is not quadratic.
Value append_text(Interpreter& vm, const Value& lhs, const Str& more, bool ahead);

// TypeError "must be str, not int".
std::string_view text_argument(Interpreter& vm, const Value& v);
// TypeError "replace() argument 1 must be str, not int".
std::string_view text_argument(Interpreter& vm, const Value& v, const char* method,
                               int position = 0);

// The result of a method that changes nothing: the text itself, or for a subclass a plain one.
inline Value unchanged(Interpreter& vm, const Value& v) {
  return v.as_object()->type == vm.types.str ? v
                                             : Str::make_part(vm, text_of(v), str_of(v)->length);
}

// Calls f(code point, its bytes) for each.
template <class F> void each_code_point(Interpreter& vm, std::string_view text, F&& f) {
  InterruptPoll poll(vm);
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    poll.step();
    const char* begin = at;
    char32_t c = decode_utf8(at, end);
    f(c, std::string_view(begin, static_cast<size_t>(at - begin)));
  }
}

}  // namespace gpy
