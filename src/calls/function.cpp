// The types of functions, methods, cells, and the attributes that types hold.
#include "src/calls/args.h"
#include "src/calls/documentation.h"
#include "src/calls/receiver.h"
#include "src/classes/attributes.h"
#include "src/code.h"
#include "src/interpreter.h"
#include "src/run/run.h"
#include "src/state.h"
#include "src/exceptions/traceback.h"
#include "src/memory/traverse.h"
#include "src/typed_native.h"
#include "src/types/setup.h"

namespace gpy {

Function::Function(Type* type, Ref<Code> code, Ref<Dict> globals)
    : Object(type), code(std::move(code)), globals(std::move(globals)) {
  this->globals->mark_as_namespace();
}
Function::~Function() = default;

NativeFunction::NativeFunction(Type* type, const Native& row, std::string qualifier, void* context)
    : Object(type), row(&row), qualifier(std::move(qualifier)), context(context) {}
NativeFunction::~NativeFunction() = default;

const Signature& NativeFunction::signature() {
  if (signature_) return *signature_;
  auto parsed = std::make_unique<Signature>(Signature::parse(*type->vm, row->signature));
  const auto count = static_cast<int>(parsed->parameters.size());
  if (row->body.parameters >= 0 && row->body.parameters != count) {
    type->vm->raise_runtime_error("{}: {} parameters have a body for {}", row->name, count,
                                  row->body.parameters);
  }
  signature_ = std::move(parsed);
  return *signature_;
}

std::string_view NativeFunction::parameter_name(size_t at) const {
  return signature_->parameters[at].name;
}

// --- function ------------------------------------------------------------------------------------

static std::string function_repr(Interpreter& vm, const Value& self) {
  return fmt::format("<function {} at {}>", vm.to_str(self.as<Function>()->qualified_name),
                     static_cast<void*>(self.as_object()));
}

static Value function_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  return call_function(vm, self.as<Function>(), Value(), arguments);
}

static Value function_getattr(Interpreter&, const Value& self, Str* name) {
  auto* function = self.as<Function>();
  Value* found = function->attributes ? function->attributes->find(name) : nullptr;
  return found ? *found : Value();
}

static bool function_setattr(Interpreter& vm, const Value& self, Str* name, const Value& item) {
  auto* function = self.as<Function>();
  if (!function->attributes) function->attributes = vm.dict();
  if (item.is_undefined()) return function->attributes->erase(name);
  function->attributes->set(name, item);
  return true;
}

static void function_names(Interpreter&, const Value& self, std::vector<Str*>& names) {
  auto* function = self.as<Function>();
  if (!function->attributes) return;
  for (auto& entry : function->attributes->entries()) {
    if (entry.key.is<Str>()) names.push_back(entry.key.as<Str>());
  }
}

static Value bind_function(Interpreter& vm, const Value& attribute, const Value& instance, Type*) {
  if (instance.is_undefined()) return attribute;
  return vm.make<BoundMethod>(vm.types.bound_method, attribute, instance);
}

#define GPY_FIELD(field)                                                                           \
  static Value get_##field(Interpreter&, const Value& self) { return self.as<Function>()->field; } \
  static void set_##field(Interpreter&, const Value& self, const Value& item) {                    \
    self.as<Function>()->field = item;                                                             \
  }
GPY_FIELD(name)
GPY_FIELD(qualified_name)
GPY_FIELD(module)
#undef GPY_FIELD

static Value get_doc(Interpreter& vm, const Value& self) {
  const auto* function = self.as<Function>();
  const bool is_named = function->module.is<Str>() && function->qualified_name.is<Str>();
  if (!function->doc.is<Str>() || !is_named) return function->doc;
  return vm.str(documentation(vm, vm.to_str(function->doc), vm.to_str(function->module),
                              vm.to_str(function->qualified_name)));
}

static void set_doc(Interpreter&, const Value& self, const Value& item) {
  self.as<Function>()->doc = item;
}

static Value get_defaults(Interpreter& vm, const Value& self) {
  const auto& defaults = self.as<Function>()->defaults;
  return defaults.empty() ? Value::none() : vm.tuple(defaults);
}

static Value get_keyword_defaults(Interpreter& vm, const Value& self) {
  const auto* function = self.as<Function>();
  const FunctionParameters& parameters = function->code->parameters;
  Ref<Dict> defaults;
  for (size_t i = 0; i < function->keyword_defaults.size(); ++i) {
    const Value& item = function->keyword_defaults[i];
    if (item.is_undefined()) continue;
    if (!defaults) defaults = vm.dict();
    defaults->set(parameters.names[parameters.positional + i], item);
  }
  return defaults ? Value(defaults) : Value::none();
}

static Value get_annotations(Interpreter& vm, const Value& self) {
  auto* function = self.as<Function>();
  if (!function->annotations) function->annotations = vm.dict();
  return function->annotations;
}

