#pragma once

// Plans that have run, kept by their keys: an expression that is made again, as loops of a script
// do, only puts its arrays and numbers into one.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/backend.h"
#include "runtime/graph/expression.h"

namespace gpy::rt {

struct PreparedExpression {
  std::vector<int64_t> key;
  Plan plan;
  std::unique_ptr<PreparedPlan> run;  // refers to the plan
  std::vector<int> inputs;            // the leaf of each input; -1: counted
  std::vector<int> makers;            // the node that each op is of; -1: none
  std::vector<int> stored;            // the nodes whose results are the outputs
  int nodes_fused = 0;
};

// Makes the plan of an expression and prepares its run. Reads the graph and changes nothing.
std::shared_ptr<const PreparedExpression> prepare(Backend& backend, const Expression& expression);

// The cache of one session. The least recently used expressions go.
class PreparedCache {
 public:
  // Null where there is none yet.
  std::shared_ptr<const PreparedExpression> find(std::span<const int64_t> key);
  void add(std::shared_ptr<const PreparedExpression> prepared);

  // The working memory of a run, kept with its capacity for the next one.
  struct Room {
    Expression expression;
    std::vector<const std::byte*> leaves;  // element 0 of each of the expression's
    Bindings bindings;
    RunReport report;
    std::vector<std::pair<Ref<Value>, Ref<Buffer>>> results;
    void clear();
  };
  // A room for one run: nested runs have one each.
  class Lease {
   public:
    explicit Lease(PreparedCache& cache);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Room* operator->() const { return room_.get(); }

   private:
    PreparedCache& cache_;
    std::unique_ptr<Room> room_;
  };

 private:
  using Generation = std::unordered_map<uint64_t, std::shared_ptr<const PreparedExpression>>;
  static constexpr size_t kMostOfGeneration = 256;

  void add(uint64_t hash, std::shared_ptr<const PreparedExpression> prepared);

  Generation young_, old_;
  std::unique_ptr<Room> room_;  // null while a run has it
};

}  // namespace gpy::rt
