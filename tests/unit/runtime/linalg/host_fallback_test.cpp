// Linear algebra by way of the host gives the host's own results, and changes nothing else.

#include "runtime/linalg/host_fallback.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "runtime/cpu/cpu_backend.h"

namespace gpy::rt {

namespace {

using Numbers = std::vector<double>;

Numbers numbers(size_t count) {
  Numbers out(count);
  for (size_t i = 0; i < count; ++i) out[i] = std::sin(static_cast<double>(i * i + 1));
  return out;
}

// Two backends: one stands for a device.
struct Ways {
  std::unique_ptr<Backend> device = make_cpu_backend({}), host = make_cpu_backend({});
  std::unique_ptr<Linalg> by_host = make_host_fallback(*device, *host);

  // Compares the results of `work` on copies of the same numbers, by both ways.
  template <class Work> void compare(size_t count, Work work) {
    Numbers here = numbers(count), there = here;
    const std::vector<int> info = work(host->linalg(), here), other = work(*by_host, there);
    CHECK(here == there);
    CHECK(info == other);
  }
};

}  // namespace

TEST_CASE("products of strided stacks by way of the host") {
  Ways ways;
  ways.compare(200, [](Linalg& linalg, Numbers& all) {
    // A transposed stack, one matrix for all, and a result with gaps.
    const MatrixView a{&all[3], 3, 4, 1, 5}, b{&all[60], 4, 2, 2, 1}, c{&all[100], 3, 2, 7, 1};
    linalg.gemm(DType::kFloat64, a, b, c, 2, 20, 0, 30);
    linalg.dot(DType::kFloat64, 5, &all[0], 2, &all[50], -3, false, &all[199]);
    return std::vector<int>();
  });
}

TEST_CASE("factorisations by way of the host") {
  Ways ways;
  std::string why;
  if (!ways.by_host->available(LinalgPart::kFactorisations, &why)) {
    MESSAGE("left out: " << why);
    return;
  }
  ways.compare(2 * 9 + 2 * 6, [](Linalg& linalg, Numbers& all) {
    std::vector<int> info(2);
    linalg.solve(DType::kFloat64, 3, 2, &all[0], &all[18], 2, info.data());
    std::fill(all.begin(), all.begin() + 18, 0.0);  // the rest of a is unspecified
    return info;
  });
  ways.compare(2 * 9, [](Linalg& linalg, Numbers& all) {
    std::vector<int> info(8);
    linalg.lu(DType::kFloat64, 3, &all[0], &info[2], 2, info.data());
    return info;
  });
  ways.compare(9, [](Linalg& linalg, Numbers& all) {
    for (int i = 0; i < 3; ++i) all[static_cast<size_t>(4 * i)] += 5;
    std::vector<int> info(1);
    linalg.cholesky(DType::kFloat64, 3, true, &all[0], 1, info.data());
    return info;
  });
  ways.compare(25 + 15, [](Linalg& linalg, Numbers& all) {
    linalg.qr(DType::kFloat64, 5, 3, 5, &all[0], &all[25], 1);
    return std::vector<int>();
  });
  for (const bool full : {false, true}) {
    ways.compare(15 + 3 + 25 + 9, [full](Linalg& linalg, Numbers& all) {
      std::vector<int> info(1);
      linalg.svd(DType::kFloat64, 5, 3, full, &all[0], &all[15], &all[18], &all[43], 1,
                 info.data());
      std::fill(all.begin(), all.begin() + 15, 0.0);
      return info;
    });
  }
}

}  // namespace gpy::rt
