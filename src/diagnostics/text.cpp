// A diagnostic as Python's traceback, with what is known of the operands below the source line.
#include <fmt/format.h>

#include "src/diagnostics/diagnostic.h"
#include "src/diagnostics/shown_line.h"

namespace gpy {

namespace {

struct Paint {
  bool on;
  std::string operator()(const char* code, std::string_view text) const {
    return on && !text.empty() ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  }
  std::string place(std::string_view text) const { return (*this)("35", text); }
  std::string mark(std::string_view text) const { return (*this)("1;31", text); }
  std::string kind(std::string_view text) const { return (*this)("1;35", text); }
  std::string label(std::string_view text) const { return (*this)("36", text); }
  std::string code(std::string_view text) const { return (*this)("2", text); }
  std::string hint(std::string_view text) const { return (*this)("1;32", text); }
};

constexpr int kIndent = 4;

std::string blanks(int count) { return std::string(static_cast<size_t>(std::max(count, 0)), ' '); }

}  // namespace

static std::string marks_text(const Mark& mark, const Paint& paint) {
  if (mark.from == mark.to) return "";
  std::string marks;
  for (int i = mark.from; i < mark.to; ++i) {
    marks += i >= mark.caret_from && i < mark.caret_to ? '^' : '~';
  }
  return blanks(kIndent + mark.from) + paint.mark(marks) + "\n";
}

static std::string source_text(const TraceFrame& frame, const Paint& paint) {
  const ShownLine line(frame.source, frame.range.column);
  if (line.empty()) return "";
  return blanks(kIndent) + line.text() + "\n" +
         marks_text(mark_of(line, frame.range, frame.caret), paint);
}

static std::string frame_text(const TraceFrame& frame, const Paint& paint) {
  std::string text =
      fmt::format("  File {}, line {}, in {}\n", paint.place(fmt::format("\"{}\"", frame.file)),
                  paint.place(std::to_string(frame.range.line)), paint.place(frame.function));
  text += source_text(frame, paint);
  if (frame.repeats > 0) {
    const std::string what = frame.circle == 1 ? "line" : fmt::format("{} frames", frame.circle);
    text += fmt::format("  [Previous {} repeated {} more time{}]\n", what, frame.repeats,
                        frame.repeats == 1 ? "" : "s");
  }
  if (frame.left_out > 0) text += fmt::format("  [{} more frames not shown]\n", frame.left_out);
  return text;
}

// The place where parsing failed is marked even if it is the whole line.
static std::string unparsed_text(const TraceFrame& frame, const Paint& paint) {
  std::string text =
      fmt::format("  File {}, line {}\n", paint.place(fmt::format("\"{}\"", frame.file)),
                  paint.place(std::to_string(frame.range.line)));
  const ShownLine line(frame.source, frame.range.column);
  if (line.empty()) return text;
  const int from = line.place(frame.range.column);
  const bool ends_here = frame.range.end_line == frame.range.line;
  const int to = ends_here ? line.place(frame.range.end_column) : line.width();
  const std::string marks(static_cast<size_t>(std::max(1, to - from)), '^');
  return text + blanks(kIndent) + line.text() + "\n" + blanks(kIndent + from) + paint.mark(marks) +
         "\n";
}

// "a: float64 (3,4)   b: float64 (3,)", from under the marks where that fits on a screen.
static std::string labels_text(const Diagnostic& d, const Paint& paint) {
  constexpr int kScreen = 100;
  std::string text;
  for (const SourceLabel& label : d.labels) {
    if (label.text.empty()) continue;
    text += text.empty() ? label.text : "   " + label.text;
  }
  if (text.empty()) return "";
  int from = 0;
  if (!d.frames.empty()) {
    const TraceFrame& frame = d.frames.back();
    from = ShownLine(frame.source, frame.range.column).place(frame.range.column);
  }
  if (kIndent + from + display_width(text) > kScreen) from = 0;
  return blanks(kIndent + from) + paint.label(text) + "\n";
}

// A detail much longer than a line is wrapped.
static std::string wrapped(std::string_view text) {
  constexpr size_t kLong = 120, kScreen = 98;
  if (text.size() <= kLong || text.find('\n') != text.npos) return std::string(text);
  std::string lines;
  while (text.size() > kScreen) {
    const size_t blank = text.rfind(' ', kScreen);
    if (blank == text.npos) break;
    lines += std::string(text.substr(0, blank)) + "\n  ";
    text.remove_prefix(blank + 1);
  }
  return lines + std::string(text);
}

static std::string message_text(const Diagnostic& d, const Paint& paint) {
  std::string message = d.message;
  if (!d.suggestion.empty()) message += ". " + d.suggestion;
  std::string text = paint.kind(d.kind);
  text += message.empty() ? "\n" : ": " + message + "\n";
  for (const std::string& note : d.notes) text += note + "\n";
  std::string advice;
  if (!d.detail.empty()) advice += "  " + wrapped(d.detail) + "\n";
  if (!d.hint.empty()) advice += "  " + paint.hint("hint:") + " " + d.hint + "\n";
  if (!advice.empty() && !d.code.empty()) {
    advice.insert(advice.size() - 1, paint.code(" [" + d.code + "]"));
  }
  return text + advice;
}

static std::string one_text(const Diagnostic& d, const Paint& paint) {
  const size_t called = d.frames.size() - (d.is_syntax_error ? 1 : 0);
  std::string text = called > 0 ? "Traceback (most recent call last):\n" : "";
  for (size_t i = 0; i < called; ++i) text += frame_text(d.frames[i], paint);
  if (d.is_syntax_error) text += unparsed_text(d.frames.back(), paint);
  return text + labels_text(d, paint) + message_text(d, paint);
}

static const char* link_text(Diagnostic::Link link) {
  switch (link) {
    case Diagnostic::none: return "";
    case Diagnostic::context:
      return "\nDuring handling of the above exception, another exception occurred:\n\n";
    case Diagnostic::cause:
      return "\nThe above exception was the direct cause of the following exception:\n\n";
  }
  __builtin_unreachable();
}

std::string to_text(const ErrorReport& report, bool coloured) {
  const Paint paint{coloured};
  std::string text;
  for (const Diagnostic& each : report.chain) {
    if (each.left_out > 0) {
      text += fmt::format("\n[{} more exceptions not shown, each of which led to the next]\n",
                          each.left_out);
    }
    text += link_text(each.link);
    text += one_text(each, paint);
  }
  return text;
}

}  // namespace gpy
