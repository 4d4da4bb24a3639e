#include "src/command/doctest/command.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "src/array/arrays.h"
#include "src/command/command.h"
#include "src/command/doctest/run.h"
#include "src/command/interrupt_on.h"
#include "src/command/program_text.h"
#include "src/command/uncaught.h"
#include "src/exceptions/as_raised.h"
#include "src/objects/utf8.h"
#include "src/state.h"

namespace gpy::command {

namespace {

struct DoctestOptions {
  std::vector<std::string> files;
  Flags flags = 0;
  bool verbose = false;
};

DoctestOptions read_doctest_options(const std::vector<std::string>& words) {
  DoctestOptions options;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "-v" || word == "--verbose") {
      options.verbose = true;
    } else if (word == "-f" || word == "--fail-fast") {
      options.flags |= kFailFast;
    } else if (word == "-o" || word == "--option") {
      if (++i == words.size()) throw std::invalid_argument("option " + word + " needs a value");
      const auto flag = flag_named(words[i]);
      if (!flag) throw std::invalid_argument("doctest has no option " + words[i]);
      options.flags |= *flag;
    } else if (word.starts_with("-") && word != "-") {
      throw std::invalid_argument("unknown option " + word);
    } else {
      options.files.push_back(word);
    }
  }
  if (options.files.empty()) throw std::invalid_argument("doctest needs a FILE");
  return options;
}

// Tries the files one after the other, and keeps the count.
class Doctest {
 public:
  Doctest(const DoctestOptions& options,
          const std::function<std::unique_ptr<Interpreter>()>& make_interpreter)
      : options_(options), make_interpreter_(make_interpreter) {}

  int run() {
    for (const std::string& file : options_.files) {
      run_file(file);
      if (interrupted_ || (total_.failed && (options_.flags & kFailFast))) break;
    }
    show_failed();
    std::printf("%d passed, %d failed\n", total_.passed, total_.failed);
    if (interrupted_) return kInterrupted;
    return total_.failed ? kError : kOk;
  }

 private:
  // A file that cannot be tried counts as one that failed.
  void run_file(const std::string& path) {
    try {
      const std::string text = read_file(path);
      if (!is_valid_utf8(text)) throw std::runtime_error("can't read '" + path + "': not UTF-8");
      run_text(path, text);
    } catch (const MalformedError& error) {
      std::printf("%s: %s\n", path.c_str(), error.what());
      ++total_.failed;
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "gpy: %s\n", error.what());
      ++total_.failed;
    }
  }

  void run_text(const std::string& path, const std::string& text) {
    const auto vm = make_interpreter_();
    const rt::QueueScope queues(&session(*vm).queues);
    const InterruptOn interrupts(*vm);
    try {
      try_text(*vm, path, text);
    } catch (const Raised& raised) {
      report(*vm, raised);
      interrupted_ = vm->is_instance(raised.exception, vm->types.keyboard_interrupt);
      if (!interrupted_) ++total_.failed;
    }
  }

  void try_text(Interpreter& vm, const std::string& path, const std::string& text) {
    const std::filesystem::path file(path);
    const std::string name = escape_bytes(path);
    vm.search_path.insert(vm.search_path.begin(), file.parent_path().string());
    vm.arguments = {path};
    const auto extension = file.extension();
    if (extension == ".gpy" || extension == ".py") {
      return run_module(vm, name, text, escape_bytes(file.stem().string()));
    }
    const bool is_markdown = extension == ".md" || extension == ".markdown";
    SessionRunner runner(vm, name, options_.flags, options_.verbose);
    count(runner, read_text(text, escape_bytes(file.filename().string()), is_markdown), nullptr);
  }

  void run_module(Interpreter& vm, const std::string& path, const std::string& text,
                  const std::string& name) {
    Ref<Module> module = vm.make_module(name);
    module->set(vm, "__file__", vm.str(path));
    vm.modules->set(vm.intern(name), module);
    as_raised(vm, [&] { vm.run_source(text, path, *module); });
    vm.flush_out();
    SessionRunner runner(vm, path, options_.flags, options_.verbose);
    for (const Session& session : read_docstrings(text, path, name)) {
      count(runner, session, module->names.get());
      if (total_.failed && (options_.flags & kFailFast)) return;
    }
  }

  void count(SessionRunner& runner, const Session& session, Dict* globals) {
    const Tally tally = runner.run(session, globals);
    total_ += tally;
    if (tally.failed) failed_.push_back({session.name, tally});
  }

  void show_failed() const {
    if (failed_.empty()) return;
    std::printf("%s\n%zu item%s had failures:\n", std::string(70, '*').c_str(), failed_.size(),
                failed_.size() == 1 ? "" : "s");
    for (const auto& [name, tally] : failed_) {
      std::printf(" %3d of %3d in %s\n", tally.failed, tally.passed + tally.failed, name.c_str());
    }
  }

  const DoctestOptions& options_;
  const std::function<std::unique_ptr<Interpreter>()>& make_interpreter_;
  Tally total_;
  bool interrupted_ = false;
  std::vector<std::pair<std::string, Tally>> failed_;
};

}  // namespace

int run_doctest(const std::vector<std::string>& words,
                const std::function<std::unique_ptr<Interpreter>()>& make_interpreter) {
  const DoctestOptions options = read_doctest_options(words);
  return Doctest(options, make_interpreter).run();
}

}  // namespace gpy::command
