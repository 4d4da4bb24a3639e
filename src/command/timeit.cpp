#include "src/command/timeit.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "grammar/parse.h"
#include "runtime/core/size_text.h"
#include "src/command/settle.h"
#include "src/typed_native.h"

namespace gpy::command {

namespace {

struct Request {
  int64_t loops = 0;  // 0: a power of ten that takes 0.03 to 0.3 s
  int64_t runs = 7;
  std::string statement;
};

// A number after "-n" or "-r", with or without a space between.
int64_t read_count(Interpreter& vm, std::string_view& text) {
  const std::string option(text.substr(0, 2));
  text.remove_prefix(2);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const size_t end = std::min(text.find(' '), text.size());
  const int64_t count = std::atoll(std::string(text.substr(0, end)).c_str());
  if (count <= 0) vm.raise_value_error("%timeit: {} needs a positive number", option);
  text.remove_prefix(std::min(text.find_first_not_of(' ', end), text.size()));
  return count;
}

Request read_request(Interpreter& vm, std::string_view text) {
  Request request;
  while (text.starts_with("-n") || text.starts_with("-r")) {
    int64_t& count = text[1] == 'n' ? request.loops : request.runs;
    count = read_count(vm, text);
  }
  request.statement = text;
  if (text.empty()) vm.raise_value_error("%timeit: a statement is missing");
  return request;
}

// --- the loop ------------------------------------------------------------------------------------

void add_target(const syntax::Expr* target, std::vector<std::string_view>& names) {
  using syntax::as;
  switch (target->kind) {
    case syntax::ExprKind::Name: names.push_back(as<syntax::Name>(*target).id); break;
    case syntax::ExprKind::Attribute:
      add_target(as<syntax::Attribute>(*target).value, names);
      break;
    case syntax::ExprKind::Subscript:
      add_target(as<syntax::Subscript>(*target).value, names);
      break;
    case syntax::ExprKind::Starred: add_target(as<syntax::Starred>(*target).value, names); break;
    case syntax::ExprKind::Tuple:
      for (const auto* each : as<syntax::Tuple>(*target).elts) add_target(each, names);
      break;
    case syntax::ExprKind::List:
      for (const auto* each : as<syntax::List>(*target).elts) add_target(each, names);
      break;
    default: break;
  }
}

// The variables that an assignment changes.
std::vector<std::string_view> assigned_names(const syntax::Stmt& statement) {
  using syntax::as;
  std::vector<std::string_view> names;
  if (statement.kind == syntax::StmtKind::Assign) {
    for (const auto* target : as<syntax::Assign>(statement).targets) add_target(target, names);
  } else if (statement.kind == syntax::StmtKind::AugAssign) {
    add_target(as<syntax::AugAssign>(statement).target, names);
  }
  return names;
}

// The lines of the loop's body, each statement followed by the settling of what it made.
std::string settled_body(const std::string& statement) {
  auto source = syntax::make_source("<timeit>", statement + "\n");
  auto result = syntax::parse(source);
  if (!result.tree) return "        " + statement + "\n";  // the whole is refused with its message
  std::string body;
  for (const syntax::Stmt* each : result.tree->module.body) {
    const std::string text = statement.substr(each->span.begin, each->span.end - each->span.begin);
    const bool value = each->kind == syntax::StmtKind::ExprStmt;
    body += value ? fmt::format("        __settle__({})\n", text) : "        " + text + "\n";
    for (std::string_view name : assigned_names(*each)) {
      body += fmt::format("        __settle__({})\n", name);
    }
  }
  return body;
}

// Raises the SyntaxError with the user's own line, not that of the loop around it.
void refuse_unparsable(Interpreter& vm, const std::string& statement) {
  const std::string line = statement + "\n";
  if (syntax::parse(syntax::make_source("<stdin>", line)).tree) return;
  vm.run_interactive(line, "<stdin>", vm.main_module());
}

Value take_name(Interpreter& vm, Module& module, std::string_view name) {
  Str* key = vm.intern(name);
  Value value = *module.names->find(key);
  module.names->erase(key);
  return value;
}

// A function of (times, settle), so that the statement's own variables are local as in IPython.
Value make_loop(Interpreter& vm, const std::string& body) {
  const std::string text =
      "def __timeit__(__times__, __settle__):\n    for __time__ in __times__:\n" + body + "\n";
  vm.run_interactive(text, "<timeit>", vm.main_module());
  return take_name(vm, vm.main_module(), "__timeit__");
}

Value settle_argument(Interpreter&, const Args& call, const Value& value) {
  static_cast<Settler*>(call.callee().context)->settle(value);
  return Value::none();
}

const Native kSettle = {"__settle__", "(value, /)", typed<settle_argument>};

class Timer {
 public:
  Timer(Interpreter& vm, const std::string& statement)
      : vm_(vm), settler_(vm), settle_(vm.function(kSettle, "", &settler_)) {
    loop_ = make_loop(vm, settled_body(statement));
    run(1);
    if (!settler_.has_seen_arrays()) loop_ = make_loop(vm, "        " + statement + "\n");
  }

