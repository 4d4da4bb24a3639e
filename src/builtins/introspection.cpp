// What a value is and has.
#include <fmt/ranges.h>

#include "src/args.h"
#include "src/builtins/rows.h"
#include "src/code.h"
#include "src/object_int.h"
#include "src/types/union.h"

namespace gpy {

// --- isinstance, issubclass ----------------------------------------------------------------------

// A class may say itself what counts as its subclass: those over abc.ABC do.
static bool counts_as(Interpreter& vm, Type* type, Type* wanted) {
  if (type->is_subclass_of(wanted)) return true;
  if (!wanted->is_class) return false;
  Str* name = vm.intern("__subclasscheck__");
  if (!wanted->lookup(name)) return false;
  vm.check_stack();
  return vm.truth(vm.call(vm.get_attribute(Value(wanted), name), {Value(type)}));
}

static bool matches(Interpreter& vm, Type* type, const Value& wanted, const char* message) {
  if (Type* one = wanted.try_as<Type>()) return counts_as(vm, type, one);
  Tuple* several = union_members(wanted);
  if (!several) several = wanted.try_as<Tuple>();
  if (!several) vm.raise_type_error("{}", message);
  vm.check_stack();
  for (const Value& each : several->items()) {
    if (matches(vm, type, each, message)) return true;
  }
  return false;
}

static Value isinstance(Interpreter& vm, Args args) {
  return Value::boolean(matches(vm, vm.type_of(args[0]), args[1],
                                "isinstance() arg 2 must be a type, a tuple of types, or a union"));
}

static Value issubclass(Interpreter& vm, Args args) {
  if (!args[0].is<Type>()) vm.raise_type_error("issubclass() arg 1 must be a class");
  return Value::boolean(
      matches(vm, args[0].as<Type>(), args[1],
              "issubclass() arg 2 must be a class, a tuple of classes, or a union"));
}

static Value callable(Interpreter& vm, Args args) {
  return Value::boolean(vm.is_callable(args[0]));
}

// --- attributes ----------------------------------------------------------------------------------

static Str* attribute_name(Interpreter& vm, const Value& name) {
  if (const Str* text = name.try_as<Str>()) return vm.intern(text->view());
  vm.raise_type_error("attribute name must be string, not '{}'", vm.type_name(name));
}

// Undefined when there is none, also when looking it up says so.
static Value find_attribute(Interpreter& vm, const Value& self, Str* name) {
  try {
    return vm.try_get_attribute(self, name);
  } catch (const Raised& raised) {
    if (!vm.is_instance(raised.exception, vm.types.attribute_error)) throw;
    return Value();
  }
}

static Value get_attribute(Interpreter& vm, Args args) {
  Str* name = attribute_name(vm, args[1]);
  if (!args.has(2)) return vm.get_attribute(args[0], name);
  Value found = find_attribute(vm, args[0], name);
  return found.is_defined() ? found : args[2];
}

static Value has_attribute(Interpreter& vm, Args args) {
  return Value::boolean(find_attribute(vm, args[0], attribute_name(vm, args[1])).is_defined());
}

static Value set_attribute(Interpreter& vm, Args args) {
  vm.set_attribute(args[0], attribute_name(vm, args[1]), args[2]);
  return Value::none();
}

static Value delete_attribute(Interpreter& vm, Args args) {
  vm.delete_attribute(args[0], attribute_name(vm, args[1]));
  return Value::none();
}

// --- identity ------------------------------------------------------------------------------------

static Value id(Interpreter& vm, Args args) {
  const Value& v = args[0];
  if (v.is_object())
    return Value::integer(static_cast<int64_t>(reinterpret_cast<uintptr_t>(v.as_object())));
  // Values that are no objects: the same number for the same value, far from any address.
  BigInt far = BigInt(static_cast<int>(v.tag()) + 1) << 64;
  return from_big(vm, far + BigInt(static_cast<uint64_t>(v.as_integer())));
}

static Value hash(Interpreter& vm, Args args) { return Value::integer(vm.hash(args[0])); }

// --- help ----------------------------------------------------------------------------------------

static std::string indented(std::string_view text) {
  std::string result;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    result += "    " + std::string(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return result;
}

static std::string doc_of(Interpreter& vm, const Value& v) {
  Value doc = find_attribute(vm, v, vm.intern("__doc__"));
  return doc.is<Str>() && doc.as<Str>()->bytes ? indented(doc.as<Str>()->view()) : std::string();
}

static const NativeFunction* native_of(const Value& v) {
  if (const auto* method = v.try_as<BoundMethod>())
    return method->function.try_as<NativeFunction>();
  return v.try_as<NativeFunction>();
}

// "a, b=2, *args, key=None"
static std::string parameters_of(Interpreter& vm, const Function& function) {
  const FunctionParameters& parameters = function.code->parameters;
  const size_t positional = parameters.positional, by_name = positional + parameters.keyword_only;
  const size_t rest = by_name + parameters.has_args;
  std::vector<std::string> items;
  auto add = [&](size_t i, const Value& fallback) {
    std::string item(parameters.names[i]->view());
    items.push_back(fallback.is_defined() ? item + "=" + vm.repr(fallback) : item);
  };
  const size_t required = positional - function.defaults.size();
  for (size_t i = 0; i < positional; ++i) {
    add(i, i < required ? Value() : function.defaults[i - required]);
    if (i + 1 == parameters.positional_only) items.push_back("/");
  }
  if (parameters.has_args) {
    items.push_back("*" + std::string(parameters.names[by_name]->view()));
  } else if (parameters.keyword_only) {
    items.push_back("*");
  }
  for (size_t i = positional; i < by_name; ++i) add(i, function.keyword_defaults[i - positional]);
  if (parameters.has_keywords) items.push_back("**" + std::string(parameters.names[rest]->view()));
  return fmt::format("{}", fmt::join(items, ", "));
}

static std::string title_of(Interpreter& vm, const Value& v) {
  if (const NativeFunction* native = native_of(v)) {
    return native->row->name + const_cast<NativeFunction*>(native)->signature().text();
  }
  if (const Type* type = v.try_as<Type>()) {
    std::string signature = type->constructor ? type->constructor->signature : "()";
    return "class " + type->full_name() + signature;
  }
  if (const Module* module = v.try_as<Module>()) return "module " + module->name;
  if (const Function* function = v.try_as<Function>()) {
    return fmt::format("{}({})", vm.to_str(function->name), parameters_of(vm, *function));
  }
  Value name = find_attribute(vm, v, vm.intern("__name__"));
  Value signature = find_attribute(vm, v, vm.intern("__text_signature__"));
  if (!name.is<Str>()) return vm.repr(v);
  return vm.to_str(name) + (signature.is<Str>() ? vm.to_str(signature) : std::string("(...)"));
}

static std::string public_names(Interpreter& vm, const Value& v) {
  std::string names;
  for (Str* name : vm.attribute_names(v)) {
    if (name->view().starts_with("_")) continue;
    names += (names.empty() ? "" : " ") + std::string(name->view());
  }
  return names.empty() ? names : "\n    It has: " + names + "\n";
}

static Value help(Interpreter& vm, Args args) {
  if (!args.has(0)) {
    vm.write_out("help(x) shows what x is for, and how it is called.\n");
    return Value::none();
  }
  const Value& v = args[0];
  std::string text = title_of(vm, v) + "\n" + doc_of(vm, v);
  if (v.is<Type>() || v.is<Module>()) text += public_names(vm, v);
  vm.write_out(text);
  return Value::none();
}

// --- leaving -------------------------------------------------------------------------------------

static Value leave(Interpreter& vm, Args args) {
  vm.raise(vm.call(Value(vm.types.system_exit), {args[0]}));
}

static const Native kRows[] = {
    {"callable", "(obj, /)", callable, "Whether it can be called."},
    {"delattr", "(obj, name, /)", delete_attribute, "del obj.name"},
    {"exit", "(code=None)", leave, "Ends the program with an exit code: raises SystemExit."},
    {"getattr", "(obj, name, default=<omitted>, /)", get_attribute,
     "obj.name, or the default if there is none."},
    {"hasattr", "(obj, name, /)", has_attribute, "Whether there is an attribute of that name."},
    {"hash", "(obj, /)", hash, "An int that equal values share."},
    {"help", "(obj=<omitted>, /)", help, "Shows what something is for."},
    {"id", "(obj, /)", id, "An int that tells this value from all others."},
    {"isinstance", "(obj, class_or_tuple, /)", isinstance,
     "Whether a value is of a type, or of one of several."},
    {"issubclass", "(cls, class_or_tuple, /)", issubclass, "Whether a type is a kind of another."},
    {"quit", "(code=None)", leave, "Ends the program with an exit code: raises SystemExit."},
    {"setattr", "(obj, name, value, /)", set_attribute, "obj.name = value"},
};

std::span<const Native> introspection_rows() { return kRows; }

}  // namespace gpy
