#pragma once
// The layouts of the builtin types, all in one include. Exact big ints: src/objects/int.h.

#include "src/objects/containers.h"
#include "src/objects/dict.h"
#include "src/objects/set.h"
#include "src/objects/exception.h"
#include "src/objects/function.h"
#include "src/objects/str.h"
