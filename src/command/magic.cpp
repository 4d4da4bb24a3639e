#include "src/command/magic.h"

#include <sys/resource.h>

#include "grammar/parse.h"
#include "src/command/settle.h"
#include "src/command/timeit.h"
#include "src/state.h"
#include "src/types/text_codec.h"

namespace gpy::command {

namespace {

std::string trimmed(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\n");
  if (start == text.npos) return "";
  return std::string(text.substr(start, text.find_last_not_of(" \t\n") + 1 - start));
}

bool asks_for_help(const std::string& text) {
  const std::string line = trimmed(text);
  return line == "?" || line == "??";
}

bool is_expression(const std::string& text) {
  const auto result = syntax::parse(syntax::make_source("<stdin>", text + "\n"));
  if (!result.tree || result.tree->module.body.size() != 1) return false;
  return result.tree->module.body[0]->kind == syntax::StmtKind::ExprStmt;
}

// The "x" of "x?" or "?x", with one or two marks. Comments and strings may end in one: they parse.
std::string asked_for(const std::string& text) {
  const std::string line = trimmed(text);
  const bool marked = line.starts_with('?') || line.ends_with('?');
  if (!marked || line.find('\n') != line.npos) return "";
  auto result = syntax::parse(syntax::make_source("<stdin>", text), {syntax::Mode::interactive});
  if (result.completeness != syntax::Completeness::error) return "";
  const size_t start = line.find_first_not_of('?');
  if (start == line.npos) return "";
  const std::string asked = trimmed(line.substr(start, line.find_last_not_of('?') + 1 - start));
  return is_expression(asked) ? asked : "";
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

struct Clock {
  double user, system, wall;

  static Clock now() {
    rusage use;
    getrusage(RUSAGE_SELF, &use);
    return {seconds(use.ru_utime), seconds(use.ru_stime), wall_seconds()};
  }
};

std::string elapsed(const Clock& from, const Clock& to) {
  const double user = to.user - from.user, system = to.system - from.system;
  return fmt::format("CPU times: user {}, sys: {}, total: {}\nWall time: {}\n", format_time(user),
                     format_time(system), format_time(user + system),
                     format_time(to.wall - from.wall));
}

}  // namespace

Commands::Commands(Interpreter& vm) : vm_(vm) {
  vm.state().show = [this](const Value& value) { show(value); };
}

bool Commands::takes(const std::string& text) {
  return trimmed(text).starts_with('%') || asks_for_help(text) || !asked_for(text).empty();
}

bool Commands::run(const std::string& text) {
  const std::string line = trimmed(text);
  if (line.starts_with('%')) {
    magic(line.substr(1));
  } else if (asks_for_help(text)) {
    call_help({});
  } else if (const std::string expression = asked_for(text); !expression.empty()) {
    help(expression);
  } else {
    return false;
  }
  return true;
}

// Characters that the output cannot encode are escaped, as at CPython's prompt.
void Commands::show(const Value& value) {
  if (value.is_undefined() || value.is_none()) return;
  vm_.write_out(encode_text(vm_, vm_.repr(value), "utf-8", "backslashreplace") + "\n");
  vm_.builtins->set(vm_.intern("_"), value);
}

void Commands::help(const std::string& expression) {
  const Value value = vm_.run_interactive(expression + "\n", "<stdin>", vm_.main_module());
  if (value.is_defined()) call_help({value});
}

// A script may have removed help from the builtins.
void Commands::call_help(std::initializer_list<Value> arguments) {
  const Value* help = vm_.builtins->find(vm_.intern("help"));
  if (!help) vm_.raise(vm_.types.name_error, "name 'help' is not defined");
  vm_.call(*help, arguments);
}

void Commands::magic(const std::string& line) {
  const size_t space = std::min(line.find(' '), line.size());
  const std::string name = line.substr(0, space), rest = trimmed(line.substr(space));
  if (name == "time") return time(rest);
  if (name == "timeit") return vm_.write_out(timeit(vm_, rest) + "\n");
  vm_.write_err("no command %" + name + ": there are %time and %timeit\n");
}

// Work that was pending before does not count; work that the statement leaves pending does.
void Commands::time(const std::string& statement) {
  Module& main = vm_.main_module();
  Settler settler(vm_);
  settler.settle_module(main);
  const Clock start = Clock::now();
  const std::string entry = statement + "\n\n";  // the blank line ends a block
  const Value value = vm_.run_interactive(entry, "<stdin>", main);
  if (value.is_defined()) settler.settle(value);
  settler.settle_module(main);
  settler.wait();
  vm_.write_out(elapsed(start, Clock::now()));
  show(value);
}

}  // namespace gpy::command
