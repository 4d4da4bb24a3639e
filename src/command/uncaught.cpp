#include "src/command/uncaught.h"

#include <unistd.h>

#include <cstring>

#include "runtime/core/environment.h"
#include "src/command/command.h"
#include "src/diagnostics/diagnostic.h"
#include "src/diagnostics/render.h"
#include "src/exceptions/as_raised.h"
#include "src/exceptions/with_reserve.h"
#include "src/modules/import.h"
#include "src/objects/builtin.h"

namespace gpy::command {

static struct {
  bool coloured = false;
  bool json = false;
  LibraryFrames library = LibraryFrames::hidden;
} report_style;

static bool is_set(const char* variable) { return !rt::environment_variable(variable).empty(); }

// --color decides, then NO_COLOR, then FORCE_COLOR, then whether the output is a terminal.
static bool wants_colour(Colour asked) {
  if (asked != Colour::automatic) return asked == Colour::always;
  if (is_set("NO_COLOR")) return false;
  if (is_set("FORCE_COLOR")) return true;
  return isatty(STDERR_FILENO) && rt::environment_variable("TERM") != "dumb";
}

void choose_report(const Options& options) {
  report_style.coloured = wants_colour(options.colour);
  report_style.json = options.errors == ErrorForm::json;
  if (options.full_traceback) report_style.library = LibraryFrames::shown;
}

static std::string rendered(Interpreter& vm, const Raised& raised) {
  return with_reserve(vm, [&] {
    const ErrorReport report = diagnose(vm, raised.exception.as<Exception>(), report_style.library);
    return report_style.json ? to_json(report) : to_text(report, report_style.coloured);
  });
}

// sys.exit(code): None is 0, an int itself, anything else is printed and 1.
static int exit_code_of(Interpreter& vm, const Value& exception) {
  Value code = vm.get_attribute(exception, "code");
  if (code.is_none()) return kOk;
  if (code.is_integer() || code.is_boolean()) return static_cast<int>(code.as_integer() & 0xFF);
  vm.write_err(vm.to_str(code) + "\n");
  return kError;
}

// sys.excepthook where a script has set one; undefined otherwise.
static Value own_hook(Interpreter& vm) {
  Module* sys = sys_module(vm);
  Value* hook = sys ? sys->names->find(vm.intern("excepthook")) : nullptr;
  const NativeFunction* native = hook ? hook->try_as<NativeFunction>() : nullptr;
  const bool is_ours = !hook || (native && std::strcmp(native->row->name, "excepthook") == 0);
  return is_ours ? Value() : *hook;
}

// Whether the script's own hook has got the exception, or has ended the program itself.
static bool tell_hook(Interpreter& vm, const Value& e, int& code) {
  Value hook = own_hook(vm);
  if (hook.is_undefined()) return false;
  try {
    vm.call(hook, {Value(vm.type_of(e)), e, vm.get_attribute(e, "__traceback__")});
    return true;
  } catch (const Raised& raised) {
    if (vm.is_instance(raised.exception, vm.types.system_exit)) {
      code = exit_code_of(vm, raised.exception);
      return true;
    }
    vm.write_err("Error in sys.excepthook:\n" + rendered(vm, raised) +
                 "\nOriginal exception was:\n");
    return false;
  }
}

static int exit_code_after(Interpreter& vm, const Value& exception) {
  return vm.is_instance(exception, vm.types.keyboard_interrupt) ? kInterrupted : kError;
}

static int tell(Interpreter& vm, const Raised& raised) {
  const Value& e = raised.exception;
  if (vm.is_instance(e, vm.types.system_exit)) return exit_code_of(vm, e);
  if (vm.is_instance(e, vm.types.broken_pipe_error)) return kError;
  int code = kError;
  if (tell_hook(vm, e, code)) return code;
  vm.write_err(rendered(vm, raised));
  return exit_code_after(vm, e);
}

void say_out_of_memory() {
  static constexpr std::string_view kText = "gpy: out of memory\n";
  (void)!::write(STDERR_FILENO, kText.data(), kText.size());
}

// Reports an exception that could not be shown because of another one: the names of both.
static void tell_in_one_line(Interpreter& vm, const Value& exception, const Value& obstacle) {
  auto name = [&](const Value& each) { return shown_kind(vm.type_of(each)); };
  try {
    vm.write_err(fmt::format("{} ({} while it was shown)\n", name(exception), name(obstacle)));
  } catch (const std::bad_alloc&) {
    say_out_of_memory();
  } catch (...) {  // nobody to tell
  }
}

int report(Interpreter& vm, const Raised& raised) {
  try {
    return as_raised(vm, [&] { return tell(vm, raised); });
  } catch (const Raised& obstacle) {
    tell_in_one_line(vm, raised.exception, obstacle.exception);
    return exit_code_after(vm, raised.exception);
  }
}

}  // namespace gpy::command
