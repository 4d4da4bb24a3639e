// os.environ: a dict whose changes change the environment.
#include "runtime/core/environment.h"
#include "src/typed_native.h"
#include "src/types/dict.h"
#include "stdlib/native/os/os.h"

namespace gpy::lib {

static std::string checked(Interpreter& vm, const Value& v) {
  if (!v.is<Str>()) vm.raise_type_error("str expected, not {}", vm.type_of(v)->name);
  std::string text = bytes_for_system(vm, v.as<Str>()->view());
  if (text.find('\0') != text.npos) vm.raise_value_error("embedded null byte");
  return text;
}

static void put(Interpreter& vm, const Value& name, const Value& item) {
  std::string key = checked(vm, name), value = checked(vm, item);
  if (!rt::set_environment_variable(key.c_str(), value.c_str())) raise_os_error(vm, errno);
}

static void store(Interpreter& vm, Dict& variables, const Value& key, const Value& item) {
  put(vm, key, item);
  variables.set(vm, key, item);
}

static void store_all(Interpreter& vm, Dict& variables, Dict& items) {
  each_entry(items, [&](const Value& key, const Value& item) { store(vm, variables, key, item); });
}

// Removes a variable and gives its value; undefined if there is none.
static Value take(Interpreter& vm, Dict& variables, const Value& key) {
  Value gone;
  std::string name = checked(vm, key);
  if (!variables.erase(vm, key, &gone)) return Value();
  rt::unset_environment_variable(name.c_str());
  return gone;
}

static Value get(Interpreter& vm, const Value& self, const Value& key) {
  checked(vm, key);
  Value* found = self.as<Dict>()->find(vm, key);
  if (!found) vm.raise_key_error(key);
  return *found;
}

static void set(Interpreter& vm, const Value& self, const Value& key, const Value& item) {
  store(vm, *self.as<Dict>(), key, item);
}

static void erase(Interpreter& vm, const Value& self, const Value& key) {
  if (take(vm, *self.as<Dict>(), key).is_undefined()) vm.raise_key_error(key);
}

static Value setdefault(Interpreter& vm, Dict& self, const Value& key, const Value& item) {
  if (Value* found = self.find(vm, key)) return *found;
  store(vm, self, key, item);
  return item;
}

static Value pop(Interpreter& vm, Dict& self, const Value& key, const Value& fallback) {
  Value gone = take(vm, self, key);
  if (gone.is_defined()) return gone;
  if (fallback.is_undefined()) vm.raise_key_error(key);
  return fallback;
}

static Value update(Interpreter& vm, Dict& self, const Value& other, const Value& keywords) {
  Ref<Dict> items = vm.dict();
  if (other.is_defined()) update_dict(vm, *items, other);
  update_dict(vm, *items, keywords);
  store_all(vm, self, *items);
  return Value::none();
}

static Value clear(Interpreter& vm, Dict& self) {
  std::vector<Value> keys;
  each_entry(self, [&](const Value& key, const Value&) { keys.push_back(key); });
  for (const Value& key : keys) take(vm, self, key);
  return Value::none();
}

static Value inplace(Interpreter& vm, BinaryOp op, const Value& self, const Value& other) {
  if (op != BinaryOp::bit_or) return Value::not_implemented();
  Ref<Dict> items = vm.dict();
  update_dict(vm, *items, other);
  store_all(vm, *self.as<Dict>(), *items);
  return self;
}

static std::string environ_repr(Interpreter& vm, const Value& self) {
  return "environ(" + vm.types.dict->slots.repr(vm, self) + ")";
}

static const Native kMethods[] = {
    {"clear", "(self)", typed<clear>, "Removes all variables."},
    {"pop", "(self, key, default=<omitted>)", typed<pop>, "Takes a variable out."},
    {"setdefault", "(self, key, value)", typed<setdefault>, "A variable, put there if it is not."},
    {"update", "(self, other=<()>, /, **kwds)", typed<update>, "Sets several variables."},
};

static Value getenv(Interpreter& vm, const Args& call, const Value& key, const Value& fallback) {
  checked(vm, key);
  auto* variables = static_cast<Dict*>(call.callee().context);
  Value* found = variables->find(vm, key);
  return found ? *found : fallback;
}

static Value putenv(Interpreter& vm, const Value& name, const Value& value) {
  put(vm, name, value);
  return Value::none();
}

static Value unsetenv(Interpreter& vm, const Value& name) {
  rt::unset_environment_variable(checked(vm, name).c_str());
  return Value::none();
}

static const Native kGetenv = {"getenv", "(key, default=None)", typed<getenv>,
                               "A variable of the environment, else the default."};
static const Native kRows[] = {
    {"putenv", "(name, value, /)", typed<putenv>, "Sets a variable, past os.environ."},
    {"unsetenv", "(name, /)", typed<unsetenv>, "Removes a variable, past os.environ."},
};

void add_environment(Interpreter& vm, Module& module) {
  Type* type = vm.make_type<Dict>({.name = "_Environ",
                                   .module = "os",
                                   .doc = "The variables of the environment.",
                                   .base = vm.types.dict,
                                   .slots = {.repr = environ_repr,
                                             .getitem = get,
                                             .setitem = set,
                                             .delitem = erase,
                                             .inplace = inplace},
                                   .methods = kMethods});
  auto variables = vm.make<Dict>(type);
  for (const std::string_view text : rt::environment()) {
    size_t equals = text.find('=', 1);
    if (equals == text.npos) continue;
    variables->set(vm, text_from_system(vm, text.substr(0, equals)),
                   text_from_system(vm, text.substr(equals + 1)));
  }
  module.set(vm, "environ", variables);
  module.set(vm, "getenv", vm.function(kGetenv, "os", variables.get()));
  module.rows.push_back(kRows);
}

}  // namespace gpy::lib
