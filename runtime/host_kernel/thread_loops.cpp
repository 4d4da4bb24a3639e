#include "runtime/host_kernel/thread_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <optional>
#include <utility>

#include "runtime/host_kernel/block_regions.h"
#include "runtime/host_kernel/block_variables.h"
#include "runtime/host_kernel/cpp_functions.h"
#include "runtime/host_kernel/cpp_statements.h"
#include "runtime/host_kernel/cpp_tokens.h"
#include "runtime/host_kernel/thread_meetings.h"

namespace gpy::rt {
namespace {

using Kind = Statement::Kind;
using Of = BlockVariable::Kind;

// Writes the second form of one function.
class LoopWriter {
 public:
  LoopWriter(const CppTokens& tokens, const CppFunctions& functions, const CppFunction& function,
             const std::map<std::string, bool>& looped)
      : tokens_(tokens),
        functions_(functions),
        function_(function),
        looped_(looped),
        meetings_(tokens, functions, looped),
        variables_(tokens, functions),
        regions_(tokens, functions, variables_) {}

  // Nothing where fibers must run it.
  std::optional<std::string> write() {
    const std::optional<std::string> head = head_text();
    const auto body = read_statements(tokens_, function_.body);
    if (!head || !body || !is_plain() || functions_.waits_in_loop(function_)) return std::nullopt;
    for (const Statement& each : *body) meetings_.note(each);
    const auto structured = [&](const Statement& each) { return meetings_.is_structured(each); };
    if (!variables_.read(function_, *body, structured) || !meetings_.are_all(function_, variables_))
      return std::nullopt;
    start();
    build(*body, 0);
    flush();
    if (!understood_ || !meets_) return std::nullopt;
    // Threads that end in the last step are not missed anywhere.
    if (!steps_.empty()) steps_.back().returns = false;
    if (calls_late_ && some_return()) return std::nullopt;
    return *head + text();
  }
  bool may_refuse() const { return may_refuse_; }

 private:
  // One part of the function: text that runs once for the block, or what each thread does.
  struct Step {
    std::string text;
    std::vector<RegionItem> items;
    bool returns = false;  // some threads end there
  };

  const BlockVariable& variable(int number) const {
    return variables_.all()[static_cast<size_t>(number)];
  }

  // --- what is understood ---

  // `template <class T> static bool name(T* _gpy_given0)`
  std::optional<std::string> head_text() const {
    std::string text;
    int i = function_.begin;
    if (tokens_.at(i) == "template") {
      int depth = 0;
      do {
        text.append(tokens_.at(i)) += ' ';
        ++i;
        depth += (tokens_.at(i) == "<") - (tokens_.at(i) == ">");
      } while (depth > 0 && i < function_.name_at);
      text += "> ";
      if (tokens_.at(i - 1) == "<") return std::nullopt;  // a specialization
    }
    bool is_void = false;
    for (; i < function_.name_at; ++i) is_void |= tokens_.at(i) == "void";
    if (!is_void || tokens_.at(function_.name_at - 1) == "::") return std::nullopt;
    return text + fmt::format("static __attribute__((noinline)) bool {}(",
                              looped_name(std::string(function_.name)));
  }

  bool is_plain() const {
    const size_t begin = tokens_[function_.body].begin, end = tokens_[function_.end].end;
    return std::ranges::none_of(tokens_.directives(), [&](const Directive& each) {
      const bool inside = each.begin > begin && each.begin < end;
      return inside && !each.text.starts_with("line") && !each.text.starts_with("pragma");
    });
  }

  // --- the steps ---

  void start() {
    for (size_t i = 0; i < variables_.all().size(); ++i) {
      const BlockVariable& each = variables_.all()[i];
      if (!each.parameter) continue;
      if (each.kind == Of::kOfBlock) say(fmt::format("_gpy_u{0} = _gpy_given{0};", i));
      else
        pending_.push_back({RegionItem::Kind::kGiven,
                            nullptr,
                            {static_cast<int>(i), each.declared, {}, {}, true}});
    }
  }

