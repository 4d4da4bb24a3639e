#include "src/exceptions/traceback.h"

#include "src/code.h"
#include "src/interpreter.h"
#include "src/objects/exception.h"
#include "src/state.h"
#include "src/memory/traverse.h"

namespace gpy {

namespace {

// A call that an exception passed through. The call is over: only its place is known.
struct PassedFrame : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::plain;
  PassedFrame(Type* type, TracePoint point) : Object(type), point(std::move(point)) {}
  TracePoint point;
};

}  // namespace

static Value line_of(const TracePoint& point) {
  const Code& code = *point.code;
  return Value::integer(code.source->position(code.spans[point.at].begin).line);
}

// --- code ----------------------------------------------------------------------------------------

static Value code_name(Interpreter& vm, const Value& self) { return vm.str(self.as<Code>()->name); }

static Value code_qualified_name(Interpreter& vm, const Value& self) {
  const Code& code = *self.as<Code>();
  return vm.str(code.qualified_name.empty() ? code.name : code.qualified_name);
}

static Value code_file(Interpreter& vm, const Value& self) {
  return vm.str(self.as<Code>()->source->name());
}

static Value code_first_line(Interpreter&, const Value& self) {
  return Value::integer(self.as<Code>()->first_line);
}

static Value code_argument_count(Interpreter&, const Value& self) {
  return Value::integer(self.as<Code>()->parameters.positional);
}

static const NativeGetter kCodeGetters[] = {
    {"co_name", code_name, nullptr, "The function's name."},
    {"co_qualname", code_qualified_name, nullptr, "The function's name with what it stands in."},
    {"co_filename", code_file, nullptr, "The file."},
    {"co_firstlineno", code_first_line, nullptr, "The function's first line."},
    {"co_argcount", code_argument_count, nullptr, "How many arguments may be given by position."},
};

std::span<const NativeGetter> code_getters() { return kCodeGetters; }

// --- frames --------------------------------------------------------------------------------------

static std::string frame_repr(Interpreter& vm, const Value& self) {
  const TracePoint& point = self.as<PassedFrame>()->point;
  return fmt::format(
      "<frame at {}, file {}, line {}, code {}>", static_cast<void*>(self.as_object()),
      vm.repr(vm.str(point.code->source->name())), line_of(point).as_integer(), point.code->name);
}

static Value frame_code(Interpreter&, const Value& self) {
  return self.as<PassedFrame>()->point.code;
}

static Value frame_line(Interpreter&, const Value& self) {
  return line_of(self.as<PassedFrame>()->point);
}

static const NativeGetter kFrameGetters[] = {
    {"f_code", frame_code, nullptr, "What ran."},
    {"f_lineno", frame_line, nullptr, "The line."},
};

static void traverse_frame(Object* self, Visit visit, void* context) {
  report(static_cast<PassedFrame*>(self)->point.code, visit, context);
}

static Type* frame_type(Interpreter& vm) {
  for (Type* type : vm.state().all_types) {
    if (type->slots.repr == frame_repr) return type;
  }
  return nullptr;
}

// --- tracebacks ----------------------------------------------------------------------------------

static std::string traceback_repr(Interpreter&, const Value& self) {
  return fmt::format("<traceback object at {}>", static_cast<void*>(self.as_object()));
}

// The outermost place, which comes last.
static const TracePoint& place_of(const Value& self) { return self.as<Traceback>()->points.back(); }

static Value traceback_line(Interpreter&, const Value& self) { return line_of(place_of(self)); }

static Value traceback_frame(Interpreter& vm, const Value& self) {
  return vm.make<PassedFrame>(frame_type(vm), place_of(self));
}

static Value traceback_next(Interpreter& vm, const Value& self) {
  const auto& points = self.as<Traceback>()->points;
  if (points.size() < 2) return Value::none();
  return vm.make<Traceback>(vm.types.traceback,
                            std::vector<TracePoint>(points.begin(), points.end() - 1));
}

static const NativeGetter kTracebackGetters[] = {
    {"tb_frame", traceback_frame, nullptr, "The call."},
    {"tb_lineno", traceback_line, nullptr, "The line."},
    {"tb_next", traceback_next, nullptr, "The next one inwards, or None."},
};

static void traverse_traceback(Object* self, Visit visit, void* context) {
  for (const TracePoint& point : static_cast<Traceback*>(self)->points) {
    report(point.code, visit, context);
  }
}

void setup_tracebacks(Interpreter& vm) {
  vm.types.traceback =
      vm.make_type<Traceback>({.name = "traceback",
                               .slots = {.repr = traceback_repr, .traverse = traverse_traceback},
                               .getters = kTracebackGetters});
  vm.make_type<PassedFrame>({.name = "frame",
                             .slots = {.repr = frame_repr, .traverse = traverse_frame},
                             .getters = kFrameGetters});
}

}  // namespace gpy
