#pragma once
// A Type holds what all objects of a kind share: a name, bases, attributes, and slots. A slot is a
// plain function that gets the interpreter; a null slot means that the type cannot do it (or, where
// said below, that the default applies). Types of builtin values have slots written in C++.

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/native.h"
#include "src/value.h"

namespace gpy {

struct Dict;
struct Str;
struct CallArgs;
struct NativeFunction;
class Shape;

enum class BinaryOp : uint8_t {
  add,
  subtract,
  multiply,
  true_divide,
  floor_divide,
  remainder,
  power,
  matmul,
  left_shift,
  right_shift,
  bit_and,
  bit_or,
  bit_xor,
  divmod,
};
enum class CompareOp : uint8_t { equal, not_equal, less, less_equal, greater, greater_equal };

// Whether the comparison is true for operands in that order; for unordered ones only != is.
constexpr bool holds(CompareOp op, std::partial_ordering order) {
  switch (op) {
    case CompareOp::equal: return order == 0;
    case CompareOp::not_equal: return order != 0;
    case CompareOp::less: return order < 0;
    case CompareOp::less_equal: return order <= 0;
    case CompareOp::greater: return order > 0;
    case CompareOp::greater_equal: return order >= 0;
  }
  __builtin_unreachable();
}

enum class UnaryOp : uint8_t { negative, positive, invert };

const char* symbol(BinaryOp op);   // "+"
const char* symbol(CompareOp op);  // "<"
const char* symbol(UnaryOp op);    // "-"
CompareOp swapped(CompareOp op);   // a < b is b > a

using Visit = void (*)(Object* child, void* context);

struct Slots {
  std::string (*repr)(Interpreter&, const Value& self) = nullptr;  // default <name object at 0x>
  std::string (*str)(Interpreter&, const Value& self) = nullptr;   // default repr
  // Default: by identity. A type with `compare` and no `hash` is unhashable.
  int64_t (*hash)(Interpreter&, const Value& self) = nullptr;
  // Any value may come back (arrays compare to arrays). NotImplemented lets the other side try with
  // the swapped operator; after both, == and != fall back to identity.
  Value (*compare)(Interpreter&, CompareOp, const Value& self, const Value& other) = nullptr;
  bool (*truth)(Interpreter&, const Value& self) = nullptr;  // default length() != 0, else true
  int64_t (*length)(Interpreter&, const Value& self) = nullptr;
  Value (*getitem)(Interpreter&, const Value& self, const Value& key) = nullptr;
  void (*setitem)(Interpreter&, const Value& self, const Value& key, const Value& item) = nullptr;
  void (*delitem)(Interpreter&, const Value& self, const Value& key) = nullptr;
  // self[k0, k1, ...] for several keys without the tuple that getitem and setitem would get.
  // Undefined and false: nothing was done, call those. Not for types of class statements.
  Value (*get_at)(Interpreter&, const Value& self, std::span<const Value> keys) = nullptr;
  bool (*set_at)(Interpreter&, const Value& self, std::span<const Value> keys,
                 const Value& item) = nullptr;
  bool (*contains)(Interpreter&, const Value& self, const Value& item) = nullptr;  // default: iter
  Value (*iter)(Interpreter&, const Value& self) = nullptr;
  Value (*next)(Interpreter&, const Value& self) = nullptr;  // undefined at the end
  Value (*call)(Interpreter&, const Value& self, const CallArgs&) = nullptr;

  // Attribute access beyond the type's own attributes and getters, which are found first.
  // getattr: undefined when there is none. setattr (item undefined: delete): false when refused.
  Value (*getattr)(Interpreter&, const Value& self, Str* name) = nullptr;
  bool (*setattr)(Interpreter&, const Value& self, Str* name, const Value& item) = nullptr;
  // The names that getattr knows, for dir(), completion and did-you-mean.
  void (*list_names)(Interpreter&, const Value& self, std::vector<Str*>& names) = nullptr;

  Value (*unary)(Interpreter&, UnaryOp, const Value& self) = nullptr;
  Value (*absolute)(Interpreter&, const Value& self) = nullptr;  // abs() of a native type
  // Called for the left operand's type, then for the right's with the operands in the same order
  // (the right one first if its type is a proper subclass); NotImplemented lets the other try.
  Value (*binary)(Interpreter&, BinaryOp, const Value& lhs, const Value& rhs) = nullptr;
  // `lhs op= rhs`, and the value to bind; NotImplemented (or null) falls back to binary.
  Value (*inplace)(Interpreter&, BinaryOp, const Value& lhs, const Value& rhs) = nullptr;

