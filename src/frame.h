#pragma once
// One activation of a function, on the heap. Frames of running calls form a chain; a generator
// keeps its frame between resumptions.

#include "src/code.h"
#include "src/object_function.h"
#include "src/value.h"

namespace gpy {

struct Generator;

struct Frame {
  Frame* caller = nullptr;
  Code* code;
  const Instruction* at = nullptr;  // the instruction that runs, or ran last
  Ref<Function> function = {};      // keeps code and globals
  Value handled = {};               // the exception whose except block is running
  Generator* generator = nullptr;   // it belongs to one
  int32_t result = 0;               // the caller's register for what it returns
  bool is_boundary = false;         // returns to C++
  Value* registers = nullptr;

  uint32_t position() const { return static_cast<uint32_t>(at - code->instructions.data()); }
};

// A frame of `function` with empty registers, at its first instruction.
Frame* make_frame(Function* function);
// Clears its registers and keeps it for the next call.
void free_frame(Frame* frame);

struct Generator : Object {
  static constexpr Layout kLayout = Layout::generator;
  Generator(Type* type, Frame* frame) : Object(type), frame(frame), code(frame->code) {
    frame->generator = this;
  }
  ~Generator();
  Frame* frame;  // null when finished
  Ref<Code> code;
  bool is_running = false;
};

}  // namespace gpy
