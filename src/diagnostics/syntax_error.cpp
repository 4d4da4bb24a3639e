#include "src/code.h"
#include "src/diagnostics.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

void raise_syntax_error(Interpreter& vm, Type* type, std::string_view message,
                        const syntax::SourceFile& source, syntax::Span span) {
  auto begin = source.position(span.begin);
  auto end = source.position(span.end);
  Value text = vm.str(std::string(source.line(begin.line)) + "\n");
  auto number = [](int n) { return Value::integer(n); };
  Value place = vm.tuple({vm.str(source.name()), number(begin.line), number(begin.column), text,
                          number(end.line), number(end.column)});
  Ref<Exception> error = vm.make_exception(type, {vm.str(message), place});
  auto& names = vm.state().names;
  error->attributes = vm.dict();
  error->attributes->set(names.msg, vm.str(message));
  error->attributes->set(names.filename, vm.str(source.name()));
  error->attributes->set(names.lineno, number(begin.line));
  error->attributes->set(names.offset, number(begin.column));
  error->attributes->set(names.text, text);
  error->attributes->set(vm.intern("end_lineno"), number(end.line));
  error->attributes->set(vm.intern("end_offset"), number(end.column));
  vm.raise(error);
}

}  // namespace gpy
