#pragma once

// One suite of plans for every backend: each case is a plan with its data, made from its name, so
// that two backends given the same case can be compared.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "runtime/backend.h"

namespace gpy::rt::test {

// The way in which an input's elements are drawn.
enum class Draw : uint8_t {
  kAny,     // the whole range, with the special values of its type
  kFinite,  // as kAny, without infinities and NaN
  kSmall,   // whole numbers of small size: sums and products of some are exact
  kUnit,    // in [0, 1): sums round
  kIndex,   // int64 in [0, limit)
};

struct PlanCase {
  std::string name;
  Plan plan;
  std::vector<Draw> draws = {};       // one an input; missing ones are kAny
  std::vector<int64_t> origins = {};  // elements before element 0 of each input and output
  int64_t index_limit = 1;
  int ulps = 0;                  // floats may differ by this much
  bool transpose_input = false;  // input 0 holds what C order would, by columns; no origin
  std::string seed = {};         // what the data are made from, if not the name
  bool of_one = false;           // ulps are those of the larger of 1 and the element's magnitude
};

// Layouts, widths, several outputs, gathers, reductions of every form, scans.
std::vector<PlanCase> structure_cases();
// Every loop of every ufunc, and every cast, on special values.
std::vector<PlanCase> ufunc_cases();
// Reductions and scans of every row and type.
std::vector<PlanCase> reduction_cases();

// Two plans whose reductions are of the same numbers in the same shape, whatever else differs:
// their results, the last outputs, must have the same bits.
struct TreePair {
  PlanCase plain, other;
};
std::vector<TreePair> tree_pairs();

// The outputs' whole memory, the parts that no element is stored in included.
using Outputs = std::vector<std::vector<std::byte>>;

// A case's inputs on the host and room for its outputs, before and after a run.
class CaseData {
 public:
  explicit CaseData(const PlanCase& test);

  // Runs on `backend`, or calls `run` with bindings to host memory.
  Outputs run_on(Backend& backend) const;
  // Prepares once and runs twice, the second time in other memory that is aligned otherwise.
  std::vector<Outputs> run_prepared_on(Backend& backend, bool apart) const;
  Outputs run_by(const std::function<void(const Plan&, const Bindings&)>& run) const;

 private:
  // Everything lies `shift` elements behind the start of its block.
  Outputs run_from(Backend& backend, PreparedPlan& plan, int64_t shift) const;

  const PlanCase& test_;
  std::vector<std::vector<std::byte>> inputs_;
  std::vector<size_t> input_origins_;  // bytes
  std::vector<size_t> output_bytes_;
  std::vector<size_t> output_origins_;  // bytes
  std::vector<std::array<std::byte, 16>> scalars_;
};

// The place where two runs differ by more than the case allows, or empty.
std::string difference(const PlanCase& test, const Outputs& a, const Outputs& b);

}  // namespace gpy::rt::test
