// The parser's errors as exceptions of Python's.
#include "src/code.h"
#include "src/diagnostics/render.h"
#include "src/diagnostics/shown_line.h"
#include "src/exceptions/fields.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

// The notes that explain the error from another line, which the report does not show.
static std::string notes_text(const syntax::SourceFile& source, const syntax::SyntaxError& error) {
  std::string text;
  for (const syntax::Note& note : error.notes) {
    const auto at = source.position(note.place.begin);
    if (at.line == source.line_of(error.place.begin)) continue;
    const ShownLine shown(source.line(at.line), at.column);
    text += fmt::format("{}{}, line {}: `{}`", text.empty() ? "" : "; ", note.label, at.line,
                        shown.text());
  }
  return text;
}

static Type* type_named(Interpreter& vm, std::string_view kind) {
  if (kind == "IndentationError") return vm.types.indentation_error;
  return kind == "TabError" ? vm.types.tab_error : vm.types.syntax_error;
}

void raise_syntax_error(Interpreter& vm, std::string_view message, const syntax::SourceFile& source,
                        syntax::Span span) {
  syntax::SyntaxError error;
  error.kind = "SyntaxError";
  error.message = message;
  error.place = span;
  raise_syntax_error(vm, error, source);
}

void raise_syntax_error(Interpreter& vm, const syntax::SyntaxError& found,
                        const syntax::SourceFile& source) {
  const auto begin = source.position(found.place.begin), end = source.position(found.place.end);
  auto number = [](int n) { return Value::integer(n); };
  Value text = vm.str(std::string(source.line(begin.line)) + "\n");
  Value place = vm.tuple({vm.str(source.name()), number(begin.line), number(begin.column), text,
                          number(end.line), number(end.column)});
  Ref<Exception> error =
      vm.make_exception(type_named(vm, found.kind), {vm.str(found.message), place});
  fill_fields(vm, error.get(), *vm.dict());
  error->detail = notes_text(source, found);
  error->hint = found.hint;
  vm.raise(error);
}

}  // namespace gpy
