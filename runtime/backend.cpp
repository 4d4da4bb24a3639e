#include "runtime/backend.h"

namespace gpy::rt {

namespace {

class PlainPlan final : public PreparedPlan {
 public:
  PlainPlan(Backend& backend, const Plan& plan) : backend_(backend), plan_(plan) {}
  void run(const Bindings& bindings, RunReport* report) override {
    backend_.run(plan_, bindings, report);
  }

 private:
  Backend& backend_;
  const Plan& plan_;
};

}  // namespace

std::unique_ptr<PreparedPlan> Backend::prepare(const Plan& plan) {
  return std::make_unique<PlainPlan>(*this, plan);
}

}  // namespace gpy::rt
