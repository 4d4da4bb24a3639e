#pragma once

// The second door: item assignment, `out=` and in-place operators. Whatever was read before the
// write keeps its old content; whatever is read after it sees the new one.

#include "runtime/session.h"

namespace gpy::rt {

// target[...] = source, cast as C casts. `source` must broadcast to the target's shape, and the
// target be writeable (kValue otherwise). A pending source is computed where it is stored, if
// the operand alone has it or says that this is its last use.
void write(Session& session, const Array& target, Operand source);

// Scatter: for each element of `index` (int64), the element of `target` that lies that many
// elements further is set to the source's. All three broadcast to `shape`. Where an element is
// named twice the last one counts on the host; on a GPU it is any of them.
void write_at(Session& session, const Array& target, const Dims& shape, const Array& index,
              const Operand& source);

}  // namespace gpy::rt
