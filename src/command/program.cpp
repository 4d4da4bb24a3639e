#include "src/command/program.h"

#include <stdexcept>

#include "src/array/arrays.h"
#include "src/command/command.h"
#include "src/command/uncaught.h"
#include "src/exceptions/ignored.h"
#include "src/modules/import.h"
#include "src/modules/main_text.h"
#include "src/objects/utf8.h"
#include "src/types/system_text.h"

namespace gpy::command {

int flush(Interpreter& vm) {
  try {
    as_raised(vm, [&] { vm.flush_out(); });
    return kOk;
  } catch (const Raised& raised) {
    if (vm.is_instance(raised.exception, vm.types.broken_pipe_error)) return kError;
    tell_ignored(vm, "<_io.TextIOWrapper name='<stdout>' mode='w' encoding='utf-8'>", raised);
    return kLostOutput;
  }
}

bool wait_for_devices(Interpreter& vm) {
  try {
    as_raised(vm, [&] { session(vm).runtime().synchronize(); });
    return true;
  } catch (const Raised& raised) {
    report(vm, raised);
    return false;
  }
}

// A main source that does not parse is a usage error; one that it imports is not.
static bool is_own_syntax_error(Interpreter& vm, const Raised& raised) {
  return vm.is_instance(raised.exception, vm.types.syntax_error) &&
         raised.exception.as<Exception>()->trace.empty();
}

// sys.argv[0] is the file, known once it is found.
static void name_program(Interpreter& vm, const std::string& file) {
  vm.arguments[0] = unescape_bytes(file);
  Module* sys = sys_module(vm);
  if (!sys) return;
  if (Value* argv = sys->names->find(vm.intern("argv"))) {
    vm.set_item(*argv, Value::integer(0), vm.str(file));
  }
}

static int run_module(Interpreter& vm, const std::string& name) {
  MainText found;
  try {
    found = find_main_text(vm, name);
  } catch (const NoMainText& missing) {
    vm.write_err(fmt::format("gpy: {}\n", missing.what()));
    return kError;
  }
  Module& main = vm.main_module();
  name_program(vm, found.file);
  main.set(vm, "__file__", vm.str(found.file));
  main.set(vm, "__package__", vm.str(found.package));
  vm.run_source(found.text, found.file, main);
  return kOk;
}

static int run_text(Interpreter& vm, const Program& program) {
  Module& main = vm.main_module();
  if (program.name[0] != '<') {
    const std::filesystem::path path = absolute_path(unescape_bytes(program.name));
    main.set(vm, "__file__", text_from_system(vm, path.string()));
  }
  vm.run_source(program.text, program.name, main);
  return kOk;
}

int run_program(Interpreter& vm, const Program& program) {
  vm.search_path.insert(vm.search_path.begin(), program.folder);
  try {
    return as_raised(vm, [&] {
      return program.is_module ? run_module(vm, program.name) : run_text(vm, program);
    });
  } catch (const Raised& raised) {
    const bool unparsed = is_own_syntax_error(vm, raised);
    const int code = report(vm, raised);
    return unparsed ? kUsage : code;
  }
}

void finish(Interpreter& vm) {
  try {
    as_raised(vm, [&] { vm.run_ends(); });
  } catch (const Raised& raised) {
    report(vm, raised);
  }
}

}  // namespace gpy::command
