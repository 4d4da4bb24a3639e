#include "runtime/host_kernel/block_regions.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpy::rt {
namespace {

using Kind = Statement::Kind;
using Of = BlockVariable::Kind;

// The names of _GPY_FOR_BLOCK and _GPY_EACH_THREAD.
std::string_view own_name(std::string_view word) {
  if (word == "threadIdx") return "_gpy_at_thread";
  if (word == "blockIdx") return "_gpy_at_block";
  if (word == "blockDim") return "_gpy_of_block";
  return word == "gridDim" ? "_gpy_of_grid" : "";
}

}  // namespace

std::string line_directive(const CppTokens& tokens, int token) {
  const SourceLineNumber at = tokens.line_of(tokens[token].begin);
  return fmt::format("\n#line {} \"{}\"\n", at.line, at.file);
}

std::string source_text(const CppTokens& tokens, TokenRange range) {
  if (range.empty()) return "";
  const size_t begin = tokens[range.begin].begin;
  return tokens.source().substr(begin, tokens[range.end - 1].end - begin);
}

std::string renamed_text(const CppTokens& tokens, const CppFunctions& functions, TokenRange range,
                         const std::function<std::string(int)>& rename) {
  std::string out;
  if (range.empty()) return out;
  size_t done = tokens[range.begin].begin;
  const auto replace = [&](int first, int last, std::string_view text) {
    out.append(tokens.source(), done, tokens[first].begin - done).append(text);
    done = tokens[last].end;
  };
  for (int i = range.begin; i < range.end; ++i) {
    if (!tokens.is_name(i) || tokens.is_member(i)) continue;
    const std::string_view own = own_name(tokens.at(i));
    if (!own.empty()) {
      replace(i, i, own);
    } else if (functions.is_position_call(i)) {
      const auto [first, end] = functions.position_expression(tokens.at(i));
      replace(i, i + 2, '(' + renamed_text(tokens, functions, {first, end}, rename) + ')');
    } else if (const std::string name = rename(i); !name.empty()) {
      replace(i, i, name);
    }
  }
  return out.append(tokens.source(), done, tokens[range.end - 1].end - done);
}

std::string first_value_text(const CppTokens& tokens, const BlockVariable& declared,
                             const Assignment& first, std::string_view name,
                             const std::function<std::string(TokenRange)>& text) {
  if (first.value.empty()) return declared.is_builtin ? "" : fmt::format("_gpy_begin({})", name);
  const std::string_view mark = tokens.at(first.value.begin);
  const TokenRange value{first.value.begin + (mark == "="), first.value.end};
  const std::string type = mark == "(" ? fmt::format("_gpy_t{}", first.variable) : "";
  return fmt::format("{} = {}{}", name, type, text(value));
}

bool BlockRegions::names(TokenRange range, int variable) const {
  for (int i = range.begin; i < range.end; ++i) {
    if (variables_.of_token(i) == variable) return true;
  }
  return false;
}

BlockRegions::Flow BlockRegions::flow(const std::vector<Statement>& list, int variable) const {
  for (const Statement& each : list) {
    if (const Flow here = flow(each, variable); here != Flow::kThrough) return here;
  }
  return Flow::kThrough;
}

// Whether a statement reads a value that it has not given before, or gives one in any case.
BlockRegions::Flow BlockRegions::flow(const Statement& statement, int variable) const {
  const TokenRange head{statement.head, statement.head_end};
  const auto body = [&](size_t i) {
    return i < statement.parts.size() ? flow(statement.parts[i], variable) : Flow::kThrough;
  };
  switch (statement.kind) {
    case Kind::kBlock: return flow(statement.parts, variable);
    case Kind::kIf:
      if (names(head, variable) || body(0) == Flow::kExposed || body(1) == Flow::kExposed)
        return Flow::kExposed;
      return body(0) == Flow::kKilled && body(1) == Flow::kKilled ? Flow::kKilled : Flow::kThrough;
    case Kind::kFor:
    case Kind::kWhile:
    case Kind::kDo:
      return names(head, variable) || body(0) == Flow::kExposed ? Flow::kExposed : Flow::kThrough;
    default: break;
  }
  const int at = statement.begin;
  const bool gives = variables_.of_token(at) == variable && tokens_.at(at + 1) == "=";
  if (names({at + (gives ? 1 : 0), statement.end}, variable)) return Flow::kExposed;
  return gives ? Flow::kKilled : Flow::kThrough;
}

