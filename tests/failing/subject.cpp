#include "tests/failing/subject.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "runtime/session.h"
#include "src/interpreter.h"
#include "src/objects/exception.h"
#include "src/state.h"
#include "stdlib/install.h"
#include "tests/failing/device.h"
#include "tests/failing/script_run.h"
#include "tests/runner/choice.h"
#include "tests/runner/script.h"

namespace gpy::test::failing {

uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

void note_error(Ending& ending, const std::string& type, const std::string& message) {
  const std::string text = type + ": " + message;
  ending.error = hash_of(text);
  std::snprintf(ending.error_text, sizeof ending.error_text, "%s", text.c_str());
}

// --- scripts -------------------------------------------------------------------------------------

// Whether the exception, or one that led to it, is of that type.
static bool comes_of(const Type* type, const Value& exception) {
  const auto* e = exception.as<Exception>();
  for (int link = 0; e && link < 100; ++link) {
    if (e->type->is_subclass_of(type)) return true;
    e = (e->cause.is_none() ? e->context : e->cause).try_as<Exception>();
  }
  return false;
}

// str() of an error may be the script's own.
static std::string message_of(Interpreter& vm, const Value& exception) {
  try {
    return vm.to_str(exception);
  } catch (const Raised&) {
    return "<str() failed>";
  }
}

// A failing GPU may cause any exception of array operations.
static Type* expected_type(Interpreter& vm, What what) {
  switch (what) {
    case What::memory: return vm.types.memory_error;
    case What::files: return vm.types.os_error;
    case What::device: return vm.types.exception;
  }
  return nullptr;
}

static void note_raised(Interpreter& vm, const Raised& raised, What what, Ending& ending) {
  ending.is_expected = comes_of(expected_type(vm, what), raised.exception);
  note_error(ending, vm.type_name(raised.exception), message_of(vm, raised.exception));
}

void ScriptRun::listen() {
  auto look = [this](std::string_view text) {
    for (const char* sign : {"MemoryError", "Errno", "OSError"}) {
      if (text.find(sign) != text.npos) ending.is_changed = true;
    }
  };
  vm.out = [this, look](std::string_view text) {
    const Uncounted own;
    ending.output = (ending.output * 31) ^ hash_of(text);
    look(text);
  };
  vm.err = look;  // warnings come once
  vm.flush_out = [] {};
}

// Memory keeps failing until the error has been reported.
void ScriptRun::run(const Trial& trial, const std::function<void()>& work) {
  std::optional<Raised> left;
  vm.start({.steps = 2'000'000});
  arm(trial);
  try {
    work();
  } catch (const Raised& raised) {
    left = raised;
    vm.render(raised);
  } catch (const std::exception& error) {
    ending.is_foreign = true;
    std::snprintf(ending.error_text, sizeof ending.error_text, "%s", error.what());
  }
  if (trial.what == What::device && !left && has_failed() && !may_fail_silently()) {
    ending.is_silent = true;
    std::snprintf(ending.error_text, sizeof ending.error_text, "%s", failed_call());
  }
  ending.tries = disarm();
  vm.finish();
  if (left) note_raised(vm, *left, trial.what, ending);
}

// Runs in a namespace of its own: the script may have changed the builtins that it sees.
void ScriptRun::ask() {
  try {
    const Ref<Module> fresh = vm.make_module("__ask__");
    Value two = vm.run_interactive("1 + 1\n", "<ask>", *fresh);
    ending.answers = two.is_integer() && two.as_integer() == 2;
  } catch (const Raised&) {
  }
}

// An empty folder for a script to write to; each process has its own.
static std::string make_scratch() {
  const Uncounted own;
  const std::string path = std::filesystem::temp_directory_path() / std::to_string(getpid());
  std::filesystem::remove_all(path);
  std::filesystem::create_directory(path);
  return path;
}

void ScriptRun::repeat(const std::string& text, const std::string& path) {
  const uint64_t first = std::exchange(ending.output, 0);
  vm.start({.steps = 2'000'000});
  try {
    const Ref<Module> fresh = vm.make_module("__main__");
    vm.modules->set(vm.state().names.__main__, fresh);  // imported modules look for its names here
    vm.run_source(text, path, *fresh);
  } catch (const Raised& raised) {
    ending.output ^= hash_of(vm.type_name(raised.exception));
  }
  vm.finish();
  ending.again = std::exchange(ending.output, first);
}

// Moves files that a script names itself to that folder, too.
static std::string text_for(const Script& script, const std::string& scratch) {
  const Uncounted own;
  std::string text = script.text;
  for (size_t at = 0; (at = text.find("/tmp/", at)) != text.npos; at += scratch.size()) {
    text.replace(at, 4, scratch);
  }
  return text;
}

static bool changes_source(const Script& script) {
  return script.text.find("MemoryHook") != std::string::npos ||
         script.text.find("_allocator") != std::string::npos;
}

static Ending run_on_cpu(const Script& script, const Trial& trial) {
  const std::string scratch = make_scratch(), text = text_for(script, scratch);
  ScriptRun run(trial.what);
  run.vm.search_path = {script.path.substr(0, script.path.rfind('/'))};
  run.vm.arguments = {script.path, scratch};
  Module& main = run.vm.main_module();
  run.run(trial, [&] { run.vm.run_source(text, script.path, main); });
  run.ask();
  if (trial.what == What::files) {  // a script may handle these failures silently
    run.ending.is_changed |= text.find("except") != text.npos;
    return run.ending;
  }
  make_scratch();
  run.repeat(text, script.path);
  // Without memory for a call the end of `with hook:` leaves the hook installed.
  if (trial.how != How::once && changes_source(script)) run.ending.may_differ_again = true;
  return run.ending;
}

// The fakes compute nothing, so the output means nothing. A faulted device's memory is lost.
static Ending run_on_device(const Script& script, const Trial& trial) {
  Ending ending;
  const size_t before = device_memory_held();
  {
    ScriptRun run(trial.what);
    run.vm.search_path = {script.path.substr(0, script.path.rfind('/'))};
    run.vm.arguments = {script.path, make_scratch()};
    Module& main = run.vm.main_module();
    run.run(trial, [&] { run.vm.run_source(script.text, script.path, main); });
    run.ask();
    ending = run.ending;
  }
  // Pending work for which memory is short when the source of arrays changes is run once more.
  if (trial.how == How::once && changes_source(script)) ending.is_silent = false;
  if (script.text.find("except Exception") != std::string::npos) ending.is_silent = false;
  ending.output = 0;
  ending.is_changed = true;
  if (trial.how == How::once) ending.device_memory = device_memory_held() - before;
  forget_device();
  return ending;
}

static Ending run_script(const Script& script, const Trial& trial) {
  return trial.what == What::device ? run_on_device(script, trial) : run_on_cpu(script, trial);
}

Subject script_subject(const std::string& path) {
  const auto script = std::make_shared<Script>(read_script(path));
  return {path, [script](const Trial& trial) { return run_script(*script, trial); }};
}

// --- the start -----------------------------------------------------------------------------------

static Ending run_start(const Trial& trial) {
  Ending ending;
  arm(trial);
  try {
    ScriptRun run(What::memory);
    ending.tries = disarm();
  } catch (const std::bad_alloc&) {
    ending.tries = disarm();
    ending.is_expected = true;
    ending.error = 1;
  }
  ScriptRun other(What::memory);
  other.ask();
  ending.answers = other.ending.answers;
  return ending;
}

Subject start_subject() { return {"the start of an interpreter", run_start}; }

static Ending run_killed(const Trial& trial) {
  if (trial.n > 0) raise(SIGKILL);
  return {.tries = 2, .answers = true};
}

Subject killed_subject() { return {"a worker that is killed", run_killed}; }

// --- the choice ----------------------------------------------------------------------------------

static void choose(std::vector<Subject>& to, const char* folder, size_t count) {
  for (const std::string& path : choose_steady(folder, count)) to.push_back(script_subject(path));
}

std::vector<Subject> file_subjects() {
  std::vector<Subject> subjects;
  for (const char* folder :
       {"tests/lang/files", "tests/lang/import", "tests/lang/modules_io", "tests/lang/modules_os",
        "tests/lang/modules_pathlib", "tests/lang/modules_csv", "tests/lib/files"}) {
    for (const std::string& path : find_steady(folder)) subjects.push_back(script_subject(path));
  }
  return subjects;
}

std::vector<Subject> device_subjects() {
  std::vector<Subject> subjects;
#ifdef GPY_FAKE_CUDA
  if (!load_fake_device()) throw std::runtime_error("the fake GPU does not load");
  for (const std::string& path : find_steady("tests/lib")) {
    const std::string text = read_script(path).text;
    auto has = [&](const char* word) { return text.find(word) != text.npos; };
    // What a driver refuses to free or to end is lost silently.
    const bool frees = has("free_all_blocks") || has("TextureObject") || has("SurfaceObject");
    if ((has("gp.") || has("cupy")) && !frees) subjects.push_back(script_subject(path));
  }
#endif
  return subjects;
}

std::vector<Subject> all_subjects() {
  std::vector<Subject> subjects;
  choose(subjects, "tests/lang", 100);
  choose(subjects, "tests/lib", 60);
  choose(subjects, "tests/diagnostics", 40);
  for (auto part : {prompt_subjects, host_subjects}) {
    std::vector<Subject> more = part();
    subjects.insert(subjects.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
  }
  return subjects;
}

}  // namespace gpy::test::failing