  // Exact conversions: __index__ (an int, bounds unchecked), __float__, __complex__, __int__.
  Value (*index)(Interpreter&, const Value& self) = nullptr;
  Value (*to_int)(Interpreter&, const Value& self) = nullptr;
  Value (*to_float)(Interpreter&, const Value& self) = nullptr;
  Value (*to_complex)(Interpreter&, const Value& self) = nullptr;
  std::string (*format)(Interpreter&, const Value& self, std::string_view spec) = nullptr;
  // with: both or none. exit gets the exception or None, and returns whether it is swallowed.
  Value (*enter)(Interpreter&, const Value& self) = nullptr;
  bool (*exit)(Interpreter&, const Value& self, const Value& exception) = nullptr;

  // The value of `instance.name`, for objects stored as attributes of a type (methods bind).
  Value (*bind)(Interpreter&, const Value& attribute, const Value& instance, Type* owner) = nullptr;

  // Reports each object that a counted reference of `self` refers to, once for each reference.
  // Types whose objects can be part of a cycle have it; it runs nothing and allocates nothing.
  void (*traverse)(Object* self, Visit visit, void* context) = nullptr;
  // Called once when the last reference is dropped or the collector found the object unreachable,
  // before anything of it is destroyed; it may run code of the script, and never throws.
  void (*finalise)(Interpreter&, Object* self) = nullptr;
  // Ends the object and frees its memory. Set by make_type from the C++ type.
  void (*destroy)(Object* self) = nullptr;
};

struct Type : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::type;
  Type(Type* metatype, Interpreter* vm);
  ~Type();
  static void* operator new(size_t bytes) { return ::operator new(bytes); }
  static void* operator new(size_t, void* block) { return block; }
  static void operator delete(void* type) { ::operator delete(type); }

  Interpreter* vm;  // the owner of this type, and so of its objects
  std::string name;
  std::string qualified_name;  // of a class: "outer.<locals>.name"
  std::string module = "builtins";
  const char* doc = nullptr;
  ObjectLayout instance_layout = ObjectLayout::plain;
  const CppType* instance_cpp_type = nullptr;  // of the C++ type of its objects, see Value::is
  bool is_final = false;                       // cannot be subclassed
  bool is_class = false;                       // made by a class statement
  Type* base = nullptr;                        // the one whose layout it has
  std::vector<Type*> bases;                    // as written; a class holds references to them
  std::vector<Type*> subclasses;               // direct ones
  std::vector<Type*> mro;                      // self first, object last
  Slots slots;                                 // with the bases' slots filled in
  uint64_t version = 0;  // changes whenever an attribute of it or of a base does

  // Native rows are turned into attributes the first time that any is looked up.
  std::vector<std::span<const Native>> methods;
  std::vector<std::span<const NativeGetter>> getters;
  const Native* constructor = nullptr;       // called for TYPE(...) with the type as slot 0
  Ref<NativeFunction> constructor_function;  // of that row, made at the first call

  Ref<Dict> attributes;  // own ones; use lookup()

  // For classes whose objects are Instances: their first shape, and the room for attributes.
  std::unique_ptr<Shape> root_shape;
  uint32_t instance_capacity = 0;
  bool has_fixed_attributes = false;  // __slots__ in all of its classes

  // The name in error messages: "numpy.ndarray"; "int" and "Point" for builtins and classes.
  std::string full_name() const;
  // The name in repr: "__main__.outer.<locals>.Point".
  std::string shown_name() const;
  bool is_subclass_of(const Type* other) const;
  // The attribute as stored, from this type or a base; null when there is none.
  const Value* lookup(Str* name);
  const Value* lookup_own(Str* name);  // from this type alone
  // Adds or replaces (item undefined: deletes) an attribute, and changes the version.
  void set_attribute(Str* name, Value item);
  // Removes the type from the subclasses of its bases.
  void leave_bases();

 private:
  void materialise();
  void change_version();
};

// The declaration of a native type: `vm.make_type<Counter>({.name = "Counter", ...})`.
struct TypeSpec {
  const char* name = "";
  const char* module = "builtins";
  const char* doc = nullptr;
  Type* base = nullptr;  // null: object
  Slots slots = {};
  std::span<const Native> methods = {};
  std::span<const NativeGetter> getters = {};
  const Native* constructor = nullptr;
  bool is_final = true;
};

inline bool is_made_for(const Object* object, const CppType* cpp_type) noexcept {
  const CppType* each = object->type->instance_cpp_type;
  while (each && each != cpp_type) each = each->base;
  return each;
}

inline Object::Object(Type* type)
    : type(type), layout(type ? type->instance_layout : ObjectLayout::type) {
  if (type && type->is_class) retain(type);
}

}  // namespace gpy
