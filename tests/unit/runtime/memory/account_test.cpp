#include "runtime/memory/account.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <thread>
#include <vector>

#include "runtime/cpu/cpu_backend.h"
#include "runtime/graph/loan.h"
#include "runtime/ops/create.h"
#include "runtime/session.h"

namespace gpy::rt {

namespace {

// Refuses charges beyond a limit, and counts how often it was asked.
struct Owner {
  size_t limit = SIZE_MAX;
  int asked = 0;
  MemoryAccount* account = MemoryAccount::open(
      [](void* owner, size_t bytes) { static_cast<Owner*>(owner)->check(bytes); }, this);
  ~Owner() { account->close(); }
  void check(size_t bytes) {
    ++asked;
    if (bytes > limit || account->used() > limit - bytes) throw std::runtime_error("too much");
  }
};

}  // namespace

TEST_CASE("a charge counts as long as it lives, where the thread has an account") {
  Owner owner;
  const Charge nobodys(1000);
  {
    const AccountScope scope(owner.account);
    Charge first(100), none(0);
    CHECK(owner.account->used() == 100);
    Charge second = std::move(first);
    second.add(50);
    CHECK(owner.account->used() == 150);
    second = Charge(1);
    CHECK(owner.account->used() == 1);
    const AccountScope nobody(nullptr);
    const Charge third(100);
    CHECK(owner.account->used() == 1);
  }
  CHECK(owner.account->used() == 0);
}

TEST_CASE("an account is asked before large blocks, and once for many small ones") {
  Owner owner;
  owner.limit = 1 << 20;
  const AccountScope scope(owner.account);
  std::vector<Charge> small;
  for (int i = 0; i < 1024; ++i) small.emplace_back(64);
  CHECK(owner.asked == 1);
  CHECK_THROWS_AS(Charge(1 << 20), std::runtime_error);
  CHECK(owner.account->used() == 64 * 1024);
}

TEST_CASE("what is charged may outlive the owner, and go on another thread") {
  auto owner = std::make_unique<Owner>();
  Charge last;
  {
    const AccountScope scope(owner->account);
    last = Charge(1000);
  }
  owner.reset();
  std::thread([kept = std::move(last)] {}).join();
}

TEST_CASE("arrays are charged to the account that they were made under, lent memory is not") {
  Owner owner;
  Session session(std::make_shared<Runtime>(DeviceChoice::parse("cpu")));
  Array kept;
  {
    const AccountScope scope(owner.account);
    kept = empty(session, {1000}, DType::kFloat64, Space::host());
    CHECK(owner.account->used() >= 8000);
    CHECK(owner.account->used() < 9000);
    const size_t used = owner.account->used();
    double number = 0;
    const Array lent =
        borrow_host(session, {DType::kFloat64, {1}, {8}, 0}, &number, 8, true, [] {});
    CHECK(owner.account->used() == used);
    owner.limit = 1 << 20;
    CHECK_THROWS_AS(empty(session, {1 << 20}, DType::kFloat64, Space::host()), std::runtime_error);
    CHECK(owner.account->used() == used);
  }
  kept = {};
  CHECK(owner.account->used() == 0);
}

}  // namespace gpy::rt
