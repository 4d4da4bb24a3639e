#pragma once

#include <string_view>

namespace gpy::rt::typed {

// runtime/typed/support as text, to be read behind support_text(). Made at build time.
std::string_view typed_text();

}  // namespace gpy::rt::typed
