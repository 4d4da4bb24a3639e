#pragma once

// The launch of a function that is compiled, or its recording (core/capture.h).

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "runtime/core/capture.h"
#include "runtime/kernel/user_kernel.h"

namespace gpy::rt {

// `owner` keeps the launch's arguments.
template <class Owner>
void launch_or_record(const std::shared_ptr<UserFunction>& function, const KernelLaunch& launch,
                      Owner& owner) {
  if (!recording()) return function->launch(launch);
  record([function, launch, kept = std::make_shared<Owner>(std::move(owner))] {
    function->launch(launch);
  });
}

// Of a function that takes one struct, whose bytes these are.
void launch_or_record(const std::shared_ptr<UserFunction>& function, KernelLaunch launch,
                      std::span<const std::byte> structure);

}  // namespace gpy::rt
