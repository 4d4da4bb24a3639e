#pragma once
// Conversions between arrays and the data of the runtime's readers and writers of files.

#include "runtime/core/host_view.h"
#include "src/array/convert.h"

namespace gpy::lib {

rt::Array array_of_host(Interpreter& vm, const rt::HostArray& host, rt::Space space);

}  // namespace gpy::lib
