#pragma once
// The two halves of json that are native; the rest is json/__init__.gpy.

#include "src/native.h"

namespace gpy::lib {

extern const NativeBody json_scan, json_write;

}  // namespace gpy::lib
