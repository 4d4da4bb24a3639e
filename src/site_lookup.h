#pragma once
// What a place in the code remembers of attributes.

#include "src/classes/instance.h"
#include "src/code.h"

namespace gpy {

// Where an instance has the attribute that the site found in it the last time; null: look for it.
inline Value* known_attribute(const Value& self, const Site& site) {
  const auto* instance = self.try_as<Instance>();
  if (!instance || site.kind != Site::in_instance || site.shape != instance->shape ||
      site.version != instance->type->version) {
    return nullptr;
  }
  return instance->values + site.position;
}

}  // namespace gpy
