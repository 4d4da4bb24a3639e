#include "runtime/graph/prepared.h"

#define XXH_INLINE_ALL  // no symbol of it in the library
#include <xxhash.h>

#include <algorithm>

#include "runtime/graph/build_plan.h"

namespace gpy::rt {

namespace {

std::vector<int> leaves_of(const PlanBuilder& builder, const Expression& expression) {
  std::vector<int> leaves;
  for (const PlanBuilder::Source& source : builder.sources()) {
    leaves.push_back(source.input ? expression.number_of(*source.input) : -1);
  }
  return leaves;
}

std::vector<int> makers_of(const PlanBuilder& builder, const Expression& expression,
                           const Plan& plan) {
  std::vector<int> makers;
  const size_t count = plan.ops.size() + (plan.reduction ? 1 : 0);
  for (size_t op = 0; op < count; ++op) {
    makers.push_back(expression.number_of(builder.maker(op)));
  }
  return makers;
}

// Each node whose result is kept is stored, in the order of `stored`.
void build_results(PlanBuilder& builder, const Expression& expression, std::vector<int>& stored) {
  const Node& node = *expression.nodes()[0];
  auto store = [&](Register value, const Node& made) {
    if (value != kNoRegister) builder.store(value, made.out);
    stored.push_back(expression.number_of(&made));
  };
  Register root = kNoRegister;
  if (node.is_map()) {
    root = builder.compute(node);
    store(root, node);
  } else {
    root = builder.load(node.inputs[0], node.inputs[0].dtype());
  }
  for (const auto& [value, reg] : builder.kept_values()) {
    if (value != node.owner) store(reg, *value->node());
  }
  if (!node.is_map()) {
    builder.reduce(node, root);
    store(kNoRegister, node);
  }
}

void build_region(PlanBuilder& builder, const Expression& expression) {
  const Region& region = *expression.region();
  Register index = kNoRegister;
  if (region.index.value) index = builder.load(region.index, DType::kInt64);
  const Register value = builder.load(expression.stored(), region.layout.dtype);
  builder.store(value, region.layout, index);
}

}  // namespace

std::shared_ptr<const PreparedExpression> prepare(Backend& backend, const Expression& expression) {
  auto prepared = std::make_shared<PreparedExpression>();
  const Region* region = expression.region();
  PlanBuilder builder(region ? region->layout.shape : expression.nodes()[0]->loop_shape(),
                      expression.place());
  if (region) build_region(builder, expression);
  else build_results(builder, expression, prepared->stored);
  prepared->plan = builder.finish();
  prepared->key.assign(expression.key().begin(), expression.key().end());
  prepared->inputs = leaves_of(builder, expression);
  prepared->makers = makers_of(builder, expression, prepared->plan);
  prepared->nodes_fused = builder.nodes_fused();
  prepared->run = backend.prepare(prepared->plan, expression.apart());
  return prepared;
}

static uint64_t hash_of(std::span<const int64_t> key) {
  return XXH3_64bits(key.data(), key.size_bytes());
}

std::shared_ptr<const PreparedExpression> PreparedCache::find(std::span<const int64_t> key) {
  const uint64_t hash = hash_of(key);
  for (Generation* generation : {&young_, &old_}) {
    const auto found = generation->find(hash);
    if (found == generation->end()) continue;
    std::shared_ptr<const PreparedExpression> prepared = found->second;
    if (!std::ranges::equal(prepared->key, key)) continue;
    if (generation == &old_) add(hash, prepared);
    return prepared;
  }
  return nullptr;
}

void PreparedCache::Room::clear() {
  expression.clear();
  leaves.clear();
  bindings.inputs.clear();
  bindings.scalars.clear();
  bindings.outputs.clear();
  results.clear();
}

PreparedCache::Lease::Lease(PreparedCache& cache) : cache_(cache), room_(std::move(cache.room_)) {
  if (!room_) room_ = std::make_unique<Room>();
}

PreparedCache::Lease::~Lease() {
  room_->clear();
  cache_.room_ = std::move(room_);
}

void PreparedCache::add(std::shared_ptr<const PreparedExpression> prepared) {
  const uint64_t hash = hash_of(prepared->key);
  add(hash, std::move(prepared));
}

void PreparedCache::add(uint64_t hash, std::shared_ptr<const PreparedExpression> prepared) {
  if (young_.size() >= kMostOfGeneration) {
    old_ = std::move(young_);
    young_.clear();
  }
  young_.insert_or_assign(hash, std::move(prepared));
}

}  // namespace gpy::rt
