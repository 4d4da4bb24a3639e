#include "runtime/core/open_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/core/error_facts.h"

namespace gpy::rt {

void require_room_for_file(const std::string& file) {
  const int any = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (any >= 0) ::close(any);
  else if (errno == EMFILE || errno == ENFILE) throw OsError(errno, file);
}

}  // namespace gpy::rt
