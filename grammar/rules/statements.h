#pragma once

// Statements on one line.

#include "grammar/rules/functions.h"

namespace gpy::syntax::rules {

// ---- a line that begins with an expression ----

struct assigned_value : sor<star_expressions, yield_expression> {};
struct assignment : plus<equals, must<assigned_value>> {};

struct augmented_sign : sor<string<'+', '='>, string<'-', '='>, string<'*', '='>, string<'/', '='>,
                            string<'%', '='>, string<'@', '='>, string<'&', '='>, string<'|', '='>,
                            string<'^', '='>, string<'*', '*', '='>, string<'/', '/', '='>,
                            string<'<', '<', '='>, string<'>', '>', '='>> {};
struct augmented_assignment : seq<token<augmented_sign>, must<assigned_value>> {};

struct annotated_assignment : seq<colon, must<expression>, opt<equals, must<assigned_value>>> {};

struct expression_statement
    : seq<sor<star_expressions, yield_expression>,
          opt<sor<assignment, augmented_assignment, annotated_assignment>>> {};

// ---- a line that begins with a word ----

struct return_statement : seq<word<"return">, opt<star_expressions>> {};
struct delete_statement : seq<word<"del">, must<list_tail<target, comma>>> {};
struct pass_statement : word<"pass"> {};
struct break_statement : word<"break"> {};
struct continue_statement : word<"continue"> {};

struct more_names : star<comma, must<declared_name>> {};
struct global_statement : seq<word<"global">, must<declared_name>, more_names> {};
struct nonlocal_statement : seq<word<"nonlocal">, must<declared_name>, more_names> {};

struct assert_message : seq<comma, must<expression>> {};
struct assert_statement : seq<word<"assert">, must<expression>, opt<assert_message>> {};

struct raise_cause : seq<word<"from">, must<expression>> {};
struct raise_statement : seq<word<"raise">, opt<expression, opt<raise_cause>>> {};

// ---- imports ----

struct as_name : seq<word<"as">, must<declared_name>> {};
struct dotted_text : list<identifier, one<'.'>> {};
struct dotted_name : token<dotted_text> {};
struct module_alias : seq<dotted_name, opt<as_name>> {};
struct import_statement : seq<word<"import">, must<module_alias>, star<comma, must<module_alias>>> {
};

struct member_alias : seq<declared_name, opt<as_name>> {};
struct star_text : one<'*'> {};
struct star_alias : token<star_text> {};
struct no_trailing_comma : not_at<one<'\n'>> {};
struct bare_members : seq<member_alias, star<comma, must<no_trailing_comma>, must<member_alias>>> {
};
struct wrapped_members : bracketed<'(', must<list_tail<member_alias, comma>>, ')'> {};
struct imported_members : sor<bare_members, wrapped_members, star_alias> {};
struct import_dots_text : plus<one<'.'>> {};
struct import_dots : plus<token<import_dots_text>> {};
struct import_source : sor<seq<import_dots, opt<dotted_name>>, dotted_name> {};
struct import_word : word<"import"> {};
struct import_from_statement
    : seq<word<"from">, must<import_source>, must<import_word>, must<imported_members>> {};

// ---- a line ----

struct simple_statement
    : sor<expression_statement, return_statement, import_statement, import_from_statement,
          pass_statement, raise_statement, assert_statement, delete_statement, break_statement,
          continue_statement, global_statement, nonlocal_statement> {};

struct end_of_line : newline {};
struct simple_statements : seq<list_tail<simple_statement, semicolon>, must<end_of_line>> {};

}  // namespace gpy::syntax::rules
