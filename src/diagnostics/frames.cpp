#include "src/diagnostics/frames.h"

#include <algorithm>

#include "src/code.h"
#include "src/exceptions/fields.h"
#include "src/interpreter.h"
#include "src/state.h"

namespace gpy {

// --- frames --------------------------------------------------------------------------------------

SourceRange range_of(const syntax::SourceFile& source, syntax::Span span) {
  const auto begin = source.position(span.begin), end = source.position(span.end);
  return {begin.line, begin.column, end.line, end.column};
}

TraceFrame frame_of(const TracePoint& point, Room& room) {
  const Code& code = *point.code;
  const syntax::SourceFile& source = *code.source;
  TraceFrame frame{room.cut(source.name()), room.cut(code.name),
                   range_of(source, code.spans[point.at]), range_of(source, code.carets[point.at]),
                   ""};
  frame.source = room.whole(source.line(frame.range.line));
  return frame;
}

static bool same_place(const TracePoint& a, const TracePoint& b) {
  if (a.code.get() != b.code.get()) return false;
  auto line = [](const TracePoint& p) {
    return p.code->source->line_of(p.code->spans[p.at].begin);
  };
  return a.at == b.at || line(a) == line(b);
}

// The number of times that the `period` places from `from` on occur in a row.
static size_t rounds(const std::vector<TracePoint>& trace, size_t from, size_t period) {
  size_t end = from + period;
  while (end < trace.size() && same_place(trace[end], trace[end - period])) ++end;
  return (end - from) / period;
}

namespace {

struct FoldedEntry {
  size_t at;  // in the trace
  int repeats = 0, circle = 1;
};

}  // namespace

static std::vector<FoldedEntry> folded(const std::vector<TracePoint>& trace) {
  constexpr size_t kShown = 3, kLongestCircle = 16;
  std::vector<FoldedEntry> places;
  for (size_t at = 0; at < trace.size();) {
    size_t period = 1;
    while (period <= kLongestCircle && rounds(trace, at, period) <= kShown) ++period;
    const bool repeats = period <= kLongestCircle;
    const size_t shown = repeats ? kShown * period : 1;
    for (size_t i = 0; i < shown; ++i) places.push_back({at + i});
    at += shown;
    if (!repeats) continue;
    const size_t more = rounds(trace, at - period, period) - 1;
    places.back().repeats = static_cast<int>(more);
    places.back().circle = static_cast<int>(period);
    at += more * period;
  }
  return places;
}

std::vector<TraceFrame> frames_of(const std::vector<TracePoint>& innermost_first, Room& room) {
  const std::vector<TracePoint> trace(innermost_first.rbegin(), innermost_first.rend());
  const std::vector<FoldedEntry> places = folded(trace);
  const size_t each_end = room.is_spent() ? 1 : 50;
  const size_t left_out = places.size() > 2 * each_end ? places.size() - 2 * each_end : 0;
  std::vector<TraceFrame> frames;
  for (size_t i = 0; i < places.size(); ++i) {
    frames.push_back(frame_of(trace[places[i].at], room));
    frames.back().repeats = places[i].repeats;
    frames.back().circle = places[i].circle;
    if (left_out == 0 || i + 1 != each_end) continue;
    frames.back().left_out = static_cast<int>(places[i + 1 + left_out].at - places[i].at - 1);
    i += left_out;
  }
  return frames;
}

size_t library_frames(const std::vector<TracePoint>& innermost_first) {
  auto is_library = [](const TracePoint& point) { return point.code->is_library; };
  auto end = std::find_if_not(innermost_first.begin(), innermost_first.end(), is_library);
  if (end == innermost_first.end()) return 0;
  return static_cast<size_t>(end - innermost_first.begin());
}

// --- sources that do not parse -------------------------------------------------------------------

std::string text_attribute(Interpreter& vm, Exception* e, Str* name) {
  const Value found = own_attribute(e, name);
  return found.is<Str>() ? vm.to_str(found) : "";
}

static int int_attribute(Exception* e, Str* name) {
  const Value found = own_attribute(e, name);
  return found.is_integer() ? static_cast<int>(found.as_integer()) : 0;
}

std::optional<TraceFrame> unparsed_place(Interpreter& vm, Exception* e, Room& room) {
  const auto& names = vm.state().names;
  SourceRange range;
  range.line = int_attribute(e, names.lineno);
  if (range.line == 0) return std::nullopt;
  range.column = std::max(1, int_attribute(e, names.offset));
  range.end_line = std::max(range.line, int_attribute(e, vm.intern("end_lineno")));
  range.end_column = std::max(range.column, int_attribute(e, vm.intern("end_offset")));
  std::string source = text_attribute(vm, e, names.text);
  source.resize(std::min(source.find('\n'), source.size()));
  return TraceFrame{room.cut(text_attribute(vm, e, names.filename)), "", range, range,
                    room.whole(source)};
}

}  // namespace gpy
