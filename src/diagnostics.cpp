#include "src/diagnostics.h"

#include <algorithm>

#include "src/code.h"
#include "src/interpreter.h"
#include "src/state.h"
#include "src/suggest.h"

namespace gpy {

void raise_syntax_error(Interpreter& vm, Type* type, std::string_view message,
                        const syntax::SourceFile& source, syntax::Span span) {
  auto begin = source.position(span.begin);
  auto end = source.position(span.end);
  Value text = vm.str(std::string(source.line(begin.line)) + "\n");
  auto number = [](int n) { return Value::integer(n); };
  Value place = vm.tuple({vm.str(source.name()), number(begin.line), number(begin.column), text,
                          number(end.line), number(end.column)});
  Ref<Exception> error = vm.make_exception(type, {vm.str(message), place});
  auto& names = vm.state().names;
  error->attributes = vm.dict();
  error->attributes->set(names.msg, vm.str(message));
  error->attributes->set(names.filename, vm.str(source.name()));
  error->attributes->set(names.lineno, number(begin.line));
  error->attributes->set(names.offset, number(begin.column));
  error->attributes->set(names.text, text);
  error->attributes->set(vm.intern("end_lineno"), number(end.line));
  error->attributes->set(vm.intern("end_offset"), number(end.column));
  vm.raise(error);
}

namespace {

struct Paint {
  bool on;
  std::string operator()(const char* code, std::string_view text) const {
    return on ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  }
  std::string place(std::string_view text) const { return (*this)("35", text); }
  std::string mark(std::string_view text) const { return (*this)("1;31", text); }
  std::string kind(std::string_view text) const { return (*this)("1;35", text); }
};

// A source line without its indentation, and columns in it (from 0).
struct Line {
  std::string_view text;
  int indent;  // code points taken off
};

}  // namespace

static int code_points(std::string_view text) {
  auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<int>(std::count_if(text.begin(), text.end(), starts));
}

// The byte at which a code point begins.
static size_t byte_of(std::string_view text, int code_point) {
  size_t at = 0;
  for (; at < text.size(); ++at) {
    bool starts = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (starts && code_point-- == 0) break;
  }
  return at;
}

// A line wider than any screen is cut to what lies around `column`.
static Line cut(Line line, int column) {
  constexpr int kWidest = 400, kBefore = 100;
  int width = code_points(line.text);
  if (width <= kWidest) return line;
  int from = std::clamp(column - line.indent - kBefore, 0, width - kWidest);
  size_t begin = byte_of(line.text, from), end = byte_of(line.text, from + kWidest);
  return {line.text.substr(begin, end - begin), line.indent + from};
}

// `column` of the line, from 0, is what will be marked.
static Line stripped(std::string_view line, int column) {
  size_t first = line.find_first_not_of(" \t\f");
  if (first == std::string_view::npos) return {"", 0};
  size_t last = line.find_last_not_of(" \t\f\r");
  return cut({line.substr(first, last - first + 1), static_cast<int>(first)}, column);
}

// "    ~~^~~" under a line, or nothing where it would mark the whole line.
static std::string carets(const syntax::SourceFile& source, syntax::Span span, syntax::Span caret,
                          const Paint& paint) {
  auto begin = source.position(span.begin);
  auto end = source.position(span.end);
  Line line = stripped(source.line(begin.line), begin.column - 1);
  int width = code_points(line.text);
  auto column = [&](syntax::Position at) {
    if (at.line > begin.line) return width;
    return std::clamp(at.column - 1 - line.indent, 0, width);
  };
  int from = column(begin), to = column(end);
  bool has_anchor = caret.begin != span.begin || caret.end != span.end;
  bool anchor_here = source.position(caret.begin).line == begin.line;
  if (from >= to || (to - from >= width && !(has_anchor && anchor_here))) return "";
  std::string marks(static_cast<size_t>(to), ' ');
  int anchor_from = from, anchor_to = to;
  if (has_anchor && anchor_here) {
    anchor_from = std::max(from, column(source.position(caret.begin)));
    anchor_to = std::min(to, column(source.position(caret.end)));
  }
  for (int i = from; i < to; ++i) {
    marks[static_cast<size_t>(i)] = i >= anchor_from && i < anchor_to ? '^' : '~';
  }
  size_t blank = static_cast<size_t>(from);
  return "    " + std::string(blank, ' ') + paint.mark(std::string_view(marks).substr(blank)) +
         "\n";
}

static std::string render_point(const TracePoint& point, const Paint& paint) {
  const Code& code = *point.code;
  const auto& source = *code.source;
  syntax::Span span = code.spans[point.at];
  auto begin = source.position(span.begin);
  int number = begin.line;
  std::string text =
      fmt::format("  File {}, line {}, in {}\n", paint.place(fmt::format("\"{}\"", source.name())),
                  paint.place(std::to_string(number)), paint.place(code.name));
  Line line = stripped(source.line(number), begin.column - 1);
  if (line.text.empty()) return text;
  return text + "    " + std::string(line.text) + "\n" +
         carets(source, span, code.carets[point.at], paint);
}

static bool same_place(const TracePoint& a, const TracePoint& b) {
  if (a.code.get() != b.code.get()) return false;
  auto line = [](const TracePoint& p) {
    return p.code->source->line_of(p.code->spans[p.at].begin);
  };
  return a.at == b.at || line(a) == line(b);
}

// Outermost first; more than three of the same in a row are counted.
static std::string render_trace(const std::vector<TracePoint>& trace, const Paint& paint) {
  constexpr size_t kShown = 3;
  std::string text = "Traceback (most recent call last):\n";
  size_t repeated = 0;
  auto note_repeats = [&] {
    if (repeated <= kShown) return;
    size_t more = repeated - kShown;
    text += fmt::format("  [Previous line repeated {} more time{}]\n", more, more == 1 ? "" : "s");
  };
  for (size_t i = trace.size(); i-- > 0;) {
    bool same = i + 1 < trace.size() && same_place(trace[i], trace[i + 1]);
    if (!same) {
      note_repeats();
      repeated = 0;
    }
    if (++repeated <= kShown) text += render_point(trace[i], paint);
  }
  note_repeats();
  return text;
}

static std::string text_attribute(Interpreter& vm, Exception* e, Str* name) {
  Value* found = e->attributes ? e->attributes->find(name) : nullptr;
  return found && found->is<Str>() ? vm.to_str(*found) : "";
}

static int int_attribute(Exception* e, Str* name) {
  Value* found = e->attributes ? e->attributes->find(name) : nullptr;
  return found && found->is_integer() ? static_cast<int>(found->as_integer()) : 0;
}

static std::string render_syntax_place(Interpreter& vm, Exception* e, const Paint& paint) {
  auto& names = vm.state().names;
  int number = int_attribute(e, names.lineno);
  if (number == 0) return "";
  std::string file = text_attribute(vm, e, names.filename);
  std::string source = text_attribute(vm, e, names.text);
  if (!source.empty() && source.back() == '\n') source.pop_back();
  std::string text = fmt::format("  File {}, line {}\n", paint.place("\"" + file + "\""),
                                 paint.place(std::to_string(number)));
  int column = int_attribute(e, names.offset) - 1;
  Line line = stripped(source, column);
  if (line.text.empty()) return text;
  text += "    " + std::string(line.text) + "\n";
  int width = code_points(line.text);
  int from = std::max(0, column - line.indent);
  bool one_line = int_attribute(e, vm.intern("end_lineno")) == number;
  int to = one_line ? int_attribute(e, vm.intern("end_offset")) - 1 - line.indent : width;
  if (from < width) to = std::min(to, width);
  std::string marks(static_cast<size_t>(std::max(1, to - from)), '^');
  return text + "    " + std::string(static_cast<size_t>(from), ' ') + paint.mark(marks) + "\n";
}

std::string suggestion(Interpreter& vm, Exception* e) {
  if (!e->hint.empty() || !e->type->is_subclass_of(vm.types.attribute_error)) return e->hint;
  auto& names = vm.state().names;
  Value* object = e->attributes ? e->attributes->find(names.obj) : nullptr;
  std::string wrong = text_attribute(vm, e, names.name);
  if (!object || wrong.empty()) return "";
  std::vector<std::string_view> known;
  for (Str* each : vm.attribute_names(*object)) {
    if (wrong[0] == '_' || !each->view().starts_with("_")) known.push_back(each->view());
  }
  std::string nearest = nearest_word(wrong, known);
  return nearest.empty() ? "" : fmt::format(". Did you mean: '{}'?", nearest);
}

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

static std::string render_message(Interpreter& vm, Exception* e, const Paint& paint) {
  const std::string message = safe_message(vm, e) + suggestion(vm, e);
  std::string text = paint.kind(e->type->full_name());
  text += message.empty() ? "\n" : ": " + message + "\n";
  Value* notes = e->attributes ? e->attributes->find(vm.intern("__notes__")) : nullptr;
  if (!notes || !notes->is<List>()) return text;
  for (const Value& note : notes->as<List>()->items) {
    text += shown("note", [&] { return vm.to_str(note); }) + "\n";
  }
  return text;
}

static std::string render_one(Interpreter& vm, Exception* e, const Paint& paint) {
  std::string text = e->trace.empty() ? "" : render_trace(e->trace, paint);
  if (e->type->is_subclass_of(vm.types.syntax_error)) text += render_syntax_place(vm, e, paint);
  return text + render_message(vm, e, paint);
}

std::string render_exception(Interpreter& vm, Exception* exception, bool coloured) {
  Paint paint{coloured};
  std::vector<std::string> parts;  // the last to be shown first
  std::vector<Exception*> seen;
  for (Exception* e = exception; e;) {
    parts.push_back(render_one(vm, e, paint));
    seen.push_back(e);
    const Value& next = e->cause.is_none() && !e->suppress_context ? e->context : e->cause;
    auto* earlier = next.try_as<Exception>();
    if (!earlier || std::find(seen.begin(), seen.end(), earlier) != seen.end()) break;
    parts.push_back(
        e->cause.is_none()
            ? "\nDuring handling of the above exception, another exception occurred:\n\n"
            : "\nThe above exception was the direct cause of the following exception:\n\n");
    e = earlier;
  }
  std::string text;
  for (size_t i = parts.size(); i-- > 0;) text += parts[i];
  return text;
}

}  // namespace gpy
