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
#include "stdlib/native/modules.h"

namespace gpy::lib {

// The exception given, as such or as the second of (type, exception, traceback), else the one
// handled.
static Value exception_of(Interpreter& vm, const Value& first, const Value& second) {
  if (second.is<Exception>()) return second;
  if (first.is<Exception>()) return first;
  return handled_exception(vm);
}

static std::string text_of(Interpreter& vm, const Value& exception) {
  if (!exception.is<Exception>()) return "NoneType: None\n";
  std::string text = vm.render(Raised{exception});
  return text.ends_with('\n') ? text : text + '\n';
}

static void write_to(Interpreter& vm, const Value& file, const std::string& text) {
  Value target = file.is_none() ? vm.get_attribute(vm.import_module("sys"), "stderr") : file;
  vm.call_method(target, "write", {vm.str(text)});
}

static Value format_exc(Interpreter& vm, Args) {
  return vm.str(text_of(vm, handled_exception(vm)));
}

static Value print_exc(Interpreter& vm, Args args) {
  write_to(vm, args[1], text_of(vm, handled_exception(vm)));
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

static Value format_exception(Interpreter& vm, Args args) {
  return lines_of(vm, text_of(vm, exception_of(vm, args[0], args[1])));
}

static Value print_exception(Interpreter& vm, Args args) {
  write_to(vm, args[4], text_of(vm, exception_of(vm, args[0], args[1])));
  return Value::none();
}

static Value format_exception_only(Interpreter& vm, Args args) {
  Value exception = exception_of(vm, args[0], args[1]);
  if (!exception.is<Exception>()) return vm.list({vm.str("NoneType: None\n")});
  const std::string message = safe_message(vm, exception.as<Exception>());
  const std::string name = shown_kind(vm.type_of(exception));
  return vm.list({vm.str(message.empty() ? name + "\n" : name + ": " + message + "\n")});
}

// --- places --------------------------------------------------------------------------------------

// What is put under a line to say which part of it ran.
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
  const TraceFrame frame = frames_of({point}).front();
  const ShownLine line(frame.source, frame.range.column);
  return vm.tuple({vm.str(frame.file), Value::integer(frame.range.line), vm.str(frame.function),
                   vm.str(line.text()), vm.str(marks_under(frame, line))});
}

static Value places(Interpreter& vm, Args args) {
  std::vector<Value> found;
  if (const Traceback* traceback = args[0].try_as<Traceback>()) {
    const auto& points = traceback->points;
    for (auto each = points.rbegin(); each != points.rend(); ++each) {
      found.push_back(place_of(vm, *each));
    }
  }
  return vm.list(std::move(found));
}

static Value running_places(Interpreter& vm, Args) {
  std::vector<Value> found;
  for (const Frame* frame = vm.state().frame; frame; frame = frame->caller) {
    found.insert(found.begin(), place_of(vm, {Ref<Code>(frame->code), frame->position()}));
  }
  return vm.list(std::move(found));
}

static const Native kRows[] = {
    {"format_exc", "(limit=None, chain=True)", format_exc, "What is being handled, as text."},
    {"format_exception", "(exc, /, value=<omitted>, tb=<omitted>, limit=None, chain=True)",
     format_exception, "An exception as lines."},
    {"format_exception_only", "(exc, /, value=<omitted>)", format_exception_only,
     "The last line of an exception's text, in a list."},
    {"print_exc", "(limit=None, file=None, chain=True)", print_exc,
     "Writes what is being handled to sys.stderr or a file."},
    {"print_exception",
     "(exc, /, value=<omitted>, tb=<omitted>, limit=None, file=None, chain=True)", print_exception,
     "Writes an exception to sys.stderr or a file."},
    {"places", "(tb, /)", places, "The places of a traceback, outermost first."},
    {"running_places", "()", running_places, "The places of the calls that run, outermost first."},
};

Value open__traceback(Interpreter& vm) { return vm.make_module("_traceback", kRows); }

}  // namespace gpy::lib
