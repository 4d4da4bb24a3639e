// The native part of traceback: exceptions as the program itself would show them, and the places
// that they came through.
#include "src/objects/builtin.h"
#include "src/diagnostics/render.h"
#include "src/diagnostics/frames.h"
#include "src/diagnostics/shown_line.h"
#include "src/run/frame.h"
#include "src/interpreter.h"
#include "src/run/run.h"
#include "src/state.h"
#include "src/typed_native.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

// The parts of an exception that are shown.
struct Extent {
  Value limit = Value::none();  // number of places: the outermost, below 0 the innermost
  bool chain = true;            // whether the exceptions that led to it are shown too
  bool places = true;
};

// The exception given alone or as the second of (type, exception, traceback); None has none.
static Value exception_of(Interpreter& vm, const Value& first, const Value& second) {
  const Value& given = second.is_defined() ? second : first;
  if (given.is_none() || given.is<Exception>()) return given;
  vm.raise_type_error("Exception expected for value, {} found", vm.type_name(given));
}

// Keeps `limit` places. Labels belong to the innermost place.
static void keep_places(Diagnostic& d, int64_t limit) {
  auto& frames = d.frames;
  const auto count = static_cast<int64_t>(frames.size()) - d.is_syntax_error;
  const auto begin = frames.begin(), end = begin + count;
  if (limit >= 0 && limit < count) {
    frames.erase(begin + limit, end);
    d.labels.clear();
  } else if (limit < 0 && -limit < count) {
    frames.erase(begin, end + limit);
  }
}

static std::string text_of(Interpreter& vm, const Value& exception, const Extent& extent) {
  if (!exception.is<Exception>()) return "NoneType: None\n";
  auto* e = exception.as<Exception>();
  ErrorReport report = extent.chain ? diagnose(vm, e) : diagnose_alone(vm, e);
  if (!extent.places) keep_places(report.chain.back(), 0);
  if (!extent.limit.is_none()) {
    const int64_t limit = vm.to_index(extent.limit);
    for (Diagnostic& each : report.chain) keep_places(each, limit);
  }
  return to_text(report, false);
}

static void write_to(Interpreter& vm, const Value& file, const std::string& text) {
  Value target = file.is_none() ? vm.get_attribute(vm.import_module("sys"), "stderr") : file;
  vm.call_method(target, "write", {vm.str(text)});
}

static Value format_exc(Interpreter& vm, const Value& limit, bool chain) {
  return vm.str(text_of(vm, handled_exception(vm), {limit, chain}));
}

static Value print_exc(Interpreter& vm, const Value& limit, const Value& file, bool chain) {
  write_to(vm, file, text_of(vm, handled_exception(vm), {limit, chain}));
  return Value::none();
}

static Value lines_of(Interpreter& vm, std::string_view text) {
  std::vector<Value> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(vm.str(text.substr(0, end)));
    text.remove_prefix(end);
  }
  return vm.list(std::move(lines));
}

// None for the traceback shows no places.
static Value format_exception(Interpreter& vm, const Value& first, const Value& second,
                              const Value& traceback, const Value& limit, bool chain) {
  const Extent extent{limit, chain, !traceback.is_none()};
  return lines_of(vm, text_of(vm, exception_of(vm, first, second), extent));
}

static Value print_exception(Interpreter& vm, const Value& first, const Value& second,
                             const Value& traceback, const Value& limit, const Value& file,
                             bool chain) {
  const Extent extent{limit, chain, !traceback.is_none()};
  write_to(vm, file, text_of(vm, exception_of(vm, first, second), extent));
  return Value::none();
}

static Value format_exception_only(Interpreter& vm, const Value& first, const Value& second) {
  Value exception = exception_of(vm, first, second);
  if (!exception.is<Exception>()) return vm.list({vm.str("NoneType: None\n")});
  Diagnostic d = diagnose_alone(vm, exception.as<Exception>()).error();
  std::vector<Value> parts;
  if (d.is_syntax_error) {
    Diagnostic place;
    place.frames = {d.frames.back()};
    place.is_syntax_error = true;
    parts = vm.collect(lines_of(vm, to_text({{place}}, false)));
    parts.pop_back();  // the line of an empty kind and message
  }
  parts.push_back(vm.str(d.message.empty() ? d.kind + "\n" : d.kind + ": " + d.message + "\n"));
  for (const std::string& note : d.notes) {
    for (Value& line : vm.collect(lines_of(vm, note + "\n"))) parts.push_back(std::move(line));
  }
  return vm.list(std::move(parts));
}

// --- places --------------------------------------------------------------------------------------

// The marks under a line that show which part of it ran.
static std::string marks_under(const TraceFrame& frame, const ShownLine& line) {
  const Mark mark = mark_of(line, frame.range, frame.caret);
  std::string marks(static_cast<size_t>(mark.from == mark.to ? 0 : mark.from), ' ');
  for (int i = mark.from; i < mark.to; ++i) {
    marks += i >= mark.caret_from && i < mark.caret_to ? '^' : '~';
  }
  return marks;
}

// (file, line, function, text of the line, marks)
static Value place_of(Interpreter& vm, const TracePoint& point) {
  Room room;
  const TraceFrame frame = frame_of(point, room);
  const ShownLine line(frame.source, frame.range.column);
  return vm.tuple({vm.str(frame.file), Value::integer(frame.range.line), vm.str(frame.function),
                   vm.str(line.text()), vm.str(marks_under(frame, line))});
}

static Value places(Interpreter& vm, const Value& given) {
  std::vector<Value> found;
  if (const Traceback* traceback = given.try_as<Traceback>()) {
    const auto& points = traceback->points;
    for (auto each = points.rbegin(); each != points.rend(); ++each) {
      found.push_back(place_of(vm, *each));
    }
  }
  return vm.list(std::move(found));
}

static Value running_places(Interpreter& vm) {
  std::vector<Value> found;
  for (const Frame* frame = vm.state().frame; frame; frame = frame->caller) {
    found.insert(found.begin(), place_of(vm, {Ref<Code>(frame->code), frame->position()}));
  }
  return vm.list(std::move(found));
}

static const Native kRows[] = {
    {"format_exc", "(limit=None, chain=True)", typed<format_exc>,
     "What is being handled, as text."},
    {"format_exception", "(exc, /, value=<omitted>, tb=<omitted>, limit=None, chain=True)",
     typed<format_exception>, "An exception as lines."},
    {"format_exception_only", "(exc, /, value=<omitted>)", typed<format_exception_only>,
     "The last line of an exception's text, in a list."},
    {"print_exc", "(limit=None, file=None, chain=True)", typed<print_exc>,
     "Writes what is being handled to sys.stderr or a file."},
    {"print_exception",
     "(exc, /, value=<omitted>, tb=<omitted>, limit=None, file=None, chain=True)",
     typed<print_exception>, "Writes an exception to sys.stderr or a file."},
    {"places", "(tb, /)", typed<places>, "The places of a traceback, outermost first."},
    {"running_places", "()", typed<running_places>,
     "The places of the calls that run, outermost first."},
};

Value open__traceback(Interpreter& vm) { return vm.make_module("_traceback", kRows); }

}  // namespace gpy::lib
