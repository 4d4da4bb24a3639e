#include "src/command/program.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "runtime/core/environment.h"
#include "runtime/core/error_facts.h"
#include "runtime/io/file.h"
#include "src/array/arrays.h"
#include "src/objects/builtin.h"
#include "src/command/command.h"
#include "src/diagnostics/diagnostic.h"
#include "src/diagnostics/render.h"
#include "src/exceptions/ignored.h"
#include "src/exceptions/with_reserve.h"
#include "src/modules/main_text.h"
#include "src/types/system_text.h"

namespace gpy::command {

namespace fs = std::filesystem;

// --- reading -------------------------------------------------------------------------------------

std::string read_file(const std::string& path) {
  try {
    return rt::read_file(path);
  } catch (const rt::OsError& error) {
    if (error.code() == EISDIR) throw std::runtime_error(path + " is a directory");
    throw std::runtime_error(
        fmt::format("can't open file '{}': {}", path, std::strerror(error.code())));
  } catch (const rt::Error& error) {
    throw std::runtime_error(fmt::format("can't open file: {}", error.message()));
  }
}

static std::string read_standard_input() {
  std::string text;
  std::vector<char> part(1 << 16);
  for (size_t count; (count = std::fread(part.data(), 1, part.size(), stdin)) > 0;) {
    text.append(part.data(), count);
  }
  if (!std::ferror(stdin)) return text;
  throw std::runtime_error(fmt::format("can't read the standard input: {}", std::strerror(errno)));
}

// What the library says of paths, where its texts for errors reach nobody: the path itself then.
static fs::path absolute_path(const fs::path& path) {
  std::error_code failed;
  fs::path found = fs::absolute(path, failed);
  return failed ? path : found;
}

// Where imports of a script look first: beside the file itself, not beside a link to it.
static std::string folder_of(const fs::path& script) {
  std::error_code failed;
  const fs::path file = fs::canonical(script, failed);
  return (failed ? absolute_path(script) : file).parent_path().string();
}

static std::string current_folder() {
  std::error_code failed;
  return fs::current_path(failed).string();
}

static bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

// As Python runs a folder: its __main__, with the folder in the place of the script's.
static Program read_folder(const fs::path& folder) {
  for (const char* name : {"__main__.gpy", "__main__.py"}) {
    const fs::path file = folder / name;
    std::error_code failed;
    if (!fs::exists(file, failed)) continue;
    return {escape_bytes(file.string()), read_file(file.string()), folder.string()};
  }
  throw std::runtime_error("can't find '__main__' module in '" + folder.string() + "'");
}

Program read_program(const Options& options) {
  if (options.source == SourceKind::text) return {"<string>", options.operand, ""};
  const std::string name = escape_bytes(options.operand);
  if (options.source == SourceKind::module) return {name, "", current_folder(), true};
  if (options.source != SourceKind::file) return {"<stdin>", read_standard_input(), ""};
  if (is_folder(options.operand)) return read_folder(absolute_path(options.operand));
  return {name, read_file(options.operand), folder_of(options.operand)};
}

// --- running -------------------------------------------------------------------------------------

static struct {
  bool coloured = false;
  bool json = false;
} report_style;

static bool is_set(const char* variable) { return !rt::environment_variable(variable).empty(); }

// --color decides, then NO_COLOR, then FORCE_COLOR, then whether somebody looks at a terminal.
static bool wants_colour(Colour asked) {
  if (asked != Colour::automatic) return asked == Colour::always;
  if (is_set("NO_COLOR")) return false;
  if (is_set("FORCE_COLOR")) return true;
  return isatty(STDERR_FILENO) && rt::environment_variable("TERM") != "dumb";
}

void choose_report(const Options& options) {
  report_style.coloured = wants_colour(options.colour);
  report_style.json = options.errors == ErrorForm::json;
}

static std::string rendered(Interpreter& vm, const Raised& raised) {
  return with_reserve(vm, [&] {
    const ErrorReport report = diagnose(vm, raised.exception.as<Exception>());
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

// A name of the module sys; null where there is none, or where a script has put something else in
// the module's place.
static Value* name_of_sys(Interpreter& vm, const char* name) {
  Value* sys = vm.modules->find(vm.intern("sys"));
  return sys && sys->is<Module>() ? sys->as<Module>()->names->find(vm.intern(name)) : nullptr;
}

// sys.excepthook where a script has set one; undefined otherwise.
static Value own_hook(Interpreter& vm) {
  Value* hook = name_of_sys(vm, "excepthook");
  const NativeFunction* native = hook ? hook->try_as<NativeFunction>() : nullptr;
  const bool is_ours = !hook || (native && std::strcmp(native->row->name, "excepthook") == 0);
  return is_ours ? Value() : *hook;
}

// Whether the script's own hook has been told, or has said itself how the program ends.
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

// Of an exception that could not be shown because of another one: the names of both.
static void tell_briefly(Interpreter& vm, const Value& exception, const Value& obstacle) {
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
    tell_briefly(vm, raised.exception, obstacle.exception);
    return exit_code_after(vm, raised.exception);
  }
}

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
  if (Value* argv = name_of_sys(vm, "argv")) vm.set_item(*argv, Value::integer(0), vm.str(file));
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
    const fs::path path = absolute_path(unescape_bytes(program.name));
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

// --- signals -------------------------------------------------------------------------------------

static std::atomic<Interpreter*> interrupted_by_user = nullptr;
static pthread_t main_thread;

extern "C" {
// A wait for input must end too, so the thread that waits takes it.
static void on_interrupt(int) {
  if (!pthread_equal(pthread_self(), main_thread)) {
    pthread_kill(main_thread, SIGINT);
  } else if (Interpreter* vm = interrupted_by_user.load()) {
    vm->interrupt();
  }
}
}

// Whoever started this process may have it ignore Ctrl-C, as a shell does with what runs in the
// background: it stays ignored. A read that waits for input must come back, so calls are not
// restarted.
InterruptOn::InterruptOn(Interpreter& vm) {
  interrupted_by_user = &vm;
  main_thread = pthread_self();
  sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
}

InterruptOn::~InterruptOn() {
  sigaction(SIGINT, &before_, nullptr);
  interrupted_by_user = nullptr;
}

}  // namespace gpy::command
