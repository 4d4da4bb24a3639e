// A host that opens a plugin with gpy in it, uses it on another thread, and closes it again.
//
//   closer PLUGIN keep|close

#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

int main(int, char** arguments) {
  const bool keep = arguments[2] == std::string("keep");
  for (int turn = 0; turn < 3; ++turn) {
    void* plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!plugin) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    const auto use = reinterpret_cast<double (*)(bool)>(dlsym(plugin, "use_gpy"));
    std::thread([&] { std::printf("%.0f\n", use(keep)); }).join();
    dlclose(plugin);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // for threads that remain
  }
  return 7;
}
