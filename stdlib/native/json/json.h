#pragma once
// The native parts of json: reading and writing; the rest is json/__init__.gpy.

#include "src/native.h"

namespace gpy::lib {

extern const NativeBody json_scan, json_write;

}  // namespace gpy::lib
