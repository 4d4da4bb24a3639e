#pragma once
// For whoever fills a Str himself: room for what makes indexing text beyond ASCII fast.

#include "src/objects/str.h"

namespace gpy {

// The capacity to ask make_uninitialised for, for text that is not plain ASCII.
size_t room_with_offsets(size_t bytes);
// To be called when the text grows in place.
void forget_offsets(Str& text);

}  // namespace gpy
