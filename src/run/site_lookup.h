#pragma once
// The look-up of attributes that a place in the code has cached.

#include "src/classes/instance.h"
#include "src/classes/property.h"
#include "src/code.h"

namespace gpy {

// The attribute of an instance that the site found in it the last time; null: look it up.
inline Value* known_attribute(const Value& self, const Site& site) {
  const auto* instance = self.try_as<Instance>();
  if (!instance || site.kind != Site::in_instance || site.shape != instance->shape ||
      site.version != instance->type->version) {
    return nullptr;
  }
  return instance->values + site.position;
}

// Whether a stored attribute goes to the end of the instance's row, as it did the last time.
inline bool is_known_append(const Value& self, const Site& site) {
  const auto* instance = self.try_as<Instance>();
  return instance && site.kind == Site::to_instance && site.shape == instance->shape &&
         site.version == instance->type->version;
}

// The same in a module.
inline Value* known_in_module(const Value& self, const Site& site) {
  if (site.kind != Site::in_module || !self.is<Module>()) return nullptr;
  Dict* names = self.as<Module>()->names.get();
  if (site.version != names->keys_version()) return nullptr;
  return &names->entries()[static_cast<size_t>(site.position)].value;
}

// The getter of the property that the site found in the object's class the last time.
inline Function* known_getter(const Value& self, const Site& site) {
  if (site.kind != Site::in_getter || !self.is_object() ||
      site.version != self.as_object()->type->version) {
    return nullptr;
  }
  return site.found.unchecked<Property>()->getter.unchecked<Function>();
}

}  // namespace gpy
