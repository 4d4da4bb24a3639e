// Memory of a host: arrays write to it, and it can be taken back at any time.
#include "runtime/graph/loan.h"

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/graph/evaluate.h"
#include "runtime/graph/read_access.h"
#include "runtime/graph/write.h"
#include "runtime/ops/create.h"
#include "runtime/ops/elementwise.h"

namespace gpy::rt {
namespace {

constexpr DeviceChoice kCpu{DeviceChoice::Kind::kCpu, 0};

struct Lent {
  explicit Lent(int64_t count) : memory(count) {
    std::iota(memory.begin(), memory.end(), 0.0);
    loan =
        std::make_unique<Loan>(session, DType::kFloat64, Dims{count}, Dims{8}, memory.data(), true);
  }
  Session session{std::make_shared<Runtime>(kCpu)};
  std::vector<double> memory;
  std::unique_ptr<Loan> loan;
};

double first_of(const HostRead& read) { return *reinterpret_cast<const double*>(read.data()); }

}  // namespace

TEST_CASE("a write into lent memory reaches it while somebody reads the old content") {
  Lent lent(3);
  const Array array = lent.loan->array();
  const HostRead before(lent.session, array);
  write(lent.session, array, Scalar::of(DType::kFloat64, 9.0));
  CHECK(lent.memory == std::vector<double>{9, 9, 9});
  CHECK(first_of(before) == 0);
  CHECK(first_of(HostRead(lent.session, array)) == 9);
}

TEST_CASE("an array made of a lent one in another space has memory of its own") {
  Lent lent(3);
  const Array moved = to_space(lent.session, lent.loan->array(), Space::automatic());
  evaluate(lent.session, *moved.value());
  write(lent.session, lent.loan->array(), Scalar::of(DType::kFloat64, 9.0));
  CHECK(lent.memory == std::vector<double>{9, 9, 9});
  lent.loan = nullptr;
  lent.memory = {7, 7, 7};
  CHECK(first_of(HostRead(lent.session, moved)) == 0);
}

TEST_CASE(
    "detached memory may be written: what is pending keeps the old content, again and again") {
  Lent lent(5000);
  for (int turn = 0; turn < 3; ++turn) {
    lent.memory[0] = turn;
    const Array sum = ops::add(lent.session, lent.loan->array(), Scalar::of(DType::kFloat64, 1.0));
    lent.loan->detach();
    lent.memory[0] = 50;
    CHECK(first_of(HostRead(lent.session, sum)) == turn + 1);
    lent.loan->settle();
  }
}

TEST_CASE("a loan ends where there is no memory for a copy: reading the content is the error") {
  Lent lent(5000);  // more than is computed at once
  const Array array = lent.loan->array();
  const Array sum = ops::add(lent.session, array, Scalar::of(DType::kFloat64, 1.0));
  Backend& host = lent.session.backend(kHostPlace);
  host.set_memory_limit(1);
  CHECK_THROWS_AS(lent.loan->end(), Error);  // the loan goes on
  CHECK(lent.loan->array());
  lent.loan = nullptr;
  host.set_memory_limit(0);
  lent.memory = {};
  for (const Array& each : {array, sum}) {
    try {
      HostRead(lent.session, each);
      FAIL("the memory is gone");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::kMemory);
      CHECK(error.message() == "Unable to allocate 40000 bytes to keep what was in lent memory");
    }
  }
  write(lent.session, array, Scalar::of(DType::kFloat64, 5.0));
  CHECK(first_of(HostRead(lent.session, array)) == 5);
}

}  // namespace gpy::rt