BlockRegions::Flow BlockRegions::flow(const RegionItem& item, int number) const {
  if (item.kind == RegionItem::Kind::kStatement) return flow(*item.statement, number);
  const Assignment& each = item.assignment;
  if (names(each.value, number)) return Flow::kExposed;
  if (each.variable != number) return Flow::kThrough;
  if (each.first) return Flow::kKilled;
  const bool plain = !each.value.empty() && tokens_.at(each.at + 1) == "=";
  return plain ? Flow::kKilled : Flow::kExposed;
}

void BlockRegions::add(const std::vector<RegionItem>& items) {
  for (const int number : named_in(items)) {
    const BlockVariable& each = variable(number);
    if (each.kind != Of::kOfThread) continue;
    Flow all = each.exposed_address ? Flow::kExposed : Flow::kThrough;
    for (const RegionItem& item : items) {
      if (all == Flow::kThrough) all = flow(item, number);
    }
    if (all == Flow::kExposed) kept_.insert(number);
  }
}

void BlockRegions::add_named(TokenRange range, std::set<int>& out) const {
  for (int i = range.begin; i < range.end; ++i) {
    const int number = variables_.of_token(i);
    if (number < 0 || !out.insert(number).second) continue;
    if (variable(number).kind == Of::kComputed) add_named(computed_from(number), out);
  }
}

std::set<int> BlockRegions::named_in(const std::vector<RegionItem>& items) const {
  std::set<int> out;
  for (const RegionItem& each : items) {
    if (each.kind == RegionItem::Kind::kStatement) {
      add_named({each.statement->begin, each.statement->end}, out);
    } else {
      add_named({each.assignment.at, each.assignment.at + 1}, out);
      add_named(each.assignment.value, out);
    }
  }
  return out;
}

void BlockRegions::add_others(TokenRange range, std::set<std::string_view>& out) const {
  for (int i = range.begin; i < range.end; ++i) {
    if (!tokens_.is_name(i) || tokens_.is_member(i) || variables_.of_token(i) >= 0) continue;
    out.insert(tokens_.at(i));
    for (std::string_view word : functions_.names_of_macro(tokens_.at(i))) out.insert(word);
  }
}

void BlockRegions::add_others(const RegionItem& item, std::set<std::string_view>& out) const {
  if (item.kind == RegionItem::Kind::kStatement)
    return add_others({item.statement->begin, item.statement->end}, out);
  add_others(item.assignment.value, out);
}

bool BlockRegions::name_other(const std::vector<RegionItem>& items, std::string_view name) const {
  std::set<std::string_view> others;
  for (const RegionItem& each : items) add_others(each, others);
  return others.contains(name);
}

bool BlockRegions::mix_names(const std::vector<RegionItem>& items) const {
  std::set<std::string_view> others;
  for (const RegionItem& each : items) add_others(each, others);
  const std::set<int> named = named_in(items);
  for (const int each : named) {
    if (variable(each).kind == Of::kComputed) add_others(computed_from(each), others);
  }
  return std::ranges::any_of(named, [&](int each) { return others.contains(variable(each).name); });
}

TokenRange BlockRegions::computed_from(int number) const {
  TokenRange out;
  for (const Assignment& each : variable(number).assignments) {
    const bool braces = tokens_.at(each.value.end - 2) == "{" && each.first;
    if (!each.value.empty() && !braces) out = each.value;
  }
  if (tokens_.at(out.begin) == "=") ++out.begin;
  return out;
}

