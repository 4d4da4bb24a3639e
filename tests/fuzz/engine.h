#pragma once

#include <map>

#include "runtime/session.h"
#include "trace.h"

namespace gpy::fuzz {

// Plays a trace to the runtime, in one of its spaces.
class Engine final : public Machine {
 public:
  Engine(std::shared_ptr<rt::Runtime> runtime, bool lazy, rt::Space space);

  bool run(const Statement& statement) override;
  Content content(int variable) override;
  rt::Session& session() { return session_; }

 private:
  rt::Operand operand(const Statement& s) const;

  rt::Session session_;
  rt::Space space_;
  std::map<int, rt::Array> variables_;
};

}  // namespace gpy::fuzz
