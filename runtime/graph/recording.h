#pragma once

// Operations on arrays whose queue captures: most are recorded, those that need a content are
// refused. Work of the host's own arrays is done as ever, also where the CPU stands in for a GPU.

#include "runtime/session.h"

namespace gpy::rt {

// The queue for which work on arrays of a space is recorded; null where it is done.
Queue* recording_queue(Session& session, Space space);
// The same for arrays that live in a place and are not the host's own.
Queue* recording_queue(const Session& session, Place place);

// Throws CudaError where the content of arrays of a space is not there: their work is recorded.
void require_content(Session& session, Space space);
// Throws CudaError where work on arrays of a space is recorded, and this thread cannot have its own
// recorded. `what` cannot be part of a graph: "sorting".
void require_done(Session& session, Space space, const char* what);

// Whether work on an array is recorded, as far as this thread's queues tell.
bool is_recorded(const Array& array);
// Where the array's work is recorded, its storage alone has its content from here on: a graph uses
// the memory of the arrays that it was captured with.
void keep_apart(const Array& array);

// While it lives, this thread's work on arrays of a space is recorded if their queue captures.
class RecordedWorkOf {
 public:
  RecordedWorkOf(Session& session, Space space) : scope_(recording_queue(session, space)) {}

 private:
  RecordScope scope_;
};

}  // namespace gpy::rt
