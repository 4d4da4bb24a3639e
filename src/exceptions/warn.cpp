#include "src/exceptions/warn.h"

#include "src/state.h"

namespace gpy {

// A function of the module warnings; undefined until a script has imported that.
static Value function_of_warnings(Interpreter& vm, const char* name) {
  Value* module = vm.modules->find(vm.intern("warnings"));
  if (!module || !module->is<Module>()) return Value();
  Value* found = module->as<Module>()->names->find(vm.intern(name));
  return found ? *found : Value();
}

bool warn_by_module(Interpreter& vm, Type* category, std::string_view message,
                    const Position& place) {
  Value take = function_of_warnings(vm, "_from_native");
  if (take.is_undefined()) return false;
  Value line = Value::integer(place.line);
  vm.call(take, {vm.str(message), Value(category), vm.str(place.file), line});
  return true;
}

// Once for each place.
static bool write_warning(Interpreter& vm, const Type* category, std::string_view message,
                          std::string_view file, uint32_t line) {
  std::string key = fmt::format("{}:{}:{}:{}", file, line, category->name, message);
  if (!vm.state().warned.insert(key).second) return false;
  vm.write_err(fmt::format("{}:{}: {}: {}\n", file, line, category->name, message));
  return true;
}

void warn_of_source(Interpreter& vm, Type* category, std::string_view message,
                    const syntax::SourceFile& source, int line) {
  if (Value take = function_of_warnings(vm, "warn_explicit"); take.is_defined()) {
    vm.call(take, {vm.str(message), Value(category), vm.str(source.name()), Value::integer(line)});
    return;
  }
  const auto number = static_cast<uint32_t>(line);
  if (!write_warning(vm, category, message, source.name(), number)) return;
  std::string_view text = source.line(line);
  text.remove_prefix(std::min(text.find_first_not_of(" \t\f"), text.size()));
  vm.write_err(fmt::format("  {}\n", text));
}

void Interpreter::warn(Type* category, std::string_view message) {
  const Position at = current_position();
  if (warn_by_module(*this, category, message, at)) return;
  write_warning(*this, category, message, at.file, at.line);
}

}  // namespace gpy
