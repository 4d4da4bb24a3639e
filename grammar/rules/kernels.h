#pragma once

// The signature and the braces of a kernel. What is between the braces is CUDA C++, kept as it is.

#include "grammar/kernel_text.h"
#include "grammar/rules/functions.h"

namespace gpy::syntax::rules {

struct kernel_kind_text : sor<exact_word<"elementwise">, exact_word<"reduction">,
                              exact_word<"scan">, exact_word<"stencil">, exact_word<"raw">> {};
struct kernel_kind : token<kernel_kind_text> {};

// Types and names of parameters, put together by the builder.
struct kernel_word_text : plus<identifier_other> {};
struct kernel_mark_text : one<'*', '&', ',', '<', '>', ':', '[', ']'> {};
struct kernel_tokens : star<token<sor<kernel_word_text, kernel_mark_text>>> {};
struct kernel_parameters : bracketed<'(', kernel_tokens, ')'> {};

struct kernel_arrow : arrow {};
struct kernel_output_name : token<kernel_word_text> {};
struct kernel_output_list : bracketed<'(', kernel_tokens, ')'> {};
struct kernel_output_values : sor<kernel_output_list, kernel_output_name> {};
struct kernel_outputs : seq<kernel_arrow, must<kernel_output_values>> {};

struct kernel_text {
  using rule_t = consuming;
  using subs_t = empty_list;

  template <apply_mode, rewind_mode, template <typename...> class, template <typename...> class,
            typename In>
  static bool match(In& in, State& state) {
    if (in.empty() || *in.current() != '{') return false;
    uint32_t open = state.offset(in.current());
    const char* close = find_closing_brace(in.current() + 1, in.end());
    if (!close) {
      state.fail_open(with_hint(make_error({open, open + 1}, "'{' was never closed"),
                                "a kernel's text ends with its '}'"));
    }
    state.kernel_text = Span{open + 1, state.offset(close)};
    in.bump(close + 1 - in.current());
    return true;
  }
};

struct kernel_braces : token<kernel_text> {};

}  // namespace gpy::syntax::rules
