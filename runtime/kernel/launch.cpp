#include "runtime/kernel/launch.h"

namespace gpy::rt {

namespace {

void launch_with(UserFunction& function, KernelLaunch launch,
                 std::span<const std::byte> structure) {
  void* const arguments[] = {const_cast<std::byte*>(structure.data())};
  launch.arguments = arguments;
  function.launch(launch);
}

}  // namespace

void launch_or_record(const std::shared_ptr<UserFunction>& function, KernelLaunch launch,
                      std::span<const std::byte> structure) {
  if (!recording()) return launch_with(*function, launch, structure);
  std::vector<std::byte> own(structure.begin(), structure.end());
  record([function, launch, own = std::move(own)] { launch_with(*function, launch, own); });
}

}  // namespace gpy::rt
