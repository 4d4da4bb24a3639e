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
  Generator* generator = nullptr;   // it belongs to one
  int32_t result = 0;               // the caller's register for what it returns
  bool is_boundary = false;         // returns to C++
  bool constructs = false;          // __init__ of what the caller has at the base of its call
  Value* registers = nullptr;
  Site* sites = nullptr;  // the code's

  uint32_t position() const { return static_cast<uint32_t>(at - code->instructions.data()); }
};

// What a frame of the code takes: its constants are copied in front of its registers.
inline size_t frame_bytes(const Code& code) {
  const size_t registers = static_cast<size_t>(code.register_count);
  return sizeof(Frame) + (code.constants.size() + registers) * sizeof(Value);
}

// The innermost frame that is no library's, from `frame` on outwards: where warnings and arrays say
// that they come from. Null where there is none.
inline const Frame* script_frame(const Frame* frame) {
  while (frame && frame->code->is_library) frame = frame->caller;
  return frame;
}

// A frame of `function` with empty registers, at its first instruction.
Frame* make_frame(Function* function);
// Clears its registers and keeps it for the next call.
void free_frame(Frame* frame);

Frame* allocate_frame(Code* code);
inline Frame* take_frame(Code* code) {
  Frame* frame = code->free_frames;
  if (!frame) [[unlikely]]
    return allocate_frame(code);
  code->free_frames = frame->caller;
  return frame;
}

// The variables that the function took from around it, where its code looks for them.
inline void bind_cells(Frame* frame, const Function& function) {
  for (size_t k = 0; k < function.cells.size(); ++k) {
    frame->registers[frame->code->first_captured + static_cast<int32_t>(k)] = function.cells[k];
  }
}

inline void clear_registers(Frame* frame, int32_t count) {
  for (Value *at = frame->registers, *end = at + count; at != end; ++at) at->set_undefined();
}

// Keeps a frame with clear registers for the next call. Its code may go.
inline void keep_frame(Frame* frame) {
  Function* function = frame->function;
  frame->caller = frame->code->free_frames;
  frame->code->free_frames = frame;
  release(function);
}

// Gives back the memory of the frames that are kept so. Nothing of a script ends by that.
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