std::string BlockRegions::declarations(bool some_return) {
  some_return_ = some_return;
  std::string types, sizes, values;
  for (size_t i = 0; i < variables_.all().size(); ++i) {
    const int number = static_cast<int>(i);
    const BlockVariable& each = variable(number);
    types += fmt::format("  typedef {} _gpy_t{}{};\n", each.type, i, each.extents);
    if (each.kind == Of::kOfBlock) values += fmt::format("  _gpy_t{0} _gpy_u{0};\n", i);
    if (!kept_.contains(number)) continue;
    sizes += fmt::format(" + sizeof(_gpy_t{})", i);
    values += fmt::format("  _gpy_t{0} _gpy_each{0}[_gpy_count];\n", i);
  }
  if (some_return) {
    sizes += " + sizeof(bool)";
    values +=
        "  int _gpy_returned = 0;\n  bool _gpy_has_returned[_gpy_count];\n"
        "  __builtin_memset(_gpy_has_returned, 0, sizeof(_gpy_has_returned));\n";
  }
  if (needs_room(some_return))
    types += fmt::format("  if (!_gpy_has_room((0{}) * _gpy_count)) return false;\n", sizes);
  return types + values;
}

// What a name stands for in the loop.
std::string BlockRegions::binding(int number) const {
  const BlockVariable& each = variable(number);
  switch (each.kind) {
    case Of::kOfBlock: return fmt::format("const _gpy_t{0}& {1} = _gpy_u{0};\n", number, each.name);
    case Of::kComputed:
      return fmt::format("const _gpy_t{} {} = {};\n", number, each.name,
                         thread_text(computed_from(number)));
    case Of::kOfThread: break;
  }
  if (!kept_.contains(number)) return fmt::format("_gpy_t{} {};\n", number, each.name);
  return fmt::format("_gpy_t{0}& {1} = _gpy_each{0}[_gpy_row + _gpy_x];\n", number, each.name);
}

std::string BlockRegions::thread_text(TokenRange range) const {
  return renamed_text(tokens_, functions_, range, [](int) { return std::string(); });
}

std::string BlockRegions::item_text(const RegionItem& item) const {
  const Assignment& each = item.assignment;
  if (item.kind == RegionItem::Kind::kStatement) {
    const Statement& statement = *item.statement;
    std::string text = thread_text({statement.begin, statement.end});
    if (!holds(statement, Kind::kReturn)) return line_directive(tokens_, statement.begin) + text;
    return renamed_text(tokens_, functions_, {statement.begin, statement.end}, [&](int token) {
      return tokens_.at(token) == "return" ? fmt::format("goto _gpy_end{}", written_)
                                           : std::string();
    });
  }
  if (item.kind == RegionItem::Kind::kGiven)
    return fmt::format("{} = _gpy_given{};", variable(each.variable).name, each.variable);
  const std::string line = line_directive(tokens_, each.at);
  if (!each.first) return line + thread_text(each.whole) + ';';
  const BlockVariable& declared = variable(each.variable);
  const auto text_of = [&](TokenRange range) { return thread_text(range); };
  if (declared.extents.empty() || each.value.empty())
    return line + first_value_text(tokens_, declared, each, declared.name, text_of) + ';';
  return fmt::format(
      "{0}{{ _gpy_t{1} _gpy_first {2}; __builtin_memcpy(&{3}, &_gpy_first, sizeof(_gpy_first)); "
      "}}",
      line, each.variable, thread_text(each.value), declared.name);
}

std::string BlockRegions::text(const std::vector<RegionItem>& items, bool returns) {
  const std::set<int> named = named_in(items);
  std::vector<int> order(named.begin(), named.end());
  // What is computed comes behind what it is computed from.
  std::ranges::stable_sort(order, {}, [&](int number) {
    return variable(number).kind == Of::kComputed ? computed_from(number).begin : 0;
  });
  std::string out = "_GPY_EACH_THREAD {\n";
  if (some_return_) out += "if (_gpy_returned && _gpy_has_returned[_gpy_row + _gpy_x]) continue;\n";
  for (const int number : order) out += binding(number);
  out += "{";
  for (const RegionItem& each : items) out += item_text(each) + '\n';
  if (!returns) return out + fmt::format("}}\n_gpy_end{}:;\n}}\n", written_++);
  return out + fmt::format(
                   "}}\ncontinue;\n_gpy_end{}:\n_gpy_has_returned[_gpy_row + _gpy_x] = true;\n"
                   "++_gpy_returned;\n}}\nif (_gpy_returned == _gpy_count) return true;\n",
                   written_++);
}

}  // namespace gpy::rt
