#pragma once

// Which variables of a loop whose rounds run at the same time are each thread's own, and which are
// summed up.

#include <optional>
#include <vector>

#include "runtime/typed/form.h"

namespace gpy::rt::typed {

struct Reduction {
  enum class Kind : uint8_t { kSum, kProduct, kLeast, kGreatest };
  int variable;
  Kind kind;
};

struct ParallelPlan {
  std::vector<int> shared;  // read only
  std::vector<int> own;     // given a value in each round before it is read
  std::vector<Reduction> reductions;
};

// nullopt: a round needs what another one has done, or leaves the loop.
std::optional<ParallelPlan> plan_parallel(const Function& function, const Statement& loop);
bool has_parallel_loop(const std::vector<Statement>& statements);

}  // namespace gpy::rt::typed
