#pragma once
// Exceptions and the trace of places that they passed through.

#include <string>
#include <vector>

#include "src/objects/containers.h"
#include "src/objects/dict.h"
#include "src/value.h"

namespace gpy {

struct Code;

// A place in a script: the source of the instruction at `at` of `code`.
struct TracePoint {
  Ref<Code> code;
  uint32_t at;
};

struct Exception : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::exception;
  Exception(Type* type, Ref<Tuple> args);
  ~Exception();

  Ref<Tuple> args;
  Value cause = Value::none();    // the exception of `raise ... from cause`
  Value context = Value::none();  // the exception that was being handled
  bool suppress_context = false;
  std::vector<TracePoint> trace;  // innermost first
  Ref<Dict> attributes;           // value, code, errno, name ...: made when the first is set
  // These are no part of str(exception), as in Diagnostic:
  std::string suggestion;       // "Did you mean: 'x'?": shown beside the message
  std::string detail;           // what else is known of the failure: shown below the message
  std::string hint;             // what to write instead: shown below that
  std::vector<Value> operands;  // of the instruction that raised it (src/diagnostics/operands.h)

  // str(exception)
  std::string message(Interpreter& vm);
};

// A trace as a script sees it (__traceback__).
struct Traceback : Object {
  static constexpr ObjectLayout kLayout = ObjectLayout::traceback;
  Traceback(Type* type, std::vector<TracePoint> points);
  ~Traceback();
  std::vector<TracePoint> points;
};

// Thrown by C++ code to raise `exception`; the run loop catches it.
struct Raised {
  Value exception;  // an Exception
};

}  // namespace gpy
