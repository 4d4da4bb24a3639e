#pragma once

// Words, names, numbers, operators.

#include <cstring>

#include "grammar/literals.h"
#include "grammar/rules/layout.h"
#include "grammar/scan.h"

namespace gpy::syntax::rules {

template <size_t N> struct Text {
  char data[N];
  constexpr Text(const char (&text)[N]) { std::copy_n(text, N, data); }  // NOLINT: implicit
  static constexpr size_t size = N - 1;
};

// A word that is not the beginning of a longer word.
template <Text T> struct exact_word {
  using rule_t = consuming;
  using subs_t = empty_list;

  template <typename In> static bool match(In& in) {
    const char* at = in.current();
    if (in.size() < T.size || *at != T.data[0] || std::memcmp(at, T.data, T.size) != 0)
      return false;
    if (in.size() > T.size && continues_word(at[T.size])) return false;
    in.bump_in_this_line(T.size);
    return true;
  }

 private:
  static bool continues_word(char c) {
    return is_ascii_letter(c) || is_digit(c) || c == '_' || static_cast<signed char>(c) < 0;
  }
};

template <Text T> struct word : token<exact_word<T>> {};

// An operator or delimiter, unless one of `Longer` follows and makes it another.
template <Text T, char... Longer> struct exact_symbol {
  using rule_t = consuming;
  using subs_t = empty_list;

  template <typename In> static bool match(In& in) {
    const char* at = in.current();
    if (in.size() < T.size || *at != T.data[0] || std::memcmp(at, T.data, T.size) != 0)
      return false;
    if (in.size() > T.size && ((at[T.size] == Longer) || ...)) return false;
    in.bump_in_this_line(T.size);
    return true;
  }
};

template <Text T, char... Longer> struct symbol : token<exact_symbol<T, Longer...>> {};

struct comma : symbol<","> {};
struct colon : symbol<":", '='> {};
struct semicolon : symbol<";"> {};
struct equals : symbol<"=", '='> {};
struct walrus : symbol<":="> {};
struct arrow : symbol<"->"> {};
struct dot : symbol<"."> {};
struct star_sign : symbol<"*", '*', '='> {};
struct double_star_sign : symbol<"**", '='> {};

struct identifier {
  using rule_t = consuming;
  using subs_t = empty_list;

  template <typename In> static bool match(In& in) {
    const char* begin = in.current();
    const char* end = skip_identifier(begin, in.end());
    if (end == begin || is_keyword({begin, static_cast<size_t>(end - begin)})) return false;
    if (end - begin <= 2 && end < in.end() && (*end == '"' || *end == '\'')) {
      if (string_start(begin, in.end()).length) return false;
    }
    in.bump_in_this_line(end - begin);
    return true;
  }
};

struct name_text : identifier {};
struct name : token<name_text> {};

struct number_literal {
  using rule_t = consuming;
  using subs_t = empty_list;

  template <apply_mode, rewind_mode, template <typename...> class, template <typename...> class,
            typename In>
  static bool match(In& in, State& state) {
    if (!begins_number(in)) return false;
    try {
      in.bump_in_this_line(skip_number(in.current(), in.end()) - in.current());
    } catch (const LiteralError& error) {
      state.fail(error);
    }
    return true;
  }

 private:
  template <typename In> static bool begins_number(In& in) {
    if (in.empty()) return false;
    const char* at = in.current();
    return is_digit(*at) || (*at == '.' && in.size() > 1 && is_digit(at[1]));
  }
};

struct number : token<number_literal> {};

}  // namespace gpy::syntax::rules