static void set_annotations(Interpreter& vm, const Value& self, const Value& item) {
  if (!item.is<Dict>() && !item.is_none()) {
    vm.raise_type_error("__annotations__ must be set to a dict object");
  }
  self.as<Function>()->annotations = item.is_none() ? Ref<Dict>() : Ref<Dict>(item.as<Dict>());
}

static Value get_dict(Interpreter& vm, const Value& self) {
  auto* function = self.as<Function>();
  if (!function->attributes) function->attributes = vm.dict();
  return function->attributes;
}

static void set_dict(Interpreter& vm, const Value& self, const Value& item) {
  self.as<Function>()->attributes = dict_to_set(vm, item);
}

static Value get_code(Interpreter&, const Value& self) { return self.as<Function>()->code; }

static const NativeGetter kFunctionGetters[] = {
    {"__name__", get_name, set_name},
    {"__qualname__", get_qualified_name, set_qualified_name},
    {"__doc__", get_doc, set_doc},
    {"__module__", get_module, set_module},
    {"__defaults__", get_defaults},
    {"__annotations__", get_annotations, set_annotations},
    {"__dict__", get_dict, set_dict, "", true},
    {"__code__", get_code},
    {"__kwdefaults__", get_keyword_defaults},
};

// --- native function -----------------------------------------------------------------------------

static std::string native_repr(Interpreter&, const Value& self) {
  auto* native = self.as<NativeFunction>();
  if (!native->is_method) return fmt::format("<built-in function {}>", native->row->name);
  const char* what =
      native->type == native->type->vm->state().slot_wrapper ? "slot wrapper" : "method";
  return fmt::format("<{} '{}' of '{}' objects>", what, native->row->name, native->qualifier);
}

static Value native_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  return call_native(vm, *self.as<NativeFunction>(), Value(), arguments);
}

static Value bind_native(Interpreter& vm, const Value& attribute, const Value& instance, Type*) {
  const NativeFunction& native = *attribute.as<NativeFunction>();
  if (instance.is_undefined() || !native.is_method) return attribute;
  check_binds(vm, native, instance);
  bool is_slot = vm.type_of(attribute) == vm.state().slot_wrapper;
  Type* type = is_slot ? vm.state().bound_slot : vm.state().bound_native;
  return vm.make<BoundMethod>(type, attribute, instance);
}

static Value native_name(Interpreter& vm, const Value& self) {
  return vm.str(self.as<NativeFunction>()->row->name);
}

static Value native_qualified_name(Interpreter& vm, const Value& self) {
  auto* native = self.as<NativeFunction>();
  if (!native->is_method) return vm.str(native->row->name);
  return vm.str(native->qualifier + "." + native->row->name);
}

static Value native_signature(Interpreter& vm, const Value& self) {
  return vm.str(self.as<NativeFunction>()->signature().text());
}

static Value native_module(Interpreter& vm, const Value& self) {
  auto* native = self.as<NativeFunction>();
  if (native->is_method || native->qualifier.empty()) return vm.str("builtins");
  return vm.str(native->qualifier);
}

static Value native_doc(Interpreter& vm, const Value& self) {
  const auto* native = self.as<NativeFunction>();
  const char* own = native->row->doc;
  if (!native->is_method) {
    return vm.str(documentation(vm, own, native->qualifier, native->row->name));
  }
  const Value home = native->owner ? vm.get_attribute(Value(native->owner), "__module__") : Value();
  if (!home.is<Str>()) return vm.str(own);
  return vm.str(
      documentation(vm, own, vm.to_str(home), native->qualifier + "." + native->row->name));
}

static const NativeGetter kNativeGetters[] = {
    {"__name__", native_name},     {"__qualname__", native_qualified_name},
    {"__doc__", native_doc},       {"__text_signature__", native_signature},
    {"__module__", native_module},
};

// --- bound method --------------------------------------------------------------------------------

static std::string method_repr(Interpreter& vm, const Value& self) {
  auto* method = self.as<BoundMethod>();
  Value name = vm.get_attribute(method->function, vm.state().names.__qualname__);
  return fmt::format("<bound method {} of {}>", vm.to_str(name), vm.repr(method->self));
}

static std::string bound_native_repr(Interpreter& vm, const Value& self) {
  auto* method = self.as<BoundMethod>();
  const auto* native = method->function.try_as<NativeFunction>();
  if (!native) return method_repr(vm, self);
  const Value& on = method->self;
  const void* address = on.is_object() ? static_cast<void*>(on.as_object()) : method;
  if (vm.type_of(self) == vm.state().bound_slot) {
    return fmt::format("<method-wrapper '{}' of {} object at {}>", native->row->name,
                       vm.type_name(on), address);
  }
  return fmt::format("<built-in method {} of {} object at {}>", native->row->name, vm.type_name(on),
                     address);
}

static Value method_call(Interpreter& vm, const Value& self, const CallArgs& arguments) {
  auto* method = self.as<BoundMethod>();
  if (auto* native = method->function.try_as<NativeFunction>()) {
    return call_native(vm, *native, method->self, arguments);
  }
  if (auto* function = method->function.try_as<Function>()) {
    return call_function(vm, function, method->self, arguments);
  }
  return call_with_first(vm, method->function, method->self, arguments);
}

