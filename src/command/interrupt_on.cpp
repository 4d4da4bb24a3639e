#include "src/command/interrupt_on.h"

#include <pthread.h>

#include <atomic>

namespace gpy::command {

static std::atomic<Interpreter*> interrupted_by_user = nullptr;
static pthread_t main_thread;

extern "C" {
// A wait for input must end too, so the main thread, which waits, takes the signal.
static void on_interrupt(int) {
  if (!pthread_equal(pthread_self(), main_thread)) {
    pthread_kill(main_thread, SIGINT);
  } else if (Interpreter* vm = interrupted_by_user.load()) {
    vm->interrupt();
  }
}
}

// The process that started this one may have it ignore Ctrl-C, as a shell does with background
// jobs: then it stays ignored. System calls are not restarted, so that a read that waits for input
// comes back.
InterruptOn::InterruptOn(Interpreter& vm) {
  interrupted_by_user = &vm;
  main_thread = pthread_self();
  sigaction(SIGINT, nullptr, &before_);
  if (before_.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
}

InterruptOn::~InterruptOn() {
  sigaction(SIGINT, &before_, nullptr);
  interrupted_by_user = nullptr;
}

}  // namespace gpy::command
