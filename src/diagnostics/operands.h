#pragma once
// What an instruction worked on when it raised: kept by the exception, so that its text can say of
// each operand what it was.

#include "src/objects/exception.h"

namespace gpy {

struct Frame;

// The operands of the instruction that runs in `frame`, in the order of the source. Of a call: the
// object of a method (undefined without one), then the arguments. Of a name: the function that
// reads it, and its first argument (undefined without one).
void keep_operands(Exception& exception, const Frame& frame);

// The same of a call of the library's: its arguments, which the call has given away, are taken from
// the parameters of the function that ends in `inside`, kept when that ended.
void keep_parameters(Exception& exception, const Frame& inside);
void keep_library_call(Exception& exception, const Frame& frame);

// Of an exception that a script has dealt with, and of those that led to it: nobody who keeps it
// could find what it worked on, which may hold much memory.
void forget_operands(const Value& exception);

}  // namespace gpy
