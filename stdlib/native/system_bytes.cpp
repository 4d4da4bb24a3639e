#include "stdlib/native/system_bytes.h"

#include <sys/random.h>

#include <cerrno>

#include "src/memory/pieces.h"
#include "src/types/file.h"

namespace gpy::lib {

std::string system_bytes(Interpreter& vm, size_t count) {
  vm.claim(count);
  std::string bytes(count, '\0');
  for (size_t filled = 0; filled < count;) {
    ssize_t got = getrandom(bytes.data() + filled, std::min(count - filled, kPieceBytes), 0);
    poll_interrupt(vm);
    if (got < 0 && errno != EINTR) raise_os_error(vm, errno);
    if (got > 0) filled += static_cast<size_t>(got);
  }
  return bytes;
}

}  // namespace gpy::lib
