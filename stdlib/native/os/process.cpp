// os: this process and its machine.
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstring>

#include "src/typed_native.h"
#include "stdlib/native/os/os.h"
#include "stdlib/native/system_bytes.h"

namespace gpy::lib {

template <auto call> static Value number(Interpreter&) {
  return Value::integer(static_cast<int64_t>(call()));
}

static Value cpu_count(Interpreter&) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? Value::integer(count) : Value::none();
}

static Value sched_getaffinity(Interpreter& vm, int64_t process) {
  cpu_set_t cpus;
  if (::sched_getaffinity(static_cast<pid_t>(process), sizeof cpus, &cpus) < 0) {
    raise_os_error(vm, errno);
  }
  Ref<Set> set = vm.set();
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(static_cast<size_t>(i), &cpus)) set->add(vm, Value::integer(i));
  }
  return set;
}

static Value urandom(Interpreter& vm, int64_t size) {
  if (size < 0) vm.raise_value_error("negative argument not allowed");
  return vm.bytes(system_bytes(vm, static_cast<size_t>(size)));
}

static Value strerror(Interpreter& vm, int64_t code) {
  return text_from_system(vm, std::strerror(static_cast<int>(code)));
}

static Value isatty(Interpreter&, int64_t file) {
  return Value::boolean(::isatty(static_cast<int>(file)) == 1);
}

static Value umask(Interpreter&, int64_t mask) {
  return Value::integer(::umask(static_cast<mode_t>(mask)));
}

static Value getloadavg(Interpreter& vm) {
  double loads[3];
  if (::getloadavg(loads, 3) != 3) vm.raise_os_error("Load averages are unobtainable");
  return vm.tuple({Value::real(loads[0]), Value::real(loads[1]), Value::real(loads[2])});
}

static Value uname(Interpreter& vm, const Args& call) {
  utsname names;
  ::uname(&names);
  auto text = [&](const char* name) { return text_from_system(vm, name); };
  return make_record(vm, static_cast<Type*>(call.callee().context),
                     {text(names.sysname), text(names.nodename), text(names.release),
                      text(names.version), text(names.machine)});
}

static Value get_terminal_size(Interpreter& vm, const Args& call, int64_t file) {
  winsize size;
  if (ioctl(static_cast<int>(file), TIOCGWINSZ, &size) < 0) raise_os_error(vm, errno);
  return make_record(vm, static_cast<Type*>(call.callee().context),
                     {Value::integer(size.ws_col), Value::integer(size.ws_row)});
}

static const Native kRows[] = {
    {"cpu_count", "()", typed<cpu_count>, "How many processors there are."},
    {"getegid", "()", typed<number<::getegid>>, "The group that this program acts as."},
    {"geteuid", "()", typed<number<::geteuid>>, "The user that this program acts as."},
    {"getgid", "()", typed<number<::getgid>>, "The group of this program."},
    {"getloadavg", "()", typed<getloadavg>, "How busy the machine was in 1, 5 and 15 minutes."},
    {"getpid", "()", typed<number<::getpid>>, "The number of this process."},
    {"getppid", "()", typed<number<::getppid>>, "The number of the process that started this one."},
    {"getuid", "()", typed<number<::getuid>>, "The user of this program."},
    {"isatty", "(fd, /)", typed<isatty>, "Whether a file is a terminal."},
    {"sched_getaffinity", "(pid, /)", typed<sched_getaffinity>, "The processors that may be used."},
    {"strerror", "(code, /)", typed<strerror>, "What an error number means."},
    {"umask", "(mask, /)", typed<umask>, "Sets what new files may not be; gives the old mask."},
    {"urandom", "(size, /)", typed<urandom>, "Random bytes of the operating system."},
};
static const Native kUname = {"uname", "()", typed<uname>, "The names of the system."};
static const Native kTerminalSize = {"get_terminal_size", "(fd=1, /)", typed<get_terminal_size>,
                                     "Columns and lines of a terminal."};

void add_process(Interpreter& vm, Module& module) {
  module.rows.push_back(kRows);
  Type* names =
      make_record_type(vm, {.name = "uname_result",
                            .module = "posix",
                            .fields = {"sysname", "nodename", "release", "version", "machine"}});
  Type* size = make_record_type(
      vm, {.name = "terminal_size", .module = "os", .fields = {"columns", "lines"}});
  module.set(vm, "uname", vm.function(kUname, "os", names));
  module.set(vm, "uname_result", Value(names));
  module.set(vm, "get_terminal_size", vm.function(kTerminalSize, "os", size));
  module.set(vm, "terminal_size", Value(size));
  module.set(vm, "F_OK", Value::integer(F_OK));
  module.set(vm, "R_OK", Value::integer(R_OK));
  module.set(vm, "W_OK", Value::integer(W_OK));
  module.set(vm, "X_OK", Value::integer(X_OK));
}

}  // namespace gpy::lib
