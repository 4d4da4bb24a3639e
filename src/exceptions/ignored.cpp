#include "src/exceptions/ignored.h"

#include <fmt/format.h>

namespace gpy {

void tell_ignored(Interpreter& vm, std::string_view what, const Raised& raised) noexcept {
  try {
    vm.write_err(fmt::format("Exception ignored in: {}\n{}", what, vm.render(raised)));
  } catch (...) {  // nobody to tell
  }
}

}  // namespace gpy
