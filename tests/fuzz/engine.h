#pragma once

#include <list>
#include <map>
#include <vector>

#include "runtime/graph/loan.h"
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
  // Memory that a host lends: its loan ends before it is freed.
  struct Lent {
    std::vector<std::byte> memory;
    std::unique_ptr<rt::Loan> loan;
  };

  rt::Operand operand(const Statement& s) const;
  rt::Array apply(const Statement& s, const std::vector<rt::Operand>& inputs);
  bool gather(const Statement& s);
  rt::Array lend(const Statement& s);
  void host_write(const Statement& s);
  void end_loan(const Statement& s);
  Lent& lent(int variable);

  rt::Session session_;
  rt::Space space_;
  std::list<Lent> lent_;
  std::map<int, rt::Array> variables_;
};

}  // namespace gpy::fuzz
