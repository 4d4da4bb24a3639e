#pragma once

// Checks that the process may open one more file. Where it may not, "not found" proves nothing:
// throws OsError (EMFILE, ENFILE) for `file`, which was looked for.

#include <string>

namespace gpy::rt {

void require_room_for_file(const std::string& file);

}  // namespace gpy::rt
