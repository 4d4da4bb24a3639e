#pragma once
// Callable objects, the variables that they capture, and modules.

#include <memory>
#include <string>
#include <vector>

#include "src/native.h"
#include "src/objects/dict.h"
#include "src/objects/str.h"
#include "src/value.h"

namespace gpy {

struct Code;
struct Signature;

// A variable shared by a function and those defined in it.
struct Cell : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::cell;
  explicit Cell(Type* type) : Object(type) {}
  Value value;  // undefined: not bound
};

struct Function : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::function;
  Function(Type* type, Ref<Code> code, Ref<Dict> globals);
  ~Function();

  Ref<Code> code;
  Ref<Dict> globals;
  std::vector<Value> defaults;          // of the last positional parameters
  std::vector<Value> keyword_defaults;  // one for each keyword-only parameter, or undefined
  std::vector<Ref<Cell>> cells;         // the free variables, in the code's order
  Value name, qualified_name, doc, module;
  Ref<Dict> annotations;
  Ref<Dict> attributes;  // made when the first is set
};

// A row of a native table. As an attribute of a type it binds its instance.
struct NativeFunction : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::native_function;
  NativeFunction(Type* type, const Native& row, std::string qualifier, void* context);
  ~NativeFunction();

  const Native* row;
  std::string qualifier;  // "list" for list.append, "numpy" for numpy.sum
  bool is_method = false;
  Type* owner = nullptr;  // of a type's method: the type whose instances it takes
  // The method reads instances laid out in another way (numpy.float64, for float) as they are.
  bool takes_kin = false;
  void* context;  // the module's context, see make_module
  // The signature, parsed when first needed.
  const Signature& signature();
  // The name of a parameter, for a native that has been called.
  std::string_view parameter_name(size_t at) const;

 private:
  std::unique_ptr<Signature> signature_;
};

struct BoundMethod : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::bound_method;
  BoundMethod(Type* type, Value function, Value self)
      : Object(type), function(std::move(function)), self(std::move(self)) {}
  Value function, self;
};

struct StaticMethod : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::static_method;
  StaticMethod(Type* type, Value function) : Object(type), function(std::move(function)) {}
  Value function;
};

struct ClassMethod : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::class_method;
  ClassMethod(Type* type, Value function) : Object(type), function(std::move(function)) {}
  Value function;
};

// An attribute that a native row computes (NativeGetter).
struct Getter : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::getter;
  Getter(Type* type, const NativeGetter& row, Type* owner)
      : Object(type), row(&row), owner(owner) {}
  // AttributeError if it cannot be set, TypeError for objects that are not the owner's.
  Value get(Interpreter& vm, const Value& self) const;
  void set(Interpreter& vm, const Value& self, const Value& item) const;
  const NativeGetter* row;
  Type* owner;
};

struct Module : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::module;
  Module(Type* type, std::string name, Ref<Dict> names);
  std::string name;
  Ref<Dict> names;                            // the module's globals
  std::vector<std::span<const Native>> rows;  // become attributes when first asked for
  void* context = nullptr;
  // Called for names found nowhere else, and its result is kept; undefined: it has none either.
  Value (*missing)(Interpreter&, Module&, Str* name) = nullptr;
  // Names that `missing` knows, for dir() and completion.
  void (*list_missing)(Interpreter&, Module&, std::vector<Str*>& names) = nullptr;

  // Null when there is no such attribute.
  Value* find(Interpreter& vm, Str* name);
  void set(Interpreter& vm, std::string_view name, Value value);
  std::vector<Str*> all_names(Interpreter& vm);
};

}  // namespace gpy
