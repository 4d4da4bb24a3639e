#pragma once
// An error as a structure. Text, coloured text and JSON are renderings of it; a host reads it as
// gpy::host::Diagnostic. Lines and columns count from 1, columns in code points; 0: not known.

#include <string>
#include <vector>

namespace gpy {

struct Exception;
class Interpreter;

struct SourceRange {
  int line = 0, column = 0, end_line = 0, end_column = 0;
};

// A part of the source and what is known of it. The first label of an error is the place of failure
// (its text may be empty); the others are the operands there.
struct SourceLabel {
  SourceRange range;
  std::string text;  // "a: float64 (3,4)"
};

struct TraceFrame {
  std::string file, function;
  SourceRange range;   // of the expression
  SourceRange caret;   // of the part that failed: the operator, the subscript; else as range
  std::string source;  // the line at range.line
  int repeats = 0;     // how often it and those before it, `circle` in all, repeat
  int circle = 1;
  int left_out = 0;  // frames behind it that a long traceback leaves out
};

struct Diagnostic {
  std::string kind;                // "ValueError", "numpy.exceptions.AxisError"
  std::string message;             // str(exception)
  std::vector<TraceFrame> frames;  // outermost first; a source that does not parse is one as well
  bool is_syntax_error = false;    // the last frame is where parsing failed
  std::vector<SourceLabel> labels;
  std::string detail;              // what is wrong, in the terms of this source
  std::string hint;                // what to write instead
  std::string code;                // "S01": `gpy explain S01` says more; empty for most errors
  std::string suggestion;          // "Did you mean: 'x'?": shown beside the message
  std::vector<std::string> notes;  // add_note

  // The relation to the error before it in a report.
  enum Link { none, cause, context } link = none;
  size_t left_out = 0;  // errors right before it that a long chain leaves out
};

// An uncaught error and those that led to it, in the order of time. Their texts are cut to about
// Room::kMost bytes together, those of the places too; of more than 100 errors, or places of an
// error, there are the first 50 and the last 50.
struct ErrorReport {
  std::vector<Diagnostic> chain;
  const Diagnostic& error() const { return chain.back(); }
};

// Frames of the library's own modules, which scripts see as little as the inside of a native.
enum class LibraryFrames : uint8_t { hidden, shown };

// Polls for interrupts between the errors of a chain.
ErrorReport diagnose(Interpreter& vm, Exception* exception,
                     LibraryFrames library = LibraryFrames::hidden);
// Diagnoses as much of the chain as there is time for: exceptions from polls end here.
ErrorReport diagnose_in_time(Interpreter& vm, Exception* exception);
// The error without those that led to it.
ErrorReport diagnose_alone(Interpreter& vm, Exception* exception);

std::string to_text(const ErrorReport& report, bool coloured);
// One line.
std::string to_json(const ErrorReport& report);

}  // namespace gpy
