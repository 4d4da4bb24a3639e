#pragma once
// The operands of an instruction that raised: the exception keeps them, so that its report can
// describe each of them.

#include "src/objects/exception.h"

namespace gpy {

struct Frame;

// The operands of the instruction that runs in `frame`, in the order of the source. For a call: the
// object of a method (undefined without one), then the arguments. For a name: the function that
// reads it, and its first argument (undefined without one).
void keep_operands(Exception& exception, const Frame& frame);

// The same for a call of the library's: its arguments, which the call has moved away, are taken
// from the parameters of the function that ends in `inside`, kept when that ended.
void keep_parameters(Exception& exception, const Frame& inside);
void keep_library_call(Exception& exception, const Frame& frame);

// Drops the operands of an exception that a script has handled, and of those that led to it: they
// may hold much memory, and nobody who keeps the exception could find them.
void forget_operands(const Value& exception);

}  // namespace gpy
