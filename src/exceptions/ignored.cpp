#include "src/exceptions/ignored.h"

#include <fmt/format.h>

#include "src/exceptions/with_reserve.h"

namespace gpy {

// Reports the type alone, which takes no memory.
static void tell_briefly(Interpreter& vm, const Raised& raised) noexcept {
  try {
    for (std::string_view part :
         {std::string_view("Exception ignored: "),
          std::string_view(vm.type_of(raised.exception)->name), std::string_view("\n")}) {
      vm.write_err(part);
    }
  } catch (...) {  // nobody to tell
  }
}

void tell_ignored(Interpreter& vm, std::string_view what, const Raised& raised) noexcept {
  if (vm.type_of(raised.exception) == vm.types.stopped) return;  // reported at the end of the run
  try {
    with_reserve(vm, [&] {
      vm.write_err(fmt::format("Exception ignored in: {}\n{}", what, vm.render(raised)));
    });
  } catch (const std::bad_alloc&) {
    tell_briefly(vm, raised);
  } catch (...) {  // nobody to tell
  }
}

void try_flush_out(Interpreter& vm) noexcept {
  try {
    if (vm.flush_out) vm.flush_out();
  } catch (...) {
  }
}

}  // namespace gpy
