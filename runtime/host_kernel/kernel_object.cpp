#include "runtime/host_kernel/kernel_object.h"

#include <cpuid.h>
#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "runtime/core/error.h"
#include "runtime/core/interrupt.h"
#include "runtime/host_kernel/child_launches.h"
#include "runtime/host_kernel/exports_text.h"
#include "runtime/host_kernel/guarded_run.h"
#include "runtime/host_kernel/host_shim.h"
#include "runtime/host_kernel/launch_watch.h"
#include "runtime/kernel/line_directives.h"

namespace gpy::rt {
namespace {

// The table that the shim declares as _gpy_host.
struct HostTable {
  void (*poll)();
  unsigned long long registers;
  void (*end)(int how, const void* at, const char* what);
  void (*threw)(const void* at, const char* what);
  void (*found)(const Finding* finding);
  void (*touched)(const Touch* touch);
  void (*came)(const BlockEvent* event);
  void (*declared)(const SharedArray* array);
  void (*launched)(const ChildLaunch* launch);
};

// The bytes that xsave writes for the register sets that the system has turned on.
unsigned long long register_bytes() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  __get_cpuid_count(0xd, 0, &a, &b, &c, &d);
  return b + 64;  // room to align it
}

template <class F> F symbol(void* handle, const char* name) {
  return reinterpret_cast<F>(dlsym(handle, name));
}

}  // namespace

KernelObject::KernelObject(const std::string& path, std::vector<std::string> files)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)), files_(std::move(files)) {
  if (!handle_) fail(ErrorKind::kOs, "a compiled kernel cannot be loaded: {}", dlerror());
  static const HostTable table = {poll_in_kernel, register_bytes(), end_in_kernel,
                                  note_uncaught,  note_finding,     note_touch,
                                  note_event,     note_shared,      launch_in_kernel};
  stop_ = symbol<uint64_t* (*)(const HostTable*)>(handle_, "_gpy_connect")(&table);
  initialiser_ = symbol<Launcher>(handle_, "_gpy_initialise");
  globals_ = symbol<ExceptionGlobals* (*)()>(handle_, "__cxa_get_globals");
  lines_ = symbol<const LineEntry*>(handle_, "_gpy_lines");
  lines_end_ = symbol<const LineEntry*>(handle_, "_gpy_lines_end");
  if (const auto* shift = symbol<const unsigned*>(handle_, "_gpy_stack_shift"))
    stack_shift_ = *shift;
  find_code();
}

KernelObject::~KernelObject() { dlclose(handle_); }

Launcher KernelObject::launcher(const std::string& kernel) const {
  return symbol<Launcher>(handle_, ("_gpy_launch_" + kernel_symbol(kernel)).c_str());
}

std::optional<GlobalVariable> KernelObject::variable(const std::string& name) const {
  using Find = void* (*)(unsigned long long* bytes);
  const auto find = symbol<Find>(handle_, variable_symbol(name).c_str());
  if (!find) return std::nullopt;
  unsigned long long bytes = 0;
  void* const address = find(&bytes);
  return GlobalVariable{address, static_cast<size_t>(bytes)};
}

ThreadsRun KernelObject::threads_of(const std::string& name) const {
  const std::string kernel = kernel_symbol(name);
  const auto has = [&](const std::string& each) { return dlsym(handle_, each.c_str()) != nullptr; };
  if (stack_shift_ == 0 || has("_gpy_alone_" + kernel)) return ThreadsRun::kInTurn;
  const bool waits = has("_gpy_syncs_grid") && has("_gpy_names_grid_" + kernel);
  return waits ? ThreadsRun::kAllBlocks : ThreadsRun::kAsFibers;
}

void KernelObject::initialise(const std::function<void()>& run) {
  if (initialised_.load(std::memory_order_acquire)) return;
  std::unique_lock lock(initialising_, std::defer_lock);
  while (!lock.try_lock()) {
    poll_interrupt();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (!initialised_) run();
  initialised_.store(true, std::memory_order_release);
}

void KernelObject::find_code() {
  link_map* map = nullptr;
  dlinfo(handle_, RTLD_DI_LINKMAP, &map);
  struct Search {
    KernelObject& object;
    ElfW(Addr) base;
  } search{*this, map->l_addr};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        Search& wanted = *static_cast<Search*>(data);
        if (info->dlpi_addr != wanted.base) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& part = info->dlpi_phdr[i];
          if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
          const auto* begin = reinterpret_cast<const char*>(wanted.base + part.p_vaddr);
          wanted.object.begin_ = begin;
          wanted.object.end_ = begin + part.p_memsz;
        }
        return 1;
      },
      &search);
}

bool KernelObject::is_users(const LineEntry& entry) const {
  if (entry.file < 0) return false;
  const std::string& file = files_[entry.file];
  return file != kCalledFile && file != kSupportFile && file != kRowsFile;
}

std::vector<KernelObject::Mark> KernelObject::sorted_marks() const {
  std::vector<Mark> marks;
  for (const LineEntry* entry = lines_; entry != lines_end_; ++entry) {
    marks.push_back({reinterpret_cast<const char*>(entry) + entry->address, entry});
  }
  // Compilers put a function's first line before its start or behind it.
  std::ranges::stable_sort(marks, {}, [](const Mark& mark) {
    return std::pair(mark.address, mark.entry->file != kFunctionStart);
  });
  return marks;
}

SourceLine KernelObject::first_line(std::span<const Mark> marks) const {
  int functions = 0;
  bool counted = false;
  SourceLine first;
  for (const Mark& mark : marks) {
    if (mark.entry->file == kFunctionStart) counted = false;
    if (!is_users(*mark.entry)) continue;
    if (!std::exchange(counted, true)) ++functions;
    // A script's line is preferred to one of the text that its kernel was made into.
    if (first.file.empty() || first.file.starts_with('<')) {
      first = {files_[mark.entry->file], mark.entry->line, false};
    }
  }
  return functions == 1 ? first : SourceLine{};
}

SourceLine KernelObject::line_of(const void* address) const {
  const std::vector<Mark> marks = sorted_marks();
  const auto after =
      std::ranges::upper_bound(marks, static_cast<const char*>(address), {}, &Mark::address);
  for (auto at = after; at != marks.begin();) {
    const LineEntry& entry = *(--at)->entry;
    const bool exact = at + 1 == after;
    const bool is_called = entry.file >= 0 && files_[entry.file] == kCalledFile;
    if (is_users(entry) || (exact && is_called)) return {files_[entry.file], entry.line, exact};
    if (entry.file == kFunctionStart) break;
  }
  // Compilers also move loop-invariant code to a function's first instructions.
  for (auto at = after; at != marks.end() && at->entry->file != kFunctionStart; ++at) {
    if (is_users(*at->entry)) return {files_[at->entry->file], at->entry->line, false};
  }
  return first_line(marks);
}

}  // namespace gpy::rt
