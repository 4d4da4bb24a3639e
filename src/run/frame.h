#pragma once
// One activation of a function, on the heap. Frames of running calls form a chain; a generator
// keeps its frame between resumptions.

#include "src/code.h"
#include "src/objects/function.h"
#include "src/value.h"

namespace gpy {

struct Generator;

struct Frame {
  Frame* caller = nullptr;
  Code* code;
  const Instruction* at = nullptr;  // the instruction that runs, or ran last
  Function* function = nullptr;     // owned: keeps code and globals
  Value handled = {};               // the exception whose except block is running
  Generator* generator = nullptr;   // the generator that it belongs to
  int32_t result = 0;               // the caller's register for the returned value
  bool is_boundary = false;         // returns to C++
  bool constructs = false;          // __init__ of the object at the base of the caller's call
  Value* registers = nullptr;
  Site* sites = nullptr;  // the code's

  uint32_t position() const { return static_cast<uint32_t>(at - code->instructions.data()); }
};

// The size of a frame of the code: its constants are copied in front of its registers.
inline size_t frame_bytes(const Code& code) {
  const size_t registers = static_cast<size_t>(code.register_count);
  return sizeof(Frame) + (code.constants.size() + registers) * sizeof(Value);
}

// The innermost frame outside the library, from `frame` on outwards: the place that warnings and
// arrays name as theirs. Null where there is none.
inline const Frame* script_frame(const Frame* frame) {
  while (frame && frame->code->is_library) frame = frame->caller;
  return frame;
}

// A frame of `function` with empty registers, at its first instruction.
Frame* make_frame(Function* function);
// Clears the frame's registers and keeps it for the next call.
void free_frame(Frame* frame);

Frame* allocate_frame(Code* code);
inline Frame* take_frame(Code* code) {
  Frame* frame = code->free_frames;
  if (!frame) [[unlikely]]
    return allocate_frame(code);
  code->free_frames = frame->caller;
  return frame;
}

// Puts the captured variables of the function into the registers where its code expects them.
inline void bind_cells(Frame* frame, const Function& function) {
  for (size_t k = 0; k < function.cells.size(); ++k) {
    frame->registers[frame->code->first_captured + static_cast<int32_t>(k)] = function.cells[k];
  }
}

inline void clear_registers(Frame* frame, int32_t count) {
  for (Value *at = frame->registers, *end = at + count; at != end; ++at) at->set_undefined();
}

// Keeps a frame with clear registers for the next call. Its code may be destroyed by that.
inline void keep_frame(Frame* frame) {
  Function* function = frame->function;
  frame->caller = frame->code->free_frames;
  frame->code->free_frames = frame;
  release(function);
}

// Frees the memory of the frames that are kept so. No object of a script is destroyed.
void drop_kept_frames(Code& code);

struct Generator : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::generator;
  Generator(Type* type, Frame* frame) : Object(type), frame(frame), code(frame->code) {
    frame->generator = this;
  }
  ~Generator();
  Frame* frame;  // null when finished
  Ref<Code> code;
  bool is_running = false;
};

}  // namespace gpy
