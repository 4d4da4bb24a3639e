#include "src/type.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "runtime/core/room.h"
#include "src/classes/class_slots.h"
#include "src/classes/instance.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

const char* symbol(BinaryOp op) {
  static constexpr const char* kSymbols[] = {"+", "-",  "*",  "/", "//", "%", "** or pow()",
                                             "@", "<<", ">>", "&", "|",  "^", "divmod()"};
  return kSymbols[static_cast<int>(op)];
}

const char* symbol(CompareOp op) {
  static constexpr const char* kSymbols[] = {"==", "!=", "<", "<=", ">", ">="};
  return kSymbols[static_cast<int>(op)];
}

const char* symbol(UnaryOp op) {
  static constexpr const char* kSymbols[] = {"-", "+", "~"};
  return kSymbols[static_cast<int>(op)];
}

CompareOp swapped(CompareOp op) {
  using enum CompareOp;
  static constexpr CompareOp kSwapped[] = {equal,         not_equal, greater,
                                           greater_equal, less,      less_equal};
  return kSwapped[static_cast<int>(op)];
}

void refuse_to_read(const Value& value, const char* as) {
  const std::string what = value.is_object()
                               ? value.unchecked_object()->type->full_name() + " object"
                               : fmt::format("value with tag {}", static_cast<int>(value.tag()));
  throw std::logic_error(fmt::format("a native function read a {} as {}", what, as));
}

Type::Type(Type* metatype, Interpreter* vm) : Object(metatype), vm(vm) {}

// Keeps a shape, since caches in the code may know its address, which a new one must not get.
static void keep_shape(Interpreter& vm, std::unique_ptr<Shape> shape) {
  constexpr size_t kMany = 1000;
  DeadShapes& dead = vm.state().dead_shapes;
  dead.add(std::move(shape));
  if (dead.count() % kMany == 0) vm.heap.on_growth(vm.heap.owner);
}

Type::~Type() {
  if (!is_class) return;
  if (root_shape) keep_shape(*vm, std::move(root_shape));
  leave_bases();
  for (Type* each : bases) release(each);
}

void Type::leave_bases() {
  for (Type* each : bases) std::erase(each->subclasses, this);
}

std::string Type::full_name() const {
  return is_class || module == "builtins" ? name : module + "." + name;
}

std::string Type::shown_name() const {
  if (!is_class) return full_name();
  Value* home = attributes->find(vm->state().names.__module__);
  bool is_builtin = !home || !home->is<Str>() || home->as<Str>()->view() == "builtins";
  return is_builtin ? qualified_name : vm->to_str(*home) + "." + qualified_name;
}

bool Type::is_subclass_of(const Type* other) const {
  if (this == other) return true;
  return std::find(mro.begin(), mro.end(), other) != mro.end();
}

const Value* Type::lookup_own(Str* name) {
  if (!attributes) materialise();
  return attributes->find(name);
}

const Value* Type::lookup(Str* name) {
  for (Type* type : mro) {
    if (const Value* found = type->lookup_own(name)) return found;
  }
  return nullptr;
}

static Value make_method(Interpreter& vm, Type* type, const Native& row) {
  bool is_static = row.binding == Native::static_method;
  Type* kind = is_static ? vm.types.native_function : vm.state().method_descriptor;
  auto method = vm.make<NativeFunction>(kind, row, type->name, nullptr);
  if (is_static) return vm.make<StaticMethod>(vm.types.static_method, method);
  method->owner = type;
  if (row.binding == Native::class_method)
    return vm.make<ClassMethod>(vm.types.class_method, method);
  method->is_method = true;
  return method;
}

void Type::materialise() {
  Ref<Dict> made = vm->make<Dict>(vm->types.dict);
  for (auto rows : methods) {
    for (const Native& row : rows) {
      made->set(vm->intern(row.name), make_method(*vm, this, row));
    }
  }
  for (auto rows : getters) {
    for (const NativeGetter& row : rows) {
      made->set(vm->intern(row.name), vm->make<Getter>(vm->types.getter, row, this));
    }
  }
  attributes = std::move(made);  // all of them, or none and again later
}

void Type::set_attribute(Str* name, Value item) {
  if (!attributes) materialise();
  if (item.is_undefined()) {
    attributes->erase(name);
  } else {
    attributes->set(name, std::move(item));
  }
  change_version();
  if (is_class && is_special_name(name->view())) fill_class_slots(*this);
}

void Type::change_version() {
  version = ++vm->state().versions;
  for (Type* each : subclasses) each->change_version();
}

template <class Slot> static void inherit(Slot& own, Slot base) {
  if (!own) own = base;
}

void inherit_slots(Slots& own, const Slots& base) {
  if (!own.compare) inherit(own.hash, base.hash);
  inherit(own.compare, base.compare);
  inherit(own.repr, base.repr);
  inherit(own.str, base.str);
  inherit(own.truth, base.truth);
  inherit(own.length, base.length);
  inherit(own.getitem, base.getitem);
  inherit(own.setitem, base.setitem);
  inherit(own.delitem, base.delitem);
  inherit(own.contains, base.contains);
  inherit(own.iter, base.iter);
  inherit(own.next, base.next);
  inherit(own.call, base.call);
  inherit(own.getattr, base.getattr);
  inherit(own.setattr, base.setattr);
  inherit(own.list_names, base.list_names);
  inherit(own.unary, base.unary);
  inherit(own.absolute, base.absolute);
  inherit(own.binary, base.binary);
  inherit(own.inplace, base.inplace);
  inherit(own.index, base.index);
  inherit(own.to_int, base.to_int);
  inherit(own.to_float, base.to_float);
  inherit(own.to_complex, base.to_complex);
  inherit(own.format, base.format);
  inherit(own.enter, base.enter);
  inherit(own.exit, base.exit);
  inherit(own.bind, base.bind);
  inherit(own.traverse, base.traverse);
  inherit(own.finalise, base.finalise);
  inherit(own.destroy, base.destroy);
}

Type* Interpreter::make_type(const TypeSpec& spec, ObjectLayout layout, void (*destroy)(Object*)) {
  rt::make_room(state_->all_types);
  auto* type = new Type(types.type, this);
  retain(type);
  state_->all_types.push_back(type);
  type->name = spec.name;
  type->module = spec.module;
  type->doc = spec.doc;
  type->instance_layout = layout;
  type->is_final = spec.is_final;
  type->base = spec.base ? spec.base : types.object;
  if (type->base) type->bases.push_back(type->base);
  type->slots = spec.slots;
  type->slots.destroy = destroy;
  type->constructor = spec.constructor;
  type->version = ++state_->versions;
  type->mro.push_back(type);
  if (type->base) {
    type->mro.insert(type->mro.end(), type->base->mro.begin(), type->base->mro.end());
    inherit_slots(type->slots, type->base->slots);
    if (!type->constructor && type->base != types.object)
      type->constructor = type->base->constructor;
  }
  if (!spec.methods.empty()) type->methods.push_back(spec.methods);
  if (!spec.getters.empty()) type->getters.push_back(spec.getters);
  if (type->base) type->base->subclasses.push_back(type);  // last: none is found half made
  return type;
}

}  // namespace gpy
