#pragma once
// str.format and str.format_map: a template of text and {fields}.

#include <span>
#include <string>
#include <string_view>

#include "src/value.h"

namespace gpy {

struct TemplateArguments {
  std::span<const Value> positional;
  bool has_positional = true;  // false for format_map
  Value named;                 // anything that can be indexed by a name
};

std::string format_template(Interpreter& vm, std::string_view text,
                            const TemplateArguments& arguments);

}  // namespace gpy
