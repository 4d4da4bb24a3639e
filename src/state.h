#pragma once
// The private state of an interpreter; natives and hosts never see it.

#include <array>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "src/classes/for_classes.h"
#include "src/classes/instance.h"
#include "src/exceptions/memory_errors.h"
#include "src/memory/budget.h"
#include "src/interpreter.h"

namespace gpy {

struct Frame;
struct Failure;
struct Advice;

// Names that the interpreter itself looks up.
struct Names {
// clang-format off
#define GPY_NAMES(X)                                                                          \
  X(__name__) X(__file__) X(__doc__) X(__path__) X(__package__) X(__all__) X(__class__)       \
  X(__dict__) X(__enter__) X(__exit__) X(__iter__) X(__next__) X(__main__) X(__module__)      \
  X(__qualname__) X(__init__) X(__call__) X(name) X(path) X(value) X(code) X(args) X(obj)     \
  X(errno_) X(strerror) X(filename) X(msg) X(keys) X(lineno) X(offset) X(text)                \
  X(__new__) X(__getattr__) X(__slots__) X(__hash__) X(__eq__) X(__init_subclass__)           \
  X(__class_getitem__) X(__annotations__) X(__missing__) X(send) X(close) X(__del__)          \
  X(__ne__) X(__lt__) X(__le__) X(__gt__) X(__ge__) X(__setattr__) X(__delattr__) X(__dir__)
// clang-format on
#define GPY_MEMBER(name) Str* name;
  GPY_NAMES(GPY_MEMBER)
#undef GPY_MEMBER
};

struct Interpreter::State {
  explicit State(Interpreter& vm);

  Names names{};
  std::unordered_map<std::string_view, Ref<Str>> interned;  // keys lie in the strings
  std::array<Ref<Str>, 128> characters;                     // one-character texts, once made
  std::vector<Type*> all_types;                             // native, in the order they were made
  DeadShapes dead_shapes;                                   // see Collector
  std::unordered_map<Object*, Ref<Dict>> own_attributes;    // of objects of classes over natives
  uint64_t versions = 0;                                    // of types and namespaces
  uint64_t namespaces = 1;  // changes with each name that globals or builtins gain or lose
  // The types of natives: methods and special methods in types, and those bound to an object.
  Type *method_descriptor, *slot_wrapper, *bound_native, *bound_slot;

  Frame* frame = nullptr;  // the running one
  int64_t depth = 0;       // frames of gpy functions
  Budget budget;
  int finalising = 0;  // finalisers that run for objects without references
  // Objects of the script may have code to run at their end: a class has __del__, or a generator is
  // suspended in a block that it must leave.
  bool has_ends = false;
  bool is_closed = false;  // that code runs no more
  MemoryErrors memory_errors;
  Value raised;    // an exception on its way from a native to its handler
  Value returned;  // return value of the iterator that ended last: StopIteration.value

  bool annotations_are_text = false;       // at the prompt, once it imported that from __future__
  std::function<void(const Value&)> show;  // the prompt's function for the value of a statement
  std::vector<Object*> showing;
  std::unordered_set<Object*> files_to_write;  // open ones
  Ref<Module> main;                            // __main__ as it was last found
  std::unordered_set<std::string> warned;
  std::unordered_map<std::string, ModuleLoader> loaders;
  std::string out_buffer;
  bool out_is_terminal = false;
  // Stands for an argument that was left out, where the signature says <no value>. Not owned.
  const Object* no_value = nullptr;
  std::unordered_map<const Type*, std::shared_ptr<const ForClasses>> for_classes;
  ClassCalls class_calls;
  bool asks_classes = false;             // there is a class that may have a say in calls
  bool has_array_functions = false;      // a script's class has an __array_function__
  const Object* undispatched = nullptr;  // its next call asks no __array_function__
  // What is known of values and of mistakes by the floors that made them (src/diagnostics/).
  std::vector<std::string (*)(Interpreter&, const Value&)> describers;
  std::vector<Advice (*)(const Failure&)> advisors;
};

}  // namespace gpy
