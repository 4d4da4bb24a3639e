#pragma once

// Statements with blocks, and whole sources.

#include "grammar/rules/kernels.h"
#include "grammar/rules/statements.h"

namespace gpy::syntax::rules {

// ---- blocks ----

struct statement;
struct more_statements : star<next_line, must<statement>> {};
struct block_lines : plus<next_line, must<statement>> {};
struct indented_lines : seq<newline, indented<block_lines>> {};
struct block : sor<indented_lines, simple_statements> {};

// The colon of a block. A word that has begun a block must be followed by the colon and the block.
struct block_colon : colon {};
struct forced_colon : colon {};  // where nothing but a colon could come
template <class Block, class Colon = block_colon> struct body : seq<must<Colon>, must<Block>> {};

// The words that begin a block, by which messages name it.
enum class BlockOf : uint8_t {
  if_,
  elif,
  else_,
  while_,
  for_,
  try_,
  except,
  finally,
  with,
  function,
  class_,
  kernel
};
template <BlockOf Kind, class Word> struct header : Word {};

// `else` and others continue a statement on a line of the same depth.
struct else_branch : seq<header<BlockOf::else_, word<"else">>, body<block, forced_colon>> {};
struct else_clause : seq<next_line, else_branch> {};

// ---- if, while, for ----

struct elif_branch : seq<header<BlockOf::elif, word<"elif">>, must<named_expression>, body<block>> {
};
struct if_statement : seq<header<BlockOf::if_, word<"if">>, must<named_expression>, body<block>,
                          star<next_line, elif_branch>, opt<else_clause>> {};

struct loop_block : in_loop<block> {};
struct while_statement : seq<header<BlockOf::while_, word<"while">>, must<named_expression>,
                             body<loop_block>, opt<else_clause>> {};
struct for_in : word<"in"> {};
struct for_statement : seq<header<BlockOf::for_, word<"for">>, must<target_list>, must<for_in>,
                           must<star_expressions>, body<loop_block>, opt<else_clause>> {};

// ---- try ----

struct except_as : seq<word<"as">, must<declared_name>> {};
struct no_except_star : not_at<one<'*'>> {};
struct no_unparenthesized_types : not_at<one<','>> {};
struct except_branch
    : seq<header<BlockOf::except, word<"except">>, must<no_except_star>,
          opt<expression, must<no_unparenthesized_types>, opt<except_as>>, body<block>> {};
struct finally_branch : seq<header<BlockOf::finally, word<"finally">>, body<block, forced_colon>> {
};
struct finally_clause : seq<next_line, finally_branch> {};
struct handlers : seq<plus<next_line, except_branch>, opt<else_clause>, opt<finally_clause>> {};
struct except_or_finally : sor<handlers, finally_clause> {};
struct try_statement
    : seq<header<BlockOf::try_, word<"try">>, body<block, forced_colon>, must<except_or_finally>> {
};

// ---- with ----

struct as_target : seq<word<"as">, must<target>> {};
struct with_item : seq<expression, opt<as_target>> {};
struct wrapped_items : bracketed<'(', list_tail<with_item, comma>, ')'> {};
struct bare_items : seq<with_item, star<comma, must<with_item>>> {};
struct with_items : sor<seq<ahead<at_parenthesized_items>, wrapped_items>, bare_items> {};
struct with_statement : seq<header<BlockOf::with, word<"with">>, must<with_items>, body<block>> {};

// ---- definitions ----

struct function_block : in_scope<ScopeKind::function, block> {};
struct return_annotation : seq<arrow, must<expression>> {};
struct function_definition
    : seq<header<BlockOf::function, word<"def">>, must<declared_name>, must<parameters>,
          opt<return_annotation>, body<function_block, forced_colon>> {};

struct class_block : in_scope<ScopeKind::class_body, block> {};
struct class_definition : seq<header<BlockOf::class_, word<"class">>, must<declared_name>,
                              opt<arguments>, body<class_block>> {};

// ---- kernels with a body in gpy (rules/kernels.h has the rest) ----

struct kernel_block : in_scope<ScopeKind::kernel, block> {};
struct kernel_colon : colon {};
struct kernel_in_gpy : seq<kernel_colon, must<kernel_block>> {};
struct kernel_body : sor<seq<kernel_braces, must<end_of_line>>, kernel_in_gpy> {};
struct kernel_definition
    : seq<ahead<at_kernel>, header<BlockOf::kernel, word<"kernel">>, kernel_kind, declared_name,
          opt<kernel_parameters>, opt<kernel_outputs>, must<kernel_body>> {};

struct definition : sor<function_definition, class_definition, kernel_definition> {};
struct decorator_value : named_expression {};
struct decorator : seq<symbol<"@", '='>, must<decorator_value>, must<end_of_line>> {};
struct decorated_line : next_line {};
struct more_decorators : star<seq<next_line, decorator>> {};
struct decorated : seq<decorator, more_decorators, must<decorated_line>, must<definition>> {};

// ---- whole sources ----

struct compound_statement
    : sor<if_statement, for_statement, function_definition, while_statement, with_statement,
          try_statement, class_definition, decorated, kernel_definition> {};
struct statement : sor<compound_statement, simple_statements> {};

struct end_of_file : eof {};
struct file : seq<more_statements, empty_lines, must<end_of_file>> {};
struct lone_expression
    : seq<ws, must<star_expressions>, must<end_of_line>, empty_lines, must<end_of_file>> {};

}  // namespace gpy::syntax::rules
