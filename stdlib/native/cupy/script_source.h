#pragma once
// Arrays in memory that objects of a script own, and pools over a function of a script.

#include <memory>

#include "runtime/memory/pooled_source.h"
#include "src/interpreter.h"

namespace gpy::lib {

// Arrays take their memory by a script's function of a size, which gives a MemoryPointer. Array
// work inside the function takes the devices' own memory.
std::shared_ptr<rt::ArraySource> make_script_source(Interpreter& vm, Value allocator);

// Segments that a script's function gives to a pool. The function is the pool's object's to keep,
// which calls `end` when it goes.
class ScriptSegments : public rt::SegmentSource {
 public:
  virtual void end() = 0;
};
std::unique_ptr<ScriptSegments> make_script_segments(Interpreter& vm, const Value& allocator);

// An array over a MemoryPointer, which it keeps. Raises ValueError where the block ends before the
// array does.
Value array_at_pointer(Interpreter& vm, const Value& pointer, const Value& shape,
                       const Value& dtype, const Value& strides, const Value& order);
// The same in host memory.
Value host_array_at_pointer(Interpreter& vm, const Value& pointer, const Value& shape,
                            const Value& dtype, const Value& order);

}  // namespace gpy::lib
