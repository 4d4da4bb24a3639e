#include "src/run/frame.h"

#include <new>

#include "src/interpreter.h"

namespace gpy {

Frame* allocate_frame(Code* code) {
  size_t constants = code->constants.size();
  size_t registers = static_cast<size_t>(code->register_count);
  const size_t bytes = frame_bytes(*code);
  code->type->vm->claim(bytes);
  void* block = ::operator new(bytes);
  auto* frame = new (block) Frame{.code = code};
  auto* slots = reinterpret_cast<Value*>(frame + 1);
  frame->registers = slots + constants;
  frame->sites = code->sites.data();
  for (size_t i = 0; i < constants; ++i) new (slots + i) Value(code->constants[constants - 1 - i]);
  for (size_t i = 0; i < registers; ++i) new (frame->registers + i) Value();
  return frame;
}

Frame* make_frame(Function* function) {
  Code* code = function->code.get();
  Frame* frame = take_frame(code);
  retain(function);
  frame->function = function;
  frame->at = code->instructions.data();
  bind_cells(frame, *function);
  return frame;
}

void free_frame(Frame* frame) {
  clear_registers(frame, frame->code->register_count);
  frame->handled = Value();
  frame->generator = nullptr;
  frame->is_boundary = false;
  frame->constructs = false;
  keep_frame(frame);
}

void drop_kept_frames(Code& code) {
  const size_t count = code.constants.size() + static_cast<size_t>(code.register_count);
  while (Frame* frame = code.free_frames) {
    code.free_frames = frame->caller;
    auto* slots = reinterpret_cast<Value*>(frame + 1);
    for (size_t i = 0; i < count; ++i) slots[i].~Value();
    frame->~Frame();
    ::operator delete(frame);
  }
}

Code::~Code() { drop_kept_frames(*this); }

std::string_view Code::register_name(int32_t index) const {
  if (index >= 0 && static_cast<size_t>(index) < local_names.size())
    return local_names[index]->view();
  return "?";
}

Generator::~Generator() {
  if (frame) free_frame(frame);
}

}  // namespace gpy
