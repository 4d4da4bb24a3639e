#include "runtime/kernel/checks/checked_text.h"

#include "runtime/core/capture.h"
#include "runtime/core/error.h"
#include "runtime/kernel/checks/check_text.h"

namespace gpy::rt {

std::shared_ptr<UserModule> compile_checked(UserKernels& kernels, const std::string& name,
                                            std::span<const std::string> options,
                                            std::span<const Bound> bound, const TextOf& text_of) {
  const std::string checks(check_text());
  std::vector<Bound> numbered(bound.begin(), bound.end());
  for (size_t i = 0; i < numbered.size(); ++i) numbered[i].number_of_name = static_cast<int>(i);
  try {
    return kernels.compile(checks + text_of(numbered, true), name, options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCompile) throw;
  }
  kernels.compile(text_of(bound, false), name, options);  // tells the user's own mistakes
  return kernels.compile(checks + text_of(bound, false), name, options);
}

std::optional<CheckedLaunch> checked_launch(const Session& session, Place place,
                                            std::shared_ptr<CheckedKernel>& kernel,
                                            std::span<const Bound> bound,
                                            std::span<const LentMemory> lent,
                                            std::shared_ptr<const ArrayNames> names) {
  if (!session.kernel_checks.at(place) || recording()) return std::nullopt;
  if (!kernel) {
    ArrayNames parameters;
    for (const Bound& each : bound) parameters.push_back(each.parameter->name);
    kernel = std::make_shared<CheckedKernel>();
    kernel->names =
        names ? std::move(names) : std::make_shared<const ArrayNames>(std::move(parameters));
  }
  std::optional<CheckedLaunch> launch(std::in_place, session, kernel);
  auto array = lent.begin();
  for (const Bound& each : bound) {
    if (each.passing == Passing::kNumber) continue;
    launch->lend(each.parameter->name, each.array, (array++)->address());
  }
  return launch;
}

}  // namespace gpy::rt
