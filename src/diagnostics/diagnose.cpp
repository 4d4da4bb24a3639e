// From an exception to the structure that its renderings show.
#include <algorithm>
#include <optional>
#include <unordered_set>

#include "grammar/parse.h"
#include "src/code.h"
#include "src/diagnostics.h"
#include "src/diagnostics/diagnostic.h"
#include "src/diagnostics/failure.h"
#include "src/interpreter.h"
#include "src/state.h"
#include "src/suggest.h"

namespace gpy {

// --- frames --------------------------------------------------------------------------------------

static SourceRange range_of(const syntax::SourceFile& source, syntax::Span span) {
  const auto begin = source.position(span.begin), end = source.position(span.end);
  return {begin.line, begin.column, end.line, end.column};
}

static TraceFrame frame_of(const TracePoint& point) {
  const Code& code = *point.code;
  const syntax::SourceFile& source = *code.source;
  TraceFrame frame{source.name(), code.name, range_of(source, code.spans[point.at]),
                   range_of(source, code.carets[point.at]), ""};
  frame.source = source.line(frame.range.line);
  return frame;
}

static bool same_place(const TracePoint& a, const TracePoint& b) {
  if (a.code.get() != b.code.get()) return false;
  auto line = [](const TracePoint& p) {
    return p.code->source->line_of(p.code->spans[p.at].begin);
  };
  return a.at == b.at || line(a) == line(b);
}

// How often the `period` places from `from` on follow themselves, the first time included.
static size_t rounds(const std::vector<TracePoint>& trace, size_t from, size_t period) {
  size_t end = from + period;
  while (end < trace.size() && same_place(trace[end], trace[end - period])) ++end;
  return (end - from) / period;
}

// Outermost first. What calls itself, in a circle of some functions too, is shown three times.
static std::vector<TraceFrame> frames_of(const std::vector<TracePoint>& innermost_first) {
  constexpr size_t kShown = 3, kLongestCircle = 16;
  const std::vector<TracePoint> trace(innermost_first.rbegin(), innermost_first.rend());
  std::vector<TraceFrame> frames;
  for (size_t at = 0; at < trace.size();) {
    size_t period = 1;
    while (period <= kLongestCircle && rounds(trace, at, period) <= kShown) ++period;
    const bool repeats = period <= kLongestCircle;
    const size_t shown = repeats ? kShown * period : 1;
    for (size_t i = 0; i < shown; ++i) frames.push_back(frame_of(trace[at + i]));
    at += shown;
    if (!repeats) continue;
    const size_t more = rounds(trace, at - period, period) - 1;
    frames.back().repeats = static_cast<int>(more);
    frames.back().circle = static_cast<int>(period);
    at += more * period;
  }
  return frames;
}

// --- sources that do not parse -------------------------------------------------------------------

static std::string text_attribute(Interpreter& vm, Exception* e, Str* name) {
  Value* found = e->attributes ? e->attributes->find(name) : nullptr;
  return found && found->is<Str>() ? vm.to_str(*found) : "";
}

static int int_attribute(Exception* e, Str* name) {
  Value* found = e->attributes ? e->attributes->find(name) : nullptr;
  return found && found->is_integer() ? static_cast<int>(found->as_integer()) : 0;
}

static std::optional<TraceFrame> unparsed_place(Interpreter& vm, Exception* e) {
  const auto& names = vm.state().names;
  SourceRange range;
  range.line = int_attribute(e, names.lineno);
  if (range.line == 0) return std::nullopt;
  range.column = std::max(1, int_attribute(e, names.offset));
  range.end_line = std::max(range.line, int_attribute(e, vm.intern("end_lineno")));
  range.end_column = std::max(range.column, int_attribute(e, vm.intern("end_offset")));
  std::string source = text_attribute(vm, e, names.text);
  source.resize(std::min(source.find('\n'), source.size()));
  return TraceFrame{text_attribute(vm, e, names.filename), "", range, range, std::move(source)};
}

// --- words ---------------------------------------------------------------------------------------

// What shows itself may be anything, pending arrays included.
template <class Show> static std::string shown(const char* what, Show show) {
  try {
    return show();
  } catch (...) {
    return fmt::format("<{} str() failed>", what);
  }
}

std::string safe_message(Interpreter& vm, Exception* e) {
  return shown("exception", [&] {
    auto slot = e->type->slots.str;
    return slot ? slot(vm, Value(e)) : e->message(vm);
  });
}

static std::string nearest_attribute(Interpreter& vm, Exception* e) {
  Value* object = e->attributes ? e->attributes->find(vm.state().names.obj) : nullptr;
  const std::string wrong = text_attribute(vm, e, vm.state().names.name);
  if (!object || wrong.empty()) return "";
  std::vector<std::string_view> known;
  for (Str* each : vm.attribute_names(*object)) {
    if (wrong[0] == '_' || !each->view().starts_with("_")) known.push_back(each->view());
  }
  return nearest_word(wrong, known);
}

std::string suggestion(Interpreter& vm, Exception* e) {
  if (!e->hint.empty() || !e->type->is_subclass_of(vm.types.attribute_error)) return e->hint;
  const std::string nearest = nearest_attribute(vm, e);
  return nearest.empty() ? "" : fmt::format(". Did you mean: '{}'?", nearest);
}

static std::vector<std::string> notes_of(Interpreter& vm, Exception* e) {
  std::vector<std::string> notes;
  Value* found = e->attributes ? e->attributes->find(vm.intern("__notes__")) : nullptr;
  if (!found || !found->is<List>()) return notes;
  for (const Value& note : found->as<List>()->items) {
    notes.push_back(shown("note", [&] { return vm.to_str(note); }));
  }
  return notes;
}

// --- operands and advice -------------------------------------------------------------------------

// These say all there is to say.
static bool needs_no_operands(Interpreter& vm, const Exception* e) {
  const Types& t = vm.types;
  for (const Type* type : {t.name_error, t.attribute_error, t.import_error, t.os_error, t.key_error,
                           t.stop_iteration, t.assertion_error, t.syntax_error}) {
    if (e->type->is_subclass_of(type)) return true;
  }
  return !e->type->is_subclass_of(t.exception);
}

static std::span<const Value> items_of(const Value& value) {
  if (const List* list = value.try_as<List>()) return list->items;
  if (Tuple* tuple = value.try_as<Tuple>()) return tuple->items();
  return {};
}

// `x[row, 2]`, `concatenate([a, b])`: what stands between the brackets.
static std::vector<Operand> parts_of(const Failure& failure, const Operand& whole) {
  const auto* tuple = syntax::try_as<syntax::Tuple>(whole.node);
  const auto* list = syntax::try_as<syntax::List>(whole.node);
  const syntax::ExprList nodes = tuple ? tuple->elts : list ? list->elts : syntax::ExprList{};
  const auto values = items_of(whole.value);
  if (nodes.size() != values.size()) return {};
  std::vector<Operand> parts;
  for (size_t i = 0; i < nodes.size(); ++i) {
    parts.push_back(make_operand(failure, *nodes[i], values[i], fmt::format("item {}", i)));
  }
  return parts;
}

static void add_label(Diagnostic& d, const Failure& failure, const Operand& operand) {
  constexpr size_t kMost = 5;
  if (operand.is_literal || d.labels.size() >= kMost) return;
  const auto parts = parts_of(failure, operand);
  if (!parts.empty()) {
    for (const Operand& part : parts) add_label(d, failure, part);
    return;
  }
  const std::string what = describe(failure.vm, operand.value);
  if (what.empty()) return;
  const std::string text = operand.name + ": " + what;
  for (const SourceLabel& earlier : d.labels) {
    if (earlier.text == text) return;  // the same name, twice
  }
  d.labels.push_back({range_of(failure.source, operand.span), text});
}

static void add_labels(Diagnostic& d, const Failure& failure) {
  d.labels.push_back({d.frames.back().caret, ""});
  if (needs_no_operands(failure.vm, failure.exception)) return;
  const bool is_call = syntax::try_as<syntax::Call>(failure.node()) != nullptr;
  add_label(d, failure, failure.receiver);
  for (const Operand& operand : failure.operands) {
    if (is_call && operand.value.is<Type>()) continue;  // dtype=np.uint8
    add_label(d, failure, operand);
  }
}

static Advice advice_on(const Failure& failure) {
  for (auto advisor : failure.vm.state().advisors) {
    Advice advice = advisor(failure);
    if (!advice.detail.empty() || !advice.hint.empty()) return advice;
  }
  return advise_language(failure);
}

static std::unique_ptr<syntax::Tree> parse_again(const syntax::SourcePtr& source) {
  for (syntax::Mode mode : {syntax::Mode::file, syntax::Mode::interactive}) {
    auto result = syntax::parse(source, {.mode = mode});
    if (result.tree) return std::move(result.tree);
  }
  return nullptr;
}

// An error while the error is looked at leaves it as it is.
static void look_closer(Interpreter& vm, Exception* e, Diagnostic& d) {
  try {
    const auto tree = parse_again(e->trace.front().code->source);
    const Failure failure = locate_failure(vm, e, tree.get());
    add_labels(d, failure);
    Advice advice = advice_on(failure);
    if (!advice.detail.empty()) d.detail = std::move(advice.detail);
    d.hint = std::move(advice.hint);
  } catch (...) {
  }
}

// --- the whole -----------------------------------------------------------------------------------

static Diagnostic diagnose_one(Interpreter& vm, Exception* e) {
  Diagnostic d;
  d.kind = e->type->full_name();
  d.message = safe_message(vm, e);
  d.suggestion = suggestion(vm, e);
  if (d.suggestion.starts_with(". ")) d.suggestion.erase(0, 2);
  d.notes = notes_of(vm, e);
  d.detail = e->detail;
  d.frames = frames_of(e->trace);
  if (!e->trace.empty()) look_closer(vm, e, d);
  if (!e->type->is_subclass_of(vm.types.syntax_error)) return d;
  if (auto place = unparsed_place(vm, e)) {
    d.is_syntax_error = true;
    d.frames.push_back(std::move(*place));
  }
  return d;
}

// What `e` followed, by `from` or by being raised while that was handled.
static Exception* earlier_than(const Exception* e, Diagnostic::Link& link) {
  const bool by_context = e->cause.is_none() && !e->suppress_context;
  link = by_context ? Diagnostic::context : Diagnostic::cause;
  return (by_context ? e->context : e->cause).try_as<Exception>();
}

ErrorReport diagnose(Interpreter& vm, Exception* exception) {
  ErrorReport report;
  std::unordered_set<Exception*> seen;
  for (Exception* e = exception; e;) {
    seen.insert(e);
    report.chain.push_back(diagnose_one(vm, e));
    Diagnostic::Link link;
    e = earlier_than(e, link);
    if (!e || seen.contains(e)) break;
    report.chain.back().link = link;
  }
  std::reverse(report.chain.begin(), report.chain.end());
  return report;
}

std::string render_exception(Interpreter& vm, Exception* exception, bool coloured) {
  return to_text(diagnose(vm, exception), coloured);
}

}  // namespace gpy
