#pragma once
// The frames that an exception passed through, in the form of the structure.

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

// The outermost frame comes first. Recursion, also through several functions, is shown three times;
// of a trace that is still long there are the two ends.
std::vector<TraceFrame> frames_of(const std::vector<TracePoint>& innermost_first, Room& room);

// The number of innermost places in the library's own code, which raised the exception itself:
// callers see as little of them as of the inside of a native. 0 where there are no others.
size_t library_frames(const std::vector<TracePoint>& innermost_first);

// The place where parsing failed, for a SyntaxError.
std::optional<TraceFrame> unparsed_place(Interpreter& vm, Exception* e, Room& room);

// An attribute of the exception that is a str; empty without one.
std::string text_attribute(Interpreter& vm, Exception* e, Str* name);

}  // namespace gpy
