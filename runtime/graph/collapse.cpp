#include "runtime/graph/collapse.h"

#include <cstdlib>
#include <numeric>
#include <vector>

namespace gpy::rt {

namespace {

// Every stride vector of the plan that has one entry per loop dimension.
template <class F> void for_each_strides(Plan& plan, F&& visit) {
  for (PlanInput& input : plan.inputs) visit(input.strides);
  for (PlanOutput& output : plan.outputs) visit(output.strides);
  if (plan.reduction && plan.reduction->scan) visit(plan.reduction->strides);
}

Dims permuted(const Dims& values, const Dims& order) {
  Dims out(order.size(), 0);
  for (int i = 0; i < order.size(); ++i) out[i] = values[order[i]];
  return out;
}

int border(const Plan& plan) { return plan.reduction ? plan.reduction->kept : plan.extents.size(); }

void erase_dimension(Plan& plan, int at) {
  const bool kept = at < border(plan);
  plan.extents.erase(at);
  for_each_strides(plan, [at](Dims& strides) { strides.erase(at); });
  if (plan.reduction && kept) {
    if (!plan.reduction->scan) plan.reduction->strides.erase(at);
    --plan.reduction->kept;
  }
}

bool mergeable(Plan& plan, int outer) {
  const int inner = outer + 1;
  const int64_t extent = plan.extents[inner];
  if (outer < border(plan) && inner >= border(plan)) return false;
  bool all = true;
  auto fits = [&](const Dims& strides) { all = all && strides[outer] == strides[inner] * extent; };
  for_each_strides(plan, fits);
  if (plan.reduction && !plan.reduction->scan && inner < border(plan))
    fits(plan.reduction->strides);
  return all;
}

void merge(Plan& plan, int outer) {
  plan.extents[outer + 1] *= plan.extents[outer];
  erase_dimension(plan, outer);
}

// Sorts the loops, stably, by decreasing |stride| of the output: memory is written in order.
void order_by_output(Plan& plan) {
  const Dims& strides = plan.outputs.front().strides;
  Dims order(strides.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return std::abs(strides[a]) > std::abs(strides[b]);
  });
  for (int i = 0; i < order.size(); ++i) {
    if (order[i] != i) return permute(plan, Dims(plan.extents), order);
  }
}

}  // namespace

void permute(Plan& plan, const Dims& domain, const Dims& order) {
  plan.extents = permuted(domain, order);
  for (PlanInput& input : plan.inputs) input.strides = permuted(input.strides, order);
  for (PlanOutput& output : plan.outputs) output.strides = permuted(output.strides, order);
}

void collapse(Plan& plan) {
  if (plan.count() == 0) return;
  for (int i = plan.extents.size() - 1; i >= 0; --i) {
    if (plan.extents[i] != 1) continue;
    if (plan.reduction && plan.reduction->scan && i == plan.extents.size() - 1) continue;
    erase_dimension(plan, i);
  }
  if (!plan.reduction && !plan.outputs.empty()) order_by_output(plan);
  for (int i = plan.extents.size() - 2; i >= 0; --i) {
    if (mergeable(plan, i)) merge(plan, i);
  }
}

int64_t Plan::count() const {
  int64_t count = 1;
  for (int64_t extent : extents) count *= extent;
  return count;
}

DType Plan::dtype_of(Register value) const {
  if (value < inputs.size()) return inputs[value].dtype;
  value -= inputs.size();
  if (value < scalars.size()) return scalars[value];
  return ops[value - scalars.size()].dtype;
}

}  // namespace gpy::rt
