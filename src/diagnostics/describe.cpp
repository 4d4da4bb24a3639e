// Describes a value in a few words, without running any code of a script.
#include "src/diagnostics/failure.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

static std::string text_in_words(Interpreter& vm, const Value& value) {
  constexpr uint32_t kShort = 20;
  const Str* text = value.as<Str>();
  if (text->length > kShort) return fmt::format("str of {}", text->length);
  return "str " + vm.repr(value);
}

static std::string number_in_words(Interpreter& vm, const Value& value) {
  constexpr size_t kShort = 24;
  const std::string digits = vm.repr(value);
  const std::string& type = vm.type_of(value)->name;
  return digits.size() > kShort ? type : type + " " + digits;
}

// The size of a builtin container: "list of 3".
static std::string count_in_words(Interpreter& vm, const Value& value) {
  size_t count = 0;
  switch (value.as_object()->layout) {
    case ObjectLayout::list: count = value.as<List>()->items.size(); break;
    case ObjectLayout::tuple: count = value.as<Tuple>()->size; break;
    case ObjectLayout::dict: count = value.as<Dict>()->size(); break;
    case ObjectLayout::set: count = value.as<Set>()->size(); break;
    case ObjectLayout::bytes: count = value.as<Bytes>()->data.size(); break;
    default: return "";
  }
  return fmt::format("{} of {}", vm.type_of(value)->name, count);
}

std::string describe(Interpreter& vm, const Value& value) {
  if (value.is_undefined()) return "";
  for (auto known : vm.state().describers) {
    std::string text = known(vm, value);
    if (!text.empty()) return text;
  }
  if (value.is_none()) return "None";
  if (!value.is_object()) return number_in_words(vm, value);
  const Type* type = value.as_object()->type;
  if (type == vm.types.str) return text_in_words(vm, value);
  if (type == vm.types.integer || type == vm.types.complex) return number_in_words(vm, value);
  if (const Module* module = value.try_as<Module>()) return "module " + module->name;
  if (const Type* self = value.try_as<Type>()) return "class " + self->full_name();
  const std::string counted = count_in_words(vm, value);
  return counted.empty() ? type->full_name() : counted;
}

}  // namespace gpy
