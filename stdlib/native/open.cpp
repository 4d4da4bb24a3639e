// The one place where modules are registered: a line each.
#include <cstdlib>

#include "src/interpreter.h"
#include "stdlib/install.h"
#include "stdlib/native/modules.h"
#include "stdlib/native/numpy/open.h"

namespace gpy::lib {

static std::shared_ptr<rt::Runtime> runtime_of_environment() {
  const char* name = std::getenv("GPY_DEVICE");
  if (!name || !*name) return std::make_shared<rt::Runtime>();
  return std::make_shared<rt::Runtime>(rt::DeviceChoice::parse(name));
}

void install(Interpreter& vm, std::shared_ptr<rt::Runtime> runtime) {
  vm.register_module("math", open_math);
  vm.register_module("time", open_time);
  vm.register_module("sys", open_sys);
  attach_runtime(vm, runtime ? std::move(runtime) : runtime_of_environment());
}

}  // namespace gpy::lib
