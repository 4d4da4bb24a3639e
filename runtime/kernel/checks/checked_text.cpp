#include "runtime/kernel/checks/checked_text.h"

#include <algorithm>

#include "runtime/core/capture.h"
#include "runtime/core/error.h"
#include "runtime/kernel/checks/check_text.h"

namespace gpy::rt {

namespace {

std::shared_ptr<UserModule> compile_checked(const GeneratedKernel& kernel, const std::string& text,
                                            const TextOf& text_of) {
  const auto& [kernels, name, options, bound, place, reader] = kernel;
  const std::string checks(check_text());
  std::vector<Bound> numbered(bound.begin(), bound.end());
  for (size_t i = 0; i < numbered.size(); ++i) numbered[i].number_of_name = static_cast<int>(i);
  try {
    return kernels.compile(checks + text_of(numbered, true), name, options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCompile) throw;
  }
  kernels.compile(text, name, options);  // tells the user's own mistakes
  return kernels.compile(checks + text, name, options);
}

void add_version(std::vector<CompiledVersion>& versions, CompiledVersion version, bool checked) {
  const auto known = std::ranges::find_if(versions, [&](const CompiledVersion& each) {
    return each.place == version.place && each.text == version.text;
  });
  if (known == versions.end()) versions.push_back(std::move(version));
  else if (!checked) *known = std::move(version);
}

}  // namespace

std::shared_ptr<UserModule> compile_version(const GeneratedKernel& kernel, bool checked,
                                            const TextOf& text_of,
                                            std::vector<CompiledVersion>& versions) {
  std::string text = text_of(kernel.bound, false);
  auto module = checked ? compile_checked(kernel, text, text_of)
                        : kernel.kernels.compile(text, kernel.name, kernel.options);
  auto function = module->function(entry_name(kernel.name) + kernel.reader);
  add_version(versions,
              make_version(kernel.bound, kernel.place, std::move(text), std::move(function)),
              checked);
  return module;
}

bool checks_generated(const Session& session, Place place) {
  return session.kernel_checks.at(place) && !recording();
}

std::optional<CheckedLaunch> checked_launch(const Session& session, Place place,
                                            std::shared_ptr<CheckedKernel>& kernel,
                                            std::span<const Bound> bound,
                                            std::span<const LentMemory> lent,
                                            std::shared_ptr<const ArrayNames> names) {
  if (!checks_generated(session, place)) return std::nullopt;
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
