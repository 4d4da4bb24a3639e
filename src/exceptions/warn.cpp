#include "src/exceptions/warn.h"

#include "src/code.h"
#include "src/run/frame.h"
#include "src/state.h"

namespace gpy {

// The function of the module warnings that takes them; undefined until a script has imported it.
static Value taker(Interpreter& vm) {
  Value* module = vm.modules->find(vm.intern("warnings"));
  if (!module || !module->is<Module>()) return Value();
  Value* found = module->as<Module>()->names->find(vm.intern("_from_native"));
  return found ? *found : Value();
}

void warn_at(Interpreter& vm, Type* category, std::string_view message,
             const syntax::SourceFile* source, int line) {
  const std::string_view file = source ? std::string_view(source->name()) : "";
  std::string_view text = source ? source->line(line) : "";
  text.remove_prefix(std::min(text.find_first_not_of(" \t\f"), text.size()));
  if (Value take = taker(vm); take.is_defined()) {
    vm.call(take,
            {vm.str(message), Value(category), vm.str(file), Value::integer(line), vm.str(text)});
    return;
  }
  const std::string told = fmt::format("{}:{}: {}: {}\n", file, line, category->name, message);
  if (!vm.state().warned.insert(told).second) return;
  vm.write_err(text.empty() ? told : fmt::format("{}  {}\n", told, text));
}

void Interpreter::warn(Type* category, std::string_view message) {
  const Frame* frame = script_frame(state_->frame);
  if (!frame) return warn_at(*this, category, message, nullptr, 0);
  const Code& code = *frame->code;
  const syntax::SourceFile& source = *code.source;
  warn_at(*this, category, message, &source, source.line_of(code.spans[frame->position()].begin));
}

}  // namespace gpy
