#pragma once
// The layouts of the builtin types, all in one include. Exact big ints: src/object_int.h.

#include "src/object_containers.h"
#include "src/object_dict.h"
#include "src/object_exception.h"
#include "src/object_function.h"
#include "src/object_str.h"
