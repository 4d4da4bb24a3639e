#include "runtime/typed/grid_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "runtime/core/interrupt.h"
#include "runtime/core/notes.h"
#include "runtime/graph/recording.h"
#include "runtime/kernel/checks/check_text.h"
#include "runtime/kernel/generated.h"
#include "runtime/kernel/launch.h"
#include "runtime/typed/write.h"

namespace gpy::rt::typed {

namespace {

constexpr const char* kEntry = R"(
struct _gpy_words {{ unsigned long long words[{count}]; }};
extern "C" __global__ void {entry}(_gpy_words given) {{
  using namespace gpy_typed;{waits}
  {symbol}({arguments});
}}
)";

// By which the host sees that the kernel's blocks wait for one another.
constexpr const char* kWaits =
    "\n  typedef decltype(cooperative_groups::this_grid().sync()) _gpy_waits;";

size_t words_of(const Function& function) {
  size_t count = 0;
  for (int i = 0; i < function.parameters; ++i)
    count += word_count(function.variables[static_cast<size_t>(i)].type);
  return count;
}

}  // namespace

GridFunction::GridFunction(Program program, bool writes, std::vector<std::string> options)
    : program_(std::move(program)), writes_(writes), options_(std::move(options)) {}

std::string GridFunction::source(std::vector<std::string>* checked) const {
  const Function& function = entry();
  const std::string head = program_.cooperative ? "#include <cooperative_groups.h>\n" : "";
  const std::string entry =
      fmt::format(fmt::runtime(kEntry), fmt::arg("count", std::max<size_t>(words_of(function), 1)),
                  fmt::arg("entry", entry_name(function.name)), fmt::arg("symbol", function.symbol),
                  fmt::arg("waits", program_.cooperative ? kWaits : ""),
                  fmt::arg("arguments", argument_text(function, "given.words")));
  return head + "#define _GPY_GRID\n" + std::string(checked ? check_text() : "") +
         generated_directive() + program_text(program_, entry, false, checked) + entry;
}

std::shared_ptr<UserFunction> GridFunction::function(Session& session, Place place) {
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  std::shared_ptr<UserFunction>& known = functions_[place];
  if (!known) known = compile(session, place, source());
  return known;
}

std::shared_ptr<UserFunction> GridFunction::compile(Session& session, Place place,
                                                    const std::string& text) const {
  const std::string& name = entry().name;
  return session.backend(place)
      .user_kernels()
      .compile(text, name, options_)
      ->function(entry_name(name));
}

std::shared_ptr<CheckedKernel> GridFunction::checked_kernel(Session& session, Place place) {
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  std::shared_ptr<CheckedKernel>& known = checked_[place];
  if (!known) {
    auto made = std::make_shared<CheckedKernel>();
    auto names = std::make_shared<ArrayNames>();
    made->function = compile(session, place, source(names.get()));
    made->names = std::move(names);
    known = std::move(made);
  }
  return known;
}

std::map<Place, std::shared_ptr<UserFunction>> GridFunction::compiled() const {
  const std::lock_guard lock(mutex_);
  return functions_;
}

void GridFunction::launch(Session& session, const LaunchShape& shape,
                          std::span<const Data> arguments, Space space) {
  const InterruptScope scope(session.interrupt);
  const Place place = session.place_of(space);
  const std::shared_ptr<CheckedKernel> checked =
      checks_launches(session, space) ? checked_kernel(session, place) : nullptr;
  const std::shared_ptr<UserFunction> function =
      checked ? checked->function : this->function(session, place);
  const Function& entry = this->entry();
  const RecordedWorkOf records(session, space);
  ArgumentWords words(session, place, writes_);
  for (size_t i = 0; i < arguments.size(); ++i)
    words.add(entry.variables[i].type, arguments[i], entry.variables[i].name);
  std::optional<CheckedLaunch> checked_launch;
  if (checked) {
    checked_launch.emplace(session, checked);
    for (const ArgumentWords::Lent& each : words.lent())
      checked_launch->lend(std::string(each.name), *each.array, each.address);
  }
  const uint64_t none = 0;
  const std::span<const uint64_t> structure =
      words.count() ? std::span(words.data(), words.count()) : std::span(&none, 1);
  launch_or_record(function,
                   {.grid = shape.grid,
                    .block = shape.block,
                    .shared_bytes = shape.shared_bytes,
                    .catches_faults = session.catches_kernel_faults,
                    .cooperative = program_.cooperative,
                    .checks = checked_launch ? checked_launch->checks() : nullptr},
                   std::as_bytes(structure));
  if (checked_launch) checked_launch->report(entry.name);
}

}  // namespace gpy::rt::typed
