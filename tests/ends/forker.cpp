// A host that uses a GPU, forks, and tries in the child what can be tried.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>

#include <gpy.hpp>

using namespace gpy::host;

static void tell(const char* what, const std::function<std::string()>& work) {
  std::string text;
  try {
    text = work();
  } catch (const Error& error) {
    text = error.type() + ": " + error.message();
  }
  std::printf("%s: %s\n", what, text.c_str());
  std::fflush(stdout);
}

static std::string use(Interpreter& gpy) {
  gpy.run("b = a * 2 + 1; gp.eval(b)");
  return "ok";
}

int main() {
  auto gpy = std::make_unique<Interpreter>(Options{.device = "cuda"});
  gpy->run("a = gp.arange(1000) * 3; gp.eval(a); pending = a + 1");
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    tell("inherited", [&] { return use(*gpy); });
    tell("new", [] {
      Interpreter other({.device = "cuda"});
      return other.evaluate("gp.ones(3).sum()").to_text();
    });
    tell("any", [] {
      Interpreter other({.device = ""});
      return other.evaluate("int(gp.ones(3).sum())").to_text();
    });
    gpy.reset();
    std::puts("closed");
    return 0;
  }
  int status = 1;
  waitpid(child, &status, 0);
  tell("parent", [&] { return use(*gpy); });
  return status;
}
