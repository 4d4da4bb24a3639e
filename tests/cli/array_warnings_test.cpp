// NumPy's own warnings, beside floating-point events: for empty slices, and for slices of nothing
// but nan.

#include <doctest/doctest.h>

#include "tests/cli/process.h"

namespace gpy::test {

namespace {

// The texts of all warnings that an expression makes, a line each.
std::string warnings_of(const std::string& expression) {
  const std::string err =
      run_gpy({"-c", "import numpy as np\nx = " + expression + "\nprint(x)\n"}).err;
  const std::string mark = "RuntimeWarning: ";
  std::string texts;
  for (size_t at = err.find(mark); at != std::string::npos; at = err.find(mark, at + 1)) {
    const size_t start = at + mark.size();
    texts += err.substr(start, err.find('\n', start) - start + 1);
  }
  return texts;
}

}  // namespace

TEST_CASE("slices with too little in them") {
  const std::string empty = "Mean of empty slice\n", few = "Degrees of freedom <= 0 for slice\n";
  CHECK(warnings_of("np.mean(np.zeros((0, 3)), axis=0)") ==
        empty + "invalid value encountered in divide\n");
  CHECK(warnings_of("np.mean([])") == empty + "invalid value encountered in scalar divide\n");
  CHECK(warnings_of("np.std([1, 2], ddof=3)") ==
        few + "divide by zero encountered in scalar divide\n");
  CHECK(warnings_of("np.zeros((3, 0)).mean(axis=0)") == "");
  CHECK(warnings_of("np.var([[1.0], [2]], axis=1, ddof=1)") ==
        few + "invalid value encountered in divide\n");
  CHECK(warnings_of("np.array([[1, 2]]).mean(axis=1, where=[[False, True]])") == "");
}

TEST_CASE("slices of nothing but nan") {
  CHECK(warnings_of("np.nanmax([np.nan, np.nan])") == "All-NaN axis encountered\n");
  CHECK(warnings_of("np.nanmin(np.array([[np.nan], [1]]), axis=1)") ==
        "All-NaN slice encountered\n");
  CHECK(warnings_of("np.nanmax([[np.nan], [1]])") == "");
  CHECK(warnings_of("np.nanmean([np.nan])") == "Mean of empty slice\n");
  CHECK(warnings_of("np.nanstd([np.nan])") == "Degrees of freedom <= 0 for slice.\n");
}

TEST_CASE("events in reductions and scans") {
  CHECK(warnings_of("np.array([1e308, 1e308]).sum()") == "overflow encountered in reduce\n");
  CHECK(warnings_of("np.cumsum([1e308, 1e308])") == "overflow encountered in accumulate\n");
}

}  // namespace gpy::test
