#pragma once

// `if c: x = y` as `x = y if c else x`, which compilers write without a jump and in vectors.

#include <optional>

#include "runtime/typed/form.h"

namespace gpy::rt::typed {

// The assignment that an if is the same as; nullopt where computing or storing what it would not
// have could be noticed, or costs. `stores`: elements may be stored that keep their value, which
// other threads would notice.
std::optional<Statement> try_selection(const Function& function, const Statement& branch,
                                       bool stores);

}  // namespace gpy::rt::typed
