#pragma once

// Rules about where things stand, not what they are: blanks, lines, blocks, brackets, scopes.
// They are the only rules that change State, and each undoes its change when it ends.
// A rule of our own takes part in PEGTL's analysis by borrowing the rule_t of one it resembles.

#include <tao/pegtl.hpp>

#include "grammar/layout.h"
#include "grammar/state.h"

namespace gpy::syntax::rules {

using namespace tao::pegtl;  // NOLINT: included by the grammar's own units alone

using consuming = any::rule_t;        // matches something
using maybe_empty = success::rule_t;  // may match nothing

// Space between tokens, and line ends inside brackets. It follows each token, once.
struct ws {
  using rule_t = maybe_empty;
  using subs_t = empty_list;

  template <apply_mode, rewind_mode, template <typename...> class, template <typename...> class,
            typename In>
  static bool match(In& in, State& state) {
    state.token_end = state.offset(in.current());
    if (!in.empty() && is_ink(*in.current())) return true;
    in.bump_in_this_line(skip_space(state, in.current()) - in.current());
    return true;
  }

 private:
  static bool is_ink(char c) { return c > ' ' && c != '#' && c != '\\'; }
};

template <class... R> struct token : seq<R..., ws> {};

// The end of a line, past the newline.
struct newline : one<'\n'> {};

// Goes to the first token of the next line of the current block.
struct next_line {
  using rule_t = maybe_empty;
  using subs_t = empty_list;

  template <apply_mode, rewind_mode, template <typename...> class, template <typename...> class,
            typename In>
  static bool match(In& in, State& state) {
    const char* to = next_in_block(state, in.current());
    if (!to) return false;
    in.bump_in_this_line(to - in.current());
    return true;
  }
};

// Lines without tokens.
struct empty_lines {
  using rule_t = maybe_empty;
  using subs_t = empty_list;

  template <apply_mode, rewind_mode, template <typename...> class, template <typename...> class,
            typename In>
  static bool match(In& in, State& state) {
    in.bump(skip_empty_lines(state, in.current()) - in.current());
    return true;
  }
};

// The lines of a block deeper than the current one.
template <class Lines> struct indented {
  using rule_t = typename seq<any, Lines>::rule_t;
  using subs_t = type_list<any, Lines>;

  template <apply_mode A, rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename In>
  static bool match(In& in, State& state) {
    struct Block {
      State& state;
      Block(State& s, const char* at) : state(s) { enter_block(s, at); }
      ~Block() { leave_block(state); }
    } block(state, in.current());
    return Control<Lines>::template match<A, M, Action, Control>(in, state);
  }
};

// `Open` content `Close`; inside, line ends do not count. An opened bracket must be closed.
template <char Open, class Content, char Close> struct bracketed_text {
  struct close : one<Close> {};
  using inside = seq<one<Open>, ws, Content, must<close>>;
  using rule_t = typename inside::rule_t;
  using subs_t = typename inside::subs_t;

  template <apply_mode A, rewind_mode, template <typename...> class Action,
            template <typename...> class Control, typename In>
  static bool match(In& in, State& state) {
    if (in.empty() || *in.current() != Open) return false;
    struct Opened {
      State& state;
      Opened(State& s, const char* at) : state(s) {
        s.layout.brackets.push_back({Open, s.offset(at)});
      }
      ~Opened() { state.layout.brackets.pop_back(); }
    } opened(state, in.current());
    return Control<inside>::template match<A, rewind_mode::dontcare, Action, Control>(in, state);
  }
};

template <char Open, class Content, char Close>
struct bracketed : token<bracketed_text<Open, Content, Close>> {};

// One level of nesting: the place where the stack is watched.
template <class Rule> struct nested {
  using rule_t = typename seq<Rule>::rule_t;
  using subs_t = type_list<Rule>;

  template <apply_mode A, rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename In>
  static bool match(In& in, State& state) {
    if (state.is_stack_used_up()) state.fail_too_deep(state.offset(in.current()));
    return Control<Rule>::template match<A, M, Action, Control>(in, state);
  }
};

// A formatted string: its fields end on its line, if the string must.
template <class Rule> struct in_formatted_string {
  using rule_t = typename seq<any, Rule>::rule_t;
  using subs_t = type_list<any, Rule>;

  template <apply_mode A, rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename In>
  static bool match(In& in, State& state) {
    auto start = string_start(in.current(), in.end());
    if (!start.is_formatted) return false;
    struct Entered {
      LineStructure& layout;
      OpenString outer_string;
      bool was_single_line;
      ~Entered() {
        layout.open_string = outer_string;
        layout.is_single_line = was_single_line;
      }
    } entered{state.layout, state.layout.open_string, state.layout.is_single_line};
    state.layout.open_string = {state.offset(in.current()), start};
    state.layout.is_single_line = entered.was_single_line || !start.is_triple;
    in.bump_in_this_line(start.length);
    return Control<Rule>::template match<A, M, Action, Control>(in, state);
  }
};

// The scope that `return`, `yield`, `break` and `continue` belong to.
template <ScopeKind Kind, class Rule> struct in_scope {
  using rule_t = typename seq<Rule>::rule_t;
  using subs_t = type_list<Rule>;

  template <apply_mode A, rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename In>
  static bool match(In& in, State& state) {
    struct Entered {
      State& state;
      explicit Entered(State& s) : state(s) { s.scopes.push_back(Scope{.kind = Kind}); }
      ~Entered() {
        state.closed_scope = state.scopes.back();
        state.scopes.pop_back();
      }
    } entered(state);
    return Control<Rule>::template match<A, M, Action, Control>(in, state);
  }
};

template <class Rule> struct in_loop {
  using rule_t = typename seq<Rule>::rule_t;
  using subs_t = type_list<Rule>;

  template <apply_mode A, rewind_mode M, template <typename...> class Action,
            template <typename...> class Control, typename In>
  static bool match(In& in, State& state) {
    struct Entered {
      State& state;
      explicit Entered(State& s) : state(s) { ++s.scopes.back().loops; }
      ~Entered() { --state.scopes.back().loops; }
    } entered(state);
    return Control<Rule>::template match<A, M, Action, Control>(in, state);
  }
};

// Looks ahead with a plain function.
template <bool (*Test)(const State&, const char*)> struct ahead {
  using rule_t = maybe_empty;
  using subs_t = empty_list;

  template <apply_mode, rewind_mode, template <typename...> class, template <typename...> class,
            typename In>
  static bool match(In& in, State& state) {
    return Test(state, in.current());
  }
};

}  // namespace gpy::syntax::rules
