#include "src/types/union.h"

#include "src/interpreter.h"
#include "src/memory/traverse.h"
#include "src/state.h"
#include "src/types/generic_alias.h"

namespace gpy {

namespace {

struct Union : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  Union(Type* type, Ref<Tuple> members) : Object(type), members(std::move(members)) {}
  Ref<Tuple> members;
};

}  // namespace

static std::string union_repr(Interpreter& vm, const Value& self);

Tuple* union_members(const Value& v) {
  bool is_union = v.is_object() && v.as_object()->type->slots.repr == union_repr;
  return is_union ? v.as<Union>()->members.get() : nullptr;
}

// Adds the types that `v` denotes, each once; false: it denotes none.
static bool add_members(Interpreter& vm, std::vector<Value>& members, const Value& v) {
  if (Tuple* more = union_members(v)) {
    for (const Value& each : more->items()) add_members(vm, members, each);
    return true;
  }
  Value type = v.is_none() ? Value(vm.types.none) : v;
  if (!type.is<Type>() && !is_generic_alias(type)) return false;
  for (const Value& known : members) {
    if (vm.equal(known, type)) return true;
  }
  members.push_back(type);
  return true;
}

static Type* union_type(Interpreter& vm) {
  for (Type* type : vm.state().all_types) {
    if (type->slots.repr == union_repr) return type;
  }
  return nullptr;
}

static Value unite(Interpreter& vm, BinaryOp op, const Value& lhs, const Value& rhs) {
  std::vector<Value> members;
  bool known = op == BinaryOp::bit_or && !(lhs.is_none() && rhs.is_none()) &&
               add_members(vm, members, lhs) && add_members(vm, members, rhs);
  if (!known) return Value::not_implemented();
  if (members.size() == 1) return members[0];
  return vm.make<Union>(union_type(vm), Tuple::make(vm, members));
}

static std::string union_repr(Interpreter& vm, const Value& self) {
  std::string text;
  for (const Value& each : union_members(self)->items()) {
    const bool none = each.same(Value(vm.types.none));
    text += (text.empty() ? "" : " | ") + (none ? "None" : annotation_text(vm, each));
  }
  return text;
}

// Compares members in any order.
static bool equal_members(Interpreter& vm, Tuple& a, Tuple& b) {
  auto has = [&](Tuple& members, const Value& type) {
    for (const Value& each : members.items()) {
      if (vm.equal(each, type)) return true;
    }
    return false;
  };
  for (const Value& each : a.items()) {
    if (!has(b, each)) return false;
  }
  return a.size == b.size;
}

static Value union_compare(Interpreter& vm, CompareOp op, const Value& self, const Value& other) {
  bool equality = op == CompareOp::equal || op == CompareOp::not_equal;
  if (!equality || !union_members(other)) return Value::not_implemented();
  bool equal = equal_members(vm, *union_members(self), *union_members(other));
  return Value::boolean(equal == (op == CompareOp::equal));
}

static int64_t union_hash(Interpreter& vm, const Value& self) {
  int64_t hash = 0;
  for (const Value& each : union_members(self)->items()) hash ^= vm.hash(each);
  return hash == -1 ? -2 : hash;
}

static Value union_args(Interpreter&, const Value& self) {
  return Value(Ref<Tuple>(union_members(self)));
}

static Value union_parameters(Interpreter& vm, const Value& self) {
  return vm.tuple(type_parameters(vm, union_members(self)->items()));
}

static Value union_getitem(Interpreter& vm, const Value& self, const Value& key) {
  std::vector<Value> members = with_type_arguments(vm, self, union_members(self)->items(), key);
  Value made = members[0];
  for (size_t i = 1; i < members.size(); ++i) made = vm.binary(BinaryOp::bit_or, made, members[i]);
  return made;
}

static const NativeGetter kGetters[] = {
    {"__args__", union_args, nullptr, "The types to choose from."},
    {"__parameters__", union_parameters, nullptr, "The type variables in them."},
};

void setup_union(Interpreter& vm) {
  vm.types.type->slots.binary = unite;
  generic_alias_type(vm)->slots.binary = unite;
  vm.make_type<Union>({.name = "UnionType",
                       .module = "types",
                       .doc = "A choice of types: int | str.",
                       .slots = {.repr = union_repr,
                                 .hash = union_hash,
                                 .compare = union_compare,
                                 .getitem = union_getitem,
                                 .binary = unite,
                                 .traverse = traverse<&Union::members>},
                       .getters = kGetters});
}

}  // namespace gpy
