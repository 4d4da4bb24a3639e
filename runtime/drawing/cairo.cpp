#include "runtime/drawing/cairo.h"

#include <dlfcn.h>

#include "runtime/core/error.h"

namespace gpy::rt {

Cairo::Cairo() {
  void* const library = dlopen("libcairo.so.2", RTLD_NOW | RTLD_LOCAL);  // for the process's life
  auto find = [&](const char* name) { return library ? dlsym(library, name) : nullptr; };
#define GPY_CAIRO_FIND(result, name, parameters)              \
  name = reinterpret_cast<result(*) parameters>(find(#name)); \
  is_whole_ = is_whole_ && name;
  GPY_CAIRO_FUNCTIONS(GPY_CAIRO_FIND)
#undef GPY_CAIRO_FIND
}

const Cairo& Cairo::get() {
  static const Cairo opened;
  if (!opened.is_whole_) {
    fail(ErrorKind::kNotImplemented,
         "drawing needs cairo: libcairo.so.2 is not there (Debian's package libcairo2)");
  }
  return opened;
}

}  // namespace gpy::rt
