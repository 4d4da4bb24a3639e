// A host program: two interpreters, a function of the host, arrays in and out, an error.
#include <gpy.hpp>

#include <cstdio>
#include <vector>

namespace host = gpy::host;

int main() {
  host::Interpreter first, second;

  // Each interpreter has names of its own.
  first.run("scale = 2.0");
  second.run("scale = 100.0");

  // Scripts call the host.
  int calls = 0;
  first.define("count", [&](const std::vector<host::Value>& arguments) {
    calls += static_cast<int>(arguments.at(0).to_int());
    return first.make(calls);
  });
  first.run("for i in range(4): total = count(i)\nprint('total', total)");

  // Lends an array without a copy: the script sees the host's memory.
  std::vector<float> samples = {1, 2, 3, 4, 5, 6};
  host::Loan loan = first.lend_writable({host::DType::float32, {2, 3}, samples.data()});
  first.set("x", loan.value());
  first.run("x[0] *= scale\ny = x.sum(axis=0)");
  std::printf("written by the script: %g %g %g\n", samples[0], samples[1], samples[2]);

  // The loan ends before y is read: pending work that needs the memory gets a copy of it.
  loan.end();
  samples.assign(6, -1.0F);

  // Reads an array.
  const host::OwnedElements sums = first.get("y").to_elements();
  std::printf("sums of columns: %g %g %g\n", sums.as<float>()[0], sums.as<float>()[1],
              sums.as<float>()[2]);

  // Copies an array in and calls a function with it.
  second.run("def scaled(a): return (a * scale).sum()");
  const host::Value copied = second.copy({host::DType::float32, {6}, samples.data()});
  std::printf("scaled by the second: %g\n", second.get("scaled")({copied}).to_double());

  // An error has a type, a message and a place; what() is all of it as text.
  try {
    second.run("import numpy as np\nnp.ones(3) + np.ones(4)", "broken.gpy");
  } catch (const host::Error& error) {
    std::printf("%s at %s:%d\n%s", error.type().c_str(), error.file().c_str(), error.line(),
                error.what());
  }
}
