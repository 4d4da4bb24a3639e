// The native part of warnings: the line of a script that a warning is about, and its text; and the
// switch for lazy arrays, whose warnings come late.
#include "runtime/graph/evaluate.h"
#include "src/array/arrays.h"
#include "src/run/frame.h"
#include "src/interpreter.h"
#include "src/state.h"
#include "src/typed_native.h"
#include "stdlib/native/modules.h"

namespace gpy::lib {

// The frame `level` calls out from the one that asks, and out of the library; null beyond the
// outermost.
static const Frame* frame_at(Interpreter& vm, int64_t level) {
  const Frame* frame = vm.state().frame;
  for (; level > 0 && frame; --level) frame = frame->caller;
  return script_frame(frame);
}

static Value place(Interpreter& vm, int64_t level) {
  const Frame* frame = frame_at(vm, level);
  if (!frame) return vm.tuple({vm.str("sys"), Value::integer(1), vm.str("sys"), vm.str("")});
  const Code& code = *frame->code;
  auto begin = code.source->position(code.spans[frame->position()].begin);
  Value* module = frame->function->globals->find(vm.state().names.__name__);
  return vm.tuple({vm.str(code.source->name()), Value::integer(static_cast<int64_t>(begin.line)),
                   module ? *module : vm.str("<unknown>"), vm.str(code.source->line(begin.line))});
}

// Called where warnings of arrays must come at the place of the operation.
static Value set_lazy(Interpreter& vm, bool lazy) {
  const bool before = session(vm).lazy;
  session(vm).lazy = lazy;
  return Value::boolean(before);
}

static Value settle(Interpreter& vm) {
  rt::settle_events(session(vm));
  return Value::none();
}

static const Native kRows[] = {
    {"place", "(level, /)", typed<place>,
     "(file, line, module, text of the line) of a call further out."},
    {"set_lazy", "(lazy, /)", typed<set_lazy>,
     "Whether operations on arrays wait; gives what it was."},
    {"settle", "()", typed<settle>,
     "Computes what waits and could warn, under the filters of this moment."},
};

Value open__warnings(Interpreter& vm) { return vm.make_module("_warnings", kRows); }

}  // namespace gpy::lib
