#pragma once

// Linear algebra of a device whose own libraries are missing or do not start: the matrices go to
// the host, are worked on there and come back.

#include <memory>

#include "runtime/backend.h"
#include "runtime/linalg/linalg.h"

namespace gpy::rt {

// Both must outlive it.
std::unique_ptr<Linalg> make_host_fallback(Backend& device, Backend& host);

}  // namespace gpy::rt
