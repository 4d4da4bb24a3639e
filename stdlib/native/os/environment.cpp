// os.environ: a dict whose changes are the environment's.
#include "runtime/core/environment.h"
#include "src/types/dict.h"
#include "stdlib/native/os/os.h"

namespace gpy::lib {

static Dict& dict_of(const Value& v) { return *v.as<Dict>(); }

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

static void set(Interpreter& vm, const Value& self, const Value& key, const Value& item) {
  put(vm, key, item);
  dict_of(self).set(vm, key, item);
}

static Value take(Interpreter& vm, const Value& self, const Value& key) {
  Value gone;
  std::string name = checked(vm, key);
  if (!dict_of(self).erase(vm, key, &gone)) return Value();
  rt::unset_environment_variable(name.c_str());
  return gone;
}

static Value get(Interpreter& vm, const Value& self, const Value& key) {
  checked(vm, key);
  Value* found = dict_of(self).find(vm, key);
  if (!found) vm.raise_key_error(key);
  return *found;
}

static void erase(Interpreter& vm, const Value& self, const Value& key) {
  if (take(vm, self, key).is_undefined()) vm.raise_key_error(key);
}

static Value setdefault(Interpreter& vm, Args args) {
  if (Value* found = dict_of(args[0]).find(vm, args[1])) return *found;
  set(vm, args[0], args[1], args[2]);
  return args[2];
}

static Value pop(Interpreter& vm, Args args) {
  Value gone = take(vm, args[0], args[1]);
  if (gone.is_defined()) return gone;
  if (!args.has(2)) vm.raise_key_error(args[1]);
  return args[2];
}

static Value update(Interpreter& vm, Args args) {
  Ref<Dict> items = vm.dict();
  if (args.has(1)) update_dict(vm, *items, args[1]);
  update_dict(vm, *items, args[2]);
  each_entry(*items, [&](const Value& key, const Value& item) { set(vm, args[0], key, item); });
  return Value::none();
}

static Value clear(Interpreter& vm, Args args) {
  std::vector<Value> keys;
  each_entry(dict_of(args[0]), [&](const Value& key, const Value&) { keys.push_back(key); });
  for (const Value& key : keys) take(vm, args[0], key);
  return Value::none();
}

static Value inplace(Interpreter& vm, BinaryOp op, const Value& self, const Value& other) {
  if (op != BinaryOp::bit_or) return Value::not_implemented();
  Ref<Dict> items = vm.dict();
  update_dict(vm, *items, other);
  each_entry(*items, [&](const Value& key, const Value& item) { set(vm, self, key, item); });
  return self;
}

static std::string environ_repr(Interpreter& vm, const Value& self) {
  return "environ(" + vm.types.dict->slots.repr(vm, self) + ")";
}

static const Native kMethods[] = {
    {"clear", "(self)", clear, "Removes all variables."},
    {"pop", "(self, key, default=<omitted>)", pop, "Takes a variable out."},
    {"setdefault", "(self, key, value)", setdefault, "A variable, put there if it is not."},
    {"update", "(self, other=<()>, /, **kwds)", update, "Sets several variables."},
};

static Value getenv(Interpreter& vm, Args args) {
  checked(vm, args[0]);
  auto* variables = static_cast<Dict*>(args.callee().context);
  Value* found = variables->find(vm, args[0]);
  return found ? *found : args[1];
}

static Value putenv(Interpreter& vm, Args args) {
  put(vm, args[0], args[1]);
  return Value::none();
}

static Value unsetenv(Interpreter& vm, Args args) {
  rt::unset_environment_variable(checked(vm, args[0]).c_str());
  return Value::none();
}

static const Native kGetenv = {"getenv", "(key, default=None)", getenv,
                               "A variable of the environment, else the default."};
static const Native kRows[] = {
    {"putenv", "(name, value, /)", putenv, "Sets a variable, past os.environ."},
    {"unsetenv", "(name, /)", unsetenv, "Removes a variable, past os.environ."},
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
