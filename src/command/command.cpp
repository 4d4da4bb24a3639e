#include "src/command/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "grammar/dump.h"
#include "grammar/parse.h"
#include "runtime/core/environment.h"
#include "runtime/core/error.h"
#include "runtime/core/thread_pool.h"
#include "runtime/cpu/blas.h"
#include "runtime/cuda/make_backend.h"
#include "runtime/host_kernel/fault_handler.h"
#include "runtime/kernel/cache_settings.h"
#include "src/array/arrays.h"
#include "src/command/cache.h"
#include "src/command/doctest/command.h"
#include "src/command/info.h"
#include "src/command/interrupt_on.h"
#include "src/command/options.h"
#include "src/command/program.h"
#include "src/command/repl.h"
#include "src/command/uncaught.h"
#include "src/diagnostics/explain.h"
#include "src/loops/loop_watch.h"
#include "src/objects/utf8.h"

namespace gpy::command {

namespace {

int complain(const std::string& message, int code) {
  std::fprintf(stderr, "gpy: %s\n", spell_surrogates(message).c_str());
  return code;
}

// "FILE:LINE:COLUMN: SyntaxError: message"
std::string describe(const syntax::SourceFile& source, const syntax::SyntaxError& error) {
  const syntax::Position at = source.position(error.place.begin);
  return fmt::format("{}:{}:{}: {}: {}", source.name(), at.line, at.column, error.kind,
                     error.message);
}

int dump_tree(const Options& options) {
  const Program program = read_program(options);
  const syntax::SourcePtr source = syntax::make_source(program.name, program.text);
  auto result = syntax::parse(source);
  if (!result.tree) return complain(describe(*source, *result.error), kUsage);
  std::fputs(syntax::dump(*result.tree).c_str(), stdout);
  return kOk;
}

rt::DeviceChoice choose_device(const Options& options) {
  if (options.device) return rt::DeviceChoice::parse(*options.device);
  const std::string variable = rt::environment_variable("GPY_DEVICE");
  return variable.empty() ? rt::DeviceChoice{} : rt::DeviceChoice::parse(variable);
}

// Checks at once that a GPU asked for by name is there: nothing runs without it.
void require(const rt::DeviceChoice& choice) {
  if (choice.kind != rt::DeviceChoice::Kind::kCuda) return;
  std::string why_none;
  const int count = rt::cuda_device_count(&why_none);
  if (choice.index < count) return;
  const std::string found = count == 0 ? why_none : "this machine has " + std::to_string(count);
  throw std::runtime_error("device cuda:" + std::to_string(choice.index) +
                           " is not there: " + found);
}

bool is_named(const Options& options) {
  return options.source != SourceKind::none && options.source != SourceKind::standard_input;
}

bool wants_prompt(const Options& options) {
  if (options.interactive) return true;
  return !is_named(options) && isatty(STDIN_FILENO);
}

bool has_source(const Options& options, bool prompt) { return is_named(options) || !prompt; }

// Whether it is a folder that can be written, or could be made as one.
bool can_be_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::path nearest = std::filesystem::absolute(path, error);
  while (!std::filesystem::exists(nearest, error) && nearest != nearest.parent_path()) {
    nearest = nearest.parent_path();
  }
  return std::filesystem::is_directory(nearest, error) && access(nearest.c_str(), W_OK | X_OK) == 0;
}

void note_unread_settings() {
  auto note = [](const char* name, const std::string& value, const char* what) {
    complain(fmt::format("{}='{}' {}", name, value, what), kOk);
  };
  const std::string threads = rt::environment_variable("GPY_NUM_THREADS"),
                    lazy = rt::environment_variable("GPY_LAZY"),
                    check = rt::environment_variable("GPY_CHECK"),
                    cache = rt::environment_variable("GPY_CACHE_DIR"),
                    bytes = rt::environment_variable("GPY_CACHE_BYTES"),
                    seconds = rt::environment_variable("GPY_COMPILE_SECONDS");
  if (!threads.empty() && !rt::wished_threads()) {
    note("GPY_NUM_THREADS", threads, "is no positive number: as many threads as cores");
  }
  if (!lazy.empty() && lazy != "0" && lazy != "1") note("GPY_LAZY", lazy, "is neither 0 nor 1: 1");
  if (!check.empty() && check != "0" && check != "1") {
    note("GPY_CHECK", check, "is neither 0 nor 1: kernels are checked at the prompt alone");
  }
  if (!cache.empty() && !can_be_folder(cache)) {
    note("GPY_CACHE_DIR", cache, "cannot be written: compiled kernels are not kept");
  }
  if (!bytes.empty() && !rt::wished_cache_bytes()) {
    note("GPY_CACHE_BYTES", bytes, "is no size such as 1000000, 64K, 256M or 1G: 256M");
  }
  if (!seconds.empty() && !rt::wished_compile_seconds()) {
    note("GPY_COMPILE_SECONDS", seconds, "is no positive number: 60");
  }
}

// Faults of users' kernels become errors here, since the signals of this program are its own.
void set_up(Interpreter& vm, const std::shared_ptr<rt::Runtime>& devices, Install install) {
  install(vm, devices);
  session(vm).catches_kernel_faults = true;
  watch_loops(vm);
}

int run(const Options& options, const rt::DeviceChoice& device, Install install) {
  const bool prompt = wants_prompt(options);
  std::optional<Program> program;
  if (has_source(options, prompt)) program = read_program(options);
  // The interpreter lives to the end of the process: its objects need not be destroyed.
  auto* vm = new Interpreter();
  set_up(*vm, std::make_shared<rt::Runtime>(device), install);
  const rt::QueueScope queues(&session(*vm).queues);
  const rt::FaultSignalsUnblocked faults(session(*vm).catches_kernel_faults);
  vm->arguments = options.arguments;
  const InterruptOn interrupts(*vm);
  int code = kOk;
  if (program) code = run_program(*vm, *program);
  if (prompt && rt::environment_variable("GPY_CHECK") != "0")
    session(*vm).kernel_checks.on_host = true;
  if (prompt) code = run_prompt(*vm);
  finish(*vm);
  unwatch_loops(*vm);  // a compiler that still runs is stopped
  if (const int lost = flush(*vm)) return lost;
  if (code == kInterrupted) return code;
  return wait_for_devices(*vm) || code != kOk ? code : kError;
}

int explain(const std::vector<std::string>& codes) {
  for (const Explanation& each : explanations()) {
    if (codes.empty()) fmt::print("{}  {}\n", each.code, each.title);
  }
  for (const std::string& code : codes) {
    const Explanation* known = explanation_of(code);
    if (!known) return complain("no explanation " + code + "; gpy explain lists the codes", kUsage);
    fmt::print("{}: {}\n\n{}", known->code, known->title, known->text);
  }
  return kOk;
}

int try_examples(const Options& options, const rt::DeviceChoice& device, Install install) {
  const auto devices = std::make_shared<rt::Runtime>(device);
  return run_doctest(options.arguments, [&] {
    auto vm = std::make_unique<Interpreter>();
    set_up(*vm, devices, install);
    return vm;
  });
}

int act(const Options& options, Install install) {
  switch (options.action) {
    case Action::help: return std::fputs(kHelp, stdout), kOk;
    case Action::version: return std::puts("gpy " GPY_VERSION), kOk;
    case Action::dump_tree: return dump_tree(options);
    case Action::info: return print_info(), kOk;
    case Action::explain: return explain(options.arguments);
    case Action::cache: return run_cache(options.arguments);
    case Action::run:
    case Action::doctest: break;
  }
  const rt::DeviceChoice device = choose_device(options);
  require(device);
  note_unread_settings();
  choose_report(options);
  static const rt::FaultHandler faults;  // to the end of the process
  if (options.action == Action::doctest) return try_examples(options, device, install);
  return run(options, device, install);
}

}  // namespace

int run_command(const std::vector<std::string>& words, Install install) {
  rt::let_blas_use_environment();
  try {
    return act(read_options(words), install);
  } catch (const std::invalid_argument& error) {
    return complain(std::string(error.what()) + "; gpy --help lists the options", kUsage);
  } catch (const rt::Error& error) {
    return complain(error.message(), kUsage);
  } catch (const std::runtime_error& error) {
    return complain(error.what(), kError);
  } catch (const std::bad_alloc&) {
    say_out_of_memory();
    return kError;
  }
}

}  // namespace gpy::command