  void say(std::string text) { steps_.push_back({std::move(text), {}}); }

  void flush() {
    if (pending_.empty()) return;
    understood_ &= !regions_.mix_names(pending_);
    steps_.push_back({"", std::move(pending_), std::exchange(returns_, false)});
    pending_.clear();
  }

  void build(const std::vector<Statement>& list, int depth) {
    for (const Statement& each : list) {
      if (understood_) build_one(each, depth);
    }
  }

  void build_one(const Statement& statement, int depth) {
    if (statement.kind == Kind::kBarrier) {
      meets_ = true;
      return flush();
    }
    if (meetings_.is_structured(statement)) return build_structure(statement, depth);
    if (meetings_.is_call(statement)) return build_call(statement, depth);
    if (variables_.is_of_all(statement) && statement.kind == Kind::kSimple)
      return say(line_directive(tokens_, statement.begin) +
                 source_text(tokens_, {statement.begin, statement.end}));
    if (const auto* all = variables_.declared_by(statement)) return build_assignments(*all);
    if (const auto* all = variables_.assigned_by(statement)) return build_assignments(*all);
    returns_ |= holds(statement, Kind::kReturn);
    pending_.push_back({RegionItem::Kind::kStatement, &statement, {}});
  }

  void build_assignments(const std::vector<Assignment>& all) {
    for (const Assignment& each : all) {
      // What stood before it may have been of another thing of this name.
      if (each.first && regions_.name_other(pending_, variable(each.variable).name)) flush();
      if (variable(each.variable).kind == Of::kOfThread)
        pending_.push_back({RegionItem::Kind::kAssignment, nullptr, each});
      if (variable(each.variable).kind != Of::kOfBlock) continue;
      flush();
      if (const std::string text = assignment_text(each); !text.empty()) say(text + ";");
    }
  }

  std::string assignment_text(const Assignment& each) const {
    if (!each.first) return block_text(each.whole);
    return first_value_text(tokens_, variable(each.variable), each,
                            fmt::format("_gpy_u{}", each.variable),
                            [&](TokenRange range) { return block_text(range); });
  }

  void build_structure(const Statement& statement, int depth) {
    flush();
    switch (statement.kind) {
      case Kind::kReturn:
        understood_ &= statement.end == statement.begin + 2;
        return say("return true;");
      case Kind::kBreak: return say("break;");
      case Kind::kContinue: return say("continue;");
      case Kind::kBlock: break;
      case Kind::kFor: say(for_text(statement)); break;
      case Kind::kIf:
      case Kind::kWhile: say(condition_text(statement)); break;
      case Kind::kDo: say("do"); break;
      default: understood_ = false; return;
    }
    const bool block = statement.kind == Kind::kBlock;
    if (block) build_part(statement.parts, depth);
    for (size_t i = 0; i < statement.parts.size() && !block; ++i) {
      if (i == 1) say("else");
      build_part({statement.parts[i]}, depth);
    }
    if (statement.kind == Kind::kDo) say(condition_text(statement) + ";");
  }

  void build_part(const std::vector<Statement>& list, int depth) {
    kept_.push_back(list);  // steps point to its statements
    say("{");
    build(kept_.back(), depth + 1);
    flush();
    say("}");
  }

  std::string condition_text(const Statement& statement) {
    const TokenRange head{statement.head, statement.head_end};
    understood_ &= variables_.same_for_all(head);
    return fmt::format("{} ({})", statement.kind == Kind::kIf ? "if" : "while", block_text(head));
  }

  std::string for_text(const Statement& statement) {
    const TokenRange condition = variables_.head_condition(statement);
    understood_ &= variables_.same_for_all(condition);
    return fmt::format("for ({}; {}; {})", list_text(*variables_.head_first(statement)),
                       block_text(condition), list_text(*variables_.head_last(statement)));
  }