  double run(int64_t loops) {
    const Value times = vm_.call(Value(vm_.types.range), {Value::integer(loops)});
    const double start = wall_seconds();
    vm_.call(loop_, {times, settle_});
    settler_.wait();
    return wall_seconds() - start;
  }

  // Seven runs of 0.03 to 0.3 s each, so that even short statements are measured within 2 s or so.
  int64_t choose_loops() {
    constexpr double kLongest = 0.3;
    int64_t loops = 1;
    while (loops < 1'000'000'000 && run(loops) * 10 <= kLongest) loops *= 10;
    return loops;
  }

 private:
  Interpreter& vm_;
  Settler settler_;
  Value settle_, loop_;
};

// --- the answer ----------------------------------------------------------------------------------

const char* plural(int64_t count) { return count == 1 ? "" : "s"; }

std::string describe(const std::vector<double>& times, int64_t loops) {
  double sum = 0, squares = 0;
  for (double time : times) sum += time;
  const double mean = sum / static_cast<double>(times.size());
  for (double time : times) squares += (time - mean) * (time - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(times.size()));
  return fmt::format("{} ± {} per loop (mean ± std. dev. of {} run{}, {} loop{} each)",
                     format_time(mean), format_time(deviation), times.size(),
                     plural(static_cast<int64_t>(times.size())), rt::with_commas(loops),
                     plural(loops));
}

// "1min 5s", "2h"
std::string format_long_time(double seconds) {
  constexpr std::pair<const char*, int64_t> kParts[] = {
      {"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}};
  std::string text;
  auto left = static_cast<int64_t>(seconds);
  for (const auto& [unit, length] : kParts) {
    if (left / length == 0) continue;
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", left / length, unit);
    left %= length;
  }
  return text;
}

}  // namespace

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string format_time(double seconds) {
  if (seconds >= 60) return format_long_time(seconds);
  constexpr const char* kUnits[] = {"s", "ms", "µs", "ns"};
  constexpr double kScales[] = {1, 1e3, 1e6, 1e9};
  int order = 3;
  if (seconds > 0) {
    const int digits = static_cast<int>(std::floor(std::log10(seconds)));
    order = std::clamp(-static_cast<int>(std::floor(digits / 3.0)), 0, 3);
  }
  if (order > 0 && seconds * kScales[order] >= 999.5) --order;  // that is 1000 in three digits
  return fmt::format("{:.3g} {}", seconds * kScales[order], kUnits[order]);
}

std::string timeit(Interpreter& vm, const std::string& text) {
  const Request request = read_request(vm, text);
  refuse_unparsable(vm, request.statement);
  Timer timer(vm, request.statement);
  const int64_t loops = request.loops ? request.loops : timer.choose_loops();
  std::vector<double> times;
  for (int64_t run = 0; run < request.runs; ++run) {
    times.push_back(timer.run(loops) / static_cast<double>(loops));
  }
  return describe(times, loops);
}

}  // namespace gpy::command
