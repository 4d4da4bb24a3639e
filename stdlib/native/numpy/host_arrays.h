#pragma once
// Between the runtime's readers and writers of files and arrays.

#include "runtime/core/host_view.h"
#include "src/array/convert.h"

namespace gpy::lib {

rt::Array array_of_host(Interpreter& vm, const rt::HostArray& host, rt::Space space);

}  // namespace gpy::lib
