// Installation of an interpreter's library. Python's own modules, those of modules.h, are
// registered here; the modules of arrays in numpy/open.cpp.
#include "runtime/core/environment.h"
#include "src/interpreter.h"
#include "stdlib/install.h"
#include "stdlib/native/help_pages.h"
#include "stdlib/native/modules.h"
#include "stdlib/native/numba/open.h"
#include "stdlib/native/numpy/open.h"

namespace gpy::lib {

static std::shared_ptr<rt::Runtime> runtime_of_environment() {
  const std::string name = rt::environment_variable("GPY_DEVICE");
  if (name.empty()) return std::make_shared<rt::Runtime>();
  return std::make_shared<rt::Runtime>(rt::DeviceChoice::parse(name));
}

// Adds the folders of GPY_PATH after the script's own.
static void add_environment_path(Interpreter& vm) {
  const std::string path = rt::environment_variable("GPY_PATH");
  std::string_view rest = path;
  while (!rest.empty()) {
    size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) vm.search_path.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void install(Interpreter& vm, std::shared_ptr<rt::Runtime> runtime) {
#define GPY_REGISTER(name) vm.register_module(#name, open_##name);
  GPY_NATIVE_MODULES(GPY_REGISTER)
#undef GPY_REGISTER
  register_library_texts(vm);
  vm.hooks.help_page = help_page;
  add_environment_path(vm);
  register_numba_modules(vm);
  attach_runtime(vm, runtime ? std::move(runtime) : runtime_of_environment());
}

}  // namespace gpy::lib
