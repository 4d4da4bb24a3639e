#include "src/embed/state.h"
#include "stdlib/install.h"

namespace gpy::host {

void install_library(gpy::Interpreter& vm, std::shared_ptr<rt::Runtime> runtime) {
  lib::install(vm, std::move(runtime));
}

}  // namespace gpy::host