  std::string list_text(const std::vector<Assignment>& all) {
    std::string out;
    for (const Assignment& each : all) {
      understood_ &= variable(each.variable).kind == Of::kOfBlock;
      if (!out.empty()) out += ", ";
      out += assignment_text(each);
    }
    return out;
  }

  // Where a call may refuse the block, nothing has been done before it.
  void build_call(const Statement& statement, int depth) {
    const std::string called(tokens_.at(statement.begin));
    const bool first =
        pending_.empty() && !called_ && depth == 0 &&
        std::ranges::all_of(steps_, [](const Step& each) { return each.items.empty(); });
    const int open = statement.begin + 1, close = tokens_[open].match;
    const bool refuses = looped_.at(called);
    understood_ &= (first || !refuses) && variables_.same_for_all({open + 1, close});
    may_refuse_ |= refuses;
    calls_late_ |= !first;
    meets_ = called_ = true;
    flush();
    say(fmt::format("if (!{}({})) return false;", looped_name(called),
                    block_text({open + 1, close})));
  }

  std::string block_text(TokenRange range) const {
    return renamed_text(tokens_, functions_, range, [&](int token) -> std::string {
      const int number = variables_.of_token(token);
      return number < 0 ? "" : fmt::format("_gpy_u{}", number);
    });
  }

  // --- the text ---

  bool some_return() const { return std::ranges::any_of(steps_, &Step::returns); }

  std::string text() {
    for (const Step& each : steps_) regions_.add(each.items);
    std::string out;
    for (size_t i = 0, given = 0; i < variables_.all().size(); ++i) {
      const BlockVariable& each = variables_.all()[i];
      if (each.parameter)
        out += fmt::format("{}{} _gpy_given{}", given++ == 0 ? "" : ", ", each.type, i);
    }
    out += ") {\n  _GPY_FOR_BLOCK\n" + regions_.declarations(some_return());
    may_refuse_ |= regions_.needs_room(some_return());
    for (const Step& each : steps_)
      out += each.items.empty() ? each.text + '\n' : regions_.text(each.items, each.returns);
    return out + "  return true;\n}\n";
  }

  const CppTokens& tokens_;
  const CppFunctions& functions_;
  const CppFunction& function_;
  const std::map<std::string, bool>& looped_;
  ThreadMeetings meetings_;
  BlockVariables variables_;
  BlockRegions regions_;
  std::vector<Step> steps_;
  std::vector<RegionItem> pending_;
  std::list<std::vector<Statement>> kept_;
  bool understood_ = true, meets_ = false, returns_ = false;
  bool called_ = false, calls_late_ = false, may_refuse_ = false;
};

bool is_alone(const CppFunctions& functions, const CppFunction& function) {
  return std::ranges::count(functions.all(), function.name, &CppFunction::name) == 1;
}

}  // namespace

std::string looped_name(const std::string& function) {
  const size_t end = std::min(function.find('<'), function.size());
  return function.substr(0, end) + "_gpy_in_loops" + function.substr(end);
}

ThreadLoops with_thread_loops(const std::string& source) {
  ThreadLoops out;
  const CppTokens tokens(source);
  if (!tokens.balanced()) return out;
  const CppFunctions functions(tokens);
  if (functions.outside_depends() || functions.objects_act()) return out;
  size_t done = 0;
  for (const CppFunction& each : functions.all()) {
    if (each.in_class || !functions.is_threads(each.name) || !is_alone(functions, each)) continue;
    LoopWriter writer(tokens, functions, each, out.functions);
    const auto text = writer.write();
    if (!text) continue;
    const size_t end = tokens[each.end].end;
    out.source.append(source, done, end - done);
    out.source += '\n' + *text + line_directive(tokens, each.end);
    out.functions[std::string(each.name)] = writer.may_refuse();
    done = end;
  }
  out.source.append(source, done);
  return out;
}

}  // namespace gpy::rt
