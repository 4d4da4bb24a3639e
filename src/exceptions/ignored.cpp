#include "src/exceptions/ignored.h"

#include <fmt/format.h>

namespace gpy {

void tell_ignored(Interpreter& vm, std::string_view what, const Raised& raised) noexcept {
  if (vm.type_of(raised.exception) == vm.types.stopped) return;  // the run's end tells of it
  try {
    vm.write_err(fmt::format("Exception ignored in: {}\n{}", what, vm.render(raised)));
  } catch (...) {  // nobody to tell
  }
}

}  // namespace gpy
