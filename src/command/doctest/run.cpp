#include "src/command/doctest/run.h"

#include <algorithm>
#include <climits>
#include <cstdio>

#include "src/command/doctest/check.h"
#include "src/command/doctest/lines.h"
#include "src/diagnostics/diagnostic.h"
#include "src/exceptions/as_raised.h"
#include "src/state.h"

namespace gpy::command {

static void write(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

static std::string indented(std::string_view text) {
  std::string out;
  each_line(text, [&](std::string_view line, bool) {
    out += line.empty() ? "\n" : "    " + std::string(line) + "\n";
  });
  return out;
}

SessionRunner::SessionRunner(Interpreter& vm, std::string path, Flags flags, bool verbose)
    : vm_(vm), path_(std::move(path)), flags_(flags), verbose_(verbose) {
  vm_.out = [this](std::string_view text) {
    const Position position = vm_.current_position();
    printed_ += text;
    printed_by_line_[position.file == path_ ? static_cast<int>(position.line) : 0] += text;
  };
  vm_.flush_out = [] {};
  vm_.state().show = [this](const Value& value) {
    if (value.is_undefined() || value.is_none()) return;
    vm_.write_out(vm_.repr(value) + "\n");
    vm_.builtins->set(vm_.intern("_"), value);
  };
}

SessionRunner::~SessionRunner() {
  vm_.out = [](std::string_view) {};
  vm_.state().show = nullptr;
}

static Ref<Module> namespace_of(Interpreter& vm, Dict* globals) {
  Ref<Module> module = vm.make_module("__main__");
  if (!globals) return module;
  for (auto& entry : globals->entries()) {
    if (entry.key.is_defined()) module->names->set(vm, entry.key, entry.value);
  }
  return module;
}

Tally SessionRunner::run(const Session& session, Dict* globals) {
  Ref<Module> module = namespace_of(vm_, globals);
  if (!globals) vm_.modules->set(vm_.intern("__main__"), module);
  Tally tally;
  size_t script = 0;
  // Scripts and examples run in the order of the file.
  auto run_scripts_before = [&](int line) {
    while (script < session.scripts.size() && session.scripts[script].line < line) {
      tally += try_script(session, session.scripts[script++], *module);
    }
  };
  for (size_t i = 0; i < session.examples.size(); ++i) {
    const Example& example = session.examples[i];
    run_scripts_before(example.line);
    const Flags flags = (flags_ | example.on) & ~example.off;
    if (flags & kSkip) continue;
    const bool quiet = (flags_ & kReportOnlyFirstFailure) && tally.failed > 0;
    const bool passed = try_example(session, i, *module, flags, quiet);
    ++(passed ? tally.passed : tally.failed);
    if (tally.failed && (flags & kFailFast)) return tally;
  }
  run_scripts_before(INT_MAX);
  return tally;
}

// --- examples ------------------------------------------------------------------------------------

SessionRunner::Outcome SessionRunner::execute(const std::string& source, const std::string& name,
                                              Module& module) {
  Outcome outcome;
  printed_.clear();
  try {
    // The empty line at the end closes a block.
    as_raised(vm_, [&] { vm_.state().show(vm_.run_interactive(source + "\n", name, module)); });
  } catch (const Raised& raised) {
    if (vm_.is_instance(raised.exception, vm_.types.keyboard_interrupt)) throw;
    outcome.raised = raised.exception;
  }
  outcome.printed = std::move(printed_);
  // Like Python's doctest: the expected output ends with a newline, so the actual output must, too.
  if (!outcome.printed.empty() && !outcome.printed.ends_with('\n')) outcome.printed += '\n';
  return outcome;
}

// "ValueError: text" and the notes, without what gpy adds.
std::string SessionRunner::last_lines(const Outcome& outcome, bool with_suggestion) {
  const ErrorReport report = diagnose_alone(vm_, outcome.raised.as<Exception>());
  const Diagnostic& error = report.error();
  std::string text = error.kind;
  if (!error.message.empty()) text += ": " + error.message;
  if (with_suggestion && !error.suggestion.empty()) text += ". " + error.suggestion;
  text += '\n';
  for (const std::string& note : error.notes) text += note + "\n";
  return text;
}

bool SessionRunner::as_expected(const Example& example, const Outcome& outcome, Flags flags) {
  if (outcome.raised.is_undefined()) return is_wanted(example.want, outcome.printed, flags);
  if (!example.error) return false;
  return is_wanted_error(*example.error, last_lines(outcome, false), flags) ||
         is_wanted_error(*example.error, last_lines(outcome, true), flags);
}

static std::string difference(const std::string& want, const std::string& got) {
  const std::string wanted = want.empty() ? "Expected nothing\n" : "Expected:\n" + indented(want);
  return wanted + (got.empty() ? "Got nothing\n" : "Got:\n" + indented(got));
}

bool SessionRunner::try_example(const Session& session, size_t index, Module& module, Flags flags,
                                bool quiet) {
  const Example& example = session.examples[index];
  if (verbose_) {
    write("Trying:\n" + indented(example.source) +
          (example.want.empty() ? "Expecting nothing\n" : "Expecting:\n" + indented(example.want)));
  }
  const Outcome outcome =
      execute(example.source, fmt::format("<doctest {}[{}]>", session.name, index), module);
  if (as_expected(example, outcome, flags)) {
    if (verbose_) write("ok\n");
    return true;
  }
  if (quiet) return false;
  const bool raised = outcome.raised.is_defined();
  const std::string traceback = raised ? vm_.render(Raised{outcome.raised}) : "";
  report(session, example.line, "Failed example", example.source,
         raised && !example.error ? "Exception raised:\n" + indented(traceback)
                                  : difference(example.want, outcome.printed + traceback));
  return false;
}

void SessionRunner::report(const Session& session, int line, const std::string& heading,
                           const std::string& source, const std::string& rest) {
  write(std::string(70, '*') + "\n" +
        fmt::format("File \"{}\", line {}, in {}\n", path_, line, session.name) + heading + ":\n" +
        indented(source) + rest);
}

// --- scripts -------------------------------------------------------------------------------------

static std::string line_of(const std::string& source, int number) {
  size_t at = 0;
  for (int i = 1; i < number && at != std::string::npos; ++i) at = source.find('\n', at) + 1;
  return source.substr(at, source.find('\n', at) - at);
}

static std::string trimmed_lines(std::string_view text) {
  std::string out;
  each_line(text, [&](std::string_view line, bool) {
    out += std::string(line.substr(0, line.find_last_not_of(" \t\r") + 1)) + "\n";
  });
  return out;
}

// The innermost of the file's lines in the frames of an error.
static int line_of_error(const ErrorReport& report, const std::string& path) {
  const auto& frames = report.error().frames;
  for (auto at = frames.rbegin(); at != frames.rend(); ++at) {
    if (at->file == path) return at->range.line;
  }
  return 0;
}

// Notes the output of lines, and the message of an error if its line expects output.
bool SessionRunner::run_script(const Session& session, const Script& script, Module& module) {
  printed_by_line_.clear();
  try {
    as_raised(vm_, [&] { vm_.run_source(script.source, path_, module); });
    return true;
  } catch (const Raised& raised) {
    if (vm_.is_instance(raised.exception, vm_.types.keyboard_interrupt)) throw;
    const int line = line_of_error(diagnose_alone(vm_, raised.exception.as<Exception>()), path_);
    if (script.prints.contains(line)) {
      printed_by_line_[line] += last_lines({"", raised.exception}, false);
      return true;
    }
    report(session, line ? line : script.line, "Failed script", line_of(script.source, line) + "\n",
           "Exception raised:\n" + indented(vm_.render(raised)));
    return false;
  }
}

// Each line that prints, or should, counts as passed or failed; a script that prints nothing counts
// once as a whole.
Tally SessionRunner::try_script(const Session& session, const Script& script, Module& module) {
  if (!run_script(session, script, module)) return {0, 1};
  std::map<int, std::string> wanted, got = std::move(printed_by_line_);
  for (const auto& [line, text] : got) wanted[line];
  for (const auto& [line, texts] : script.prints) {
    for (const std::string& text : texts) wanted[line] += text + "\n";
  }
  if (wanted.empty()) return {1, 0};
  Tally tally;
  for (const auto& [line, want] : wanted) {
    const bool passed = is_wanted(want, trimmed_lines(got[line]), flags_);
    ++(passed ? tally.passed : tally.failed);
    if (passed) continue;
    report(session, line, "Failed line", line_of(script.source, line) + "\n",
           difference(want, got[line]));
  }
  return tally;
}

}  // namespace gpy::command
