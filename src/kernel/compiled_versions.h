#pragma once
// What is compiled of a function: a version for each list of argument types, or for each signature.

#include <string>
#include <vector>

#include "src/kernel/compiled_objects.h"
#include "src/kernel/typed_arguments.h"

namespace gpy {

// The arguments of a call: typed ones, and those that are functions or None, whose types are none.
struct CallArguments {
  std::vector<TypedArgument> typed;
  std::vector<Value> statics;  // undefined for typed ones; empty where all are typed

  bool has_statics() const { return !statics.empty(); }
  std::string key() const;
};

using VersionPtr = std::shared_ptr<const CompiledObject::Version>;

// Translates and compiles. Raises Numba's errors for what cannot be.
VersionPtr make_version(Interpreter& vm, const CompiledObject& object, std::vector<TypedType> types,
                        std::vector<Value> statics = {});
// The version for a call, which is made where there is none. An object with signatures has no
// others: the arguments become what the signature takes. TypeError where nothing takes them.
VersionPtr find_version(Interpreter& vm, CompiledObject& object, CallArguments& given);

// Slots::traverse of CompiledObject.
void traverse_compiled(Object* self, Visit visit, void* context);

}  // namespace gpy
