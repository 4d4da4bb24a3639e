#pragma once

// Parameters, lambda, and names that are declared.

#include "grammar/rules/expressions.h"

namespace gpy::syntax::rules {

struct declared_text : identifier {};
struct declared_name : token<declared_text> {};

// ---- parameters: their order is checked when they are put together ----

struct annotation : seq<colon, must<expression>> {};
struct default_value : expression {};
struct parameter_default : seq<equals, must<default_value>> {};

struct star_mark : star_sign {};
struct double_star_mark : double_star_sign {};
struct slash_mark : symbol<"/", '='> {};
struct parenthesized_name : seq<one<'('>, star<blank>, identifier> {};
struct no_parenthesized_parameter : not_at<parenthesized_name> {};
struct no_parenthesized_lambda_parameter : not_at<parenthesized_name> {};

template <class Annotation> struct plain_parameter : seq<declared_name, Annotation> {};
template <class Annotation>
struct star_parameter : seq<star_mark, opt<declared_name, Annotation>> {};
template <class Annotation>
struct double_star_parameter : seq<double_star_mark, must<declared_name>, Annotation> {};

template <class Annotation>
struct parameter : seq<sor<plain_parameter<Annotation>, star_parameter<Annotation>,
                           double_star_parameter<Annotation>, slash_mark>,
                       opt<parameter_default>> {};

template <class Annotation, class NoParentheses>
struct parameter_list
    : seq<must<NoParentheses>,
          opt<parameter<Annotation>, star<comma, must<NoParentheses>, parameter<Annotation>>,
              opt<comma>>> {};

struct parameters
    : bracketed<'(', parameter_list<opt<annotation>, no_parenthesized_parameter>, ')'> {};

// ---- lambda ----

struct lambda_colon : colon {};
struct lambda_body : in_scope<ScopeKind::lambda, expression> {};
struct lambda : seq<word<"lambda">, parameter_list<success, no_parenthesized_lambda_parameter>,
                    must<lambda_colon>, must<lambda_body>> {};

}  // namespace gpy::syntax::rules
