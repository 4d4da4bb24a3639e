#pragma once
// Errors as text: Python's traceback, the source line and carets under the part that failed.

#include <string>
#include <string_view>

#include "grammar/parse.h"
#include "grammar/source.h"
#include "src/objects/exception.h"

namespace gpy {

struct Frame;

[[noreturn]] void raise_syntax_error(Interpreter& vm, const syntax::SyntaxError& error,
                                     const syntax::SourceFile& source);
[[noreturn]] void raise_syntax_error(Interpreter& vm, std::string_view message,
                                     const syntax::SourceFile& source, syntax::Span span);

// The traceback and message of an uncaught exception, those that led to it first.
std::string render_exception(Interpreter& vm, Exception* exception);

// An exception's type as a traceback names it: with its module, unless that is the script itself.
std::string shown_kind(const Type* type);

// str(exception) for an error's text. Exceptions that str() itself raises end here.
std::string safe_message(Interpreter& vm, Exception* exception);

}  // namespace gpy
