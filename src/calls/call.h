#pragma once
// The arguments of a call: positional values, then the values of keyword arguments, in one row.

#include <span>

#include "src/objects/str.h"
#include "src/value.h"

namespace gpy {

struct CallArgs {
  const Value* values = nullptr;
  uint32_t positional = 0;
  std::span<Str* const> names = {};  // of the values after the positional ones

  std::span<const Value> positionals() const { return {values, positional}; }
  const Value& keyword(size_t i) const { return values[positional + i]; }
  // Null when there is none of that name.
  const Value* find_keyword(std::string_view name) const;
};

}  // namespace gpy
