#include "runtime/drawing/cairo.h"

#include "runtime/core/error.h"

namespace gpy::rt {

Cairo::Cairo() : SystemLibrary("libcairo.so.2") {
#define GPY_CAIRO_FIND(result, name, parameters) find(#name, name);
  GPY_CAIRO_FUNCTIONS(GPY_CAIRO_FIND)
#undef GPY_CAIRO_FIND
}

const Cairo& Cairo::get() {
  static const Cairo opened;
  if (!opened.is_whole()) {
    fail(ErrorKind::kNotImplemented,
         "drawing needs cairo: libcairo.so.2 is not there (Debian's package libcairo2)");
  }
  return opened;
}

}  // namespace gpy::rt