static Value method_getattr(Interpreter& vm, const Value& self, Str* name) {
  return vm.try_get_attribute(self.as<BoundMethod>()->function, name);
}

static Value method_compare(Interpreter&, CompareOp op, const Value& self, const Value& other) {
  auto* a = self.as<BoundMethod>();
  auto* b = other.try_as<BoundMethod>();
  if (!b || op > CompareOp::not_equal) return Value::not_implemented();
  bool equal = a->function.same(b->function) && a->self.same(b->self);
  return Value::boolean(equal == (op == CompareOp::equal));
}

static int64_t method_hash(Interpreter&, const Value& self) {
  auto* method = self.as<BoundMethod>();
  auto word = [](const Value& v) {
    return reinterpret_cast<intptr_t>(v.is_object() ? v.as_object() : nullptr);
  };
  return (word(method->function) >> 4) ^ (word(method->self) >> 3);
}

static Value method_self(Interpreter&, const Value& self) { return self.as<BoundMethod>()->self; }
static Value method_function(Interpreter&, const Value& self) {
  return self.as<BoundMethod>()->function;
}
static Value method_doc(Interpreter& vm, const Value& self) {
  return vm.get_attribute(self.as<BoundMethod>()->function, vm.state().names.__doc__);
}

static Value make_method(Interpreter& vm, Type& type, const Value& function,
                         const Value& instance) {
  if (!vm.is_callable(function)) vm.raise_type_error("first argument must be callable");
  if (instance.is_none()) vm.raise_type_error("instance must not be None");
  return vm.make<BoundMethod>(&type, function, instance);
}

static const Native kMakeMethod = {"method", "(type, function, instance, /)", typed<make_method>,
                                   "A function with its first argument."};

static const NativeGetter kMethodGetters[] = {
    {"__self__", method_self}, {"__func__", method_function}, {"__doc__", method_doc}};

// --- what types hold -----------------------------------------------------------------------------

static std::string getter_repr(Interpreter&, const Value& self) {
  auto* getter = self.as<Getter>();
  return fmt::format("<attribute '{}' of '{}' objects>", getter->row->name, getter->owner->name);
}

static Value getter_doc(Interpreter& vm, const Value& self) {
  return vm.str(self.as<Getter>()->row->doc);
}
static const NativeGetter kGetterGetters[] = {{"__doc__", getter_doc}};

constexpr auto kTraverseFunction =
    traverse<&Function::code, &Function::globals, &Function::defaults, &Function::keyword_defaults,
             &Function::cells, &Function::name, &Function::qualified_name, &Function::doc,
             &Function::module, &Function::annotations, &Function::attributes>;

// Skips the constants, which frames hold too: none of them can be part of a cycle.
static void traverse_code(Object* self, Visit visit, void* context) {
  auto* code = static_cast<Code*>(self);
  for (const Ref<Code>& child : code->children) report(child, visit, context);
  for (const Site& site : code->sites) report(site.found, visit, context);
}

void setup_functions(Interpreter& vm) {
  Types& t = vm.types;
  t.function = vm.make_type<Function>({.name = "function",
                                       .slots = {.repr = function_repr,
                                                 .call = function_call,
                                                 .getattr = function_getattr,
                                                 .setattr = function_setattr,
                                                 .list_names = function_names,
                                                 .bind = bind_function,
                                                 .traverse = kTraverseFunction},
                                       .getters = kFunctionGetters});
  auto native = [&](const char* name) {
    return vm.make_type<NativeFunction>(
        {.name = name,
         .slots = {.repr = native_repr, .call = native_call, .bind = bind_native},
         .getters = kNativeGetters});
  };
  auto bound = [&](const char* name, std::string (*repr)(Interpreter&, const Value&)) {
    return vm.make_type<BoundMethod>(
        {.name = name,
         .slots = {.repr = repr,
                   .hash = method_hash,
                   .compare = method_compare,
                   .call = method_call,
                   .getattr = method_getattr,
                   .traverse = traverse<&BoundMethod::function, &BoundMethod::self>},
         .getters = kMethodGetters});
  };
  t.native_function = native("builtin_function_or_method");
  vm.state().method_descriptor = native("method_descriptor");
  vm.state().slot_wrapper = native("wrapper_descriptor");
  t.bound_method = bound("method", method_repr);
  t.bound_method->constructor = &kMakeMethod;
  vm.state().bound_native = bound("builtin_function_or_method", bound_native_repr);
  vm.state().bound_slot = bound("method-wrapper", bound_native_repr);
  t.getter = vm.make_type<Getter>(
      {.name = "getset_descriptor", .slots = {.repr = getter_repr}, .getters = kGetterGetters});
  t.cell = vm.make_type<Cell>({.name = "cell", .slots = {.traverse = traverse<&Cell::value>}});
  t.code = vm.make_type<Code>(
      {.name = "code", .slots = {.traverse = traverse_code}, .getters = code_getters()});
}

}  // namespace gpy
