#pragma once
// Where an exception came through, as the structure has it.

#include <optional>
#include <string>
#include <vector>

#include "grammar/source.h"
#include "src/diagnostics/diagnostic.h"
#include "src/diagnostics/room.h"
#include "src/objects/exception.h"

namespace gpy {

SourceRange range_of(const syntax::SourceFile& source, syntax::Span span);

TraceFrame frame_of(const TracePoint& point, Room& room);

// Outermost first. What calls itself, in a circle of some functions too, is shown three times; of
// what is long for all that there are the two ends.
std::vector<TraceFrame> frames_of(const std::vector<TracePoint>& innermost_first, Room& room);

// How many of the innermost places are the library's own, which raised the exception itself: they
// are as little to the caller as the inside of a native. 0 where there is nothing else.
size_t library_frames(const std::vector<TracePoint>& innermost_first);

// Of a SyntaxError: where parsing failed.
std::optional<TraceFrame> unparsed_place(Interpreter& vm, Exception* e, Room& room);

// An attribute of the exception that is a str; empty without one.
std::string text_attribute(Interpreter& vm, Exception* e, Str* name);

}  // namespace gpy
