#include "runtime/host_kernel/host_compiler.h"

#include <cpuid.h>
#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/notes.h"
#include "runtime/core/open_files.h"
#include "runtime/host_kernel/assembly.h"
#include "runtime/host_kernel/block_stacks.h"
#include "runtime/host_kernel/host_function.h"
#include "runtime/host_kernel/kernel_object.h"
#include "runtime/host_kernel/meeting_kernels.h"
#include "runtime/host_kernel/shared_memory.h"
#include "runtime/host_kernel/system_compiler.h"
#include "runtime/host_kernel/user_source.h"
#include "runtime/kernel/work_folder.h"
#include "runtime/kernel/disk_cache.h"
#include "runtime/kernel/fixed_text.h"
#include "runtime/kernel/line_directives.h"
#include "runtime/kernel/module_cache.h"

namespace gpy::rt {
namespace {

// The processor as -march=native sees it. Other bits of these words tell which core one is on.
std::string processor_identity() {
  std::string text;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d)) text += fmt::format("{:x} {:x} {:x} ", a, c, d);
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) text += fmt::format("{:x} {:x} {:x} ", b, c, d);
  if (__get_cpuid_count(7, 1, &a, &b, &c, &d)) text += fmt::format("{:x} ", a);
  if (__get_cpuid_count(0xd, 0, &a, &b, &c, &d)) text += fmt::format("{:x} ", a);
  if (__get_cpuid(0x80000001, &a, &b, &c, &d)) text += fmt::format("{:x} {:x}", c, d);
  return text;
}

// NVRTC's options for arithmetic as those of a C++ compiler.
std::string arithmetic_option(std::string_view option) {
  while (option.starts_with("-")) option.remove_prefix(1);
  if (option == "fmad=false") return "-ffp-contract=off";
  return option == "use_fast_math" ? "-ffast-math" : "";
}

// The NVRTC options that a C++ compiler has as well.
std::vector<std::string> common_options(std::span<const std::string> options) {
  std::vector<std::string> out;
  for (size_t i = 0; i < options.size(); ++i) {
    const std::string& option = options[i];
    if (std::string same = arithmetic_option(option); !same.empty()) out.push_back(std::move(same));
    if (!option.starts_with("-D") && !option.starts_with("-I")) continue;
    const bool in_two = option.size() == 2 && i + 1 < options.size();
    out.push_back(in_two ? option + options[++i] : option);
    if (out.back().size() == 2) fail(ErrorKind::kValue, "option '{}' needs a value", option);
  }
  return out;
}

// The options that go to the compiler: macros are in the text.
std::vector<std::string> folders_of(std::vector<std::string> options) {
  std::erase_if(options, [](const std::string& option) { return option.starts_with("-D"); });
  return options;
}

class HostModule final : public SharedModule {
 public:
  HostModule(std::shared_ptr<KernelObject> object, HostThreads& threads, std::string name)
      : object_(std::move(object)), threads_(threads), name_(std::move(name)) {}

  std::shared_ptr<UserFunction> function(const std::string& name) override {
    const Launcher launcher = object_->launcher(name);
    if (!launcher) fail(ErrorKind::kValue, "the module has no kernel named '{}'", name);
    const bool generated = name.starts_with(kGeneratedEntry);
    return make_host_function(object_, launcher, threads_, generated ? name_ : name,
                              object_->threads_of(name));
  }

  std::optional<GlobalVariable> global(const std::string& name) override {
    is_lent_ = true;
    return object_->variable(name);
  }

  bool is_used() override { return is_lent_ || object_.use_count() > 1; }

 private:
  std::shared_ptr<KernelObject> object_;
  HostThreads& threads_;
  std::string name_;
  std::atomic<bool> is_lent_{false};  // a script may have the address of a variable
};

// One text of one kernel, on its way to an object.
struct Job {
  const std::string& name;
  std::vector<std::string> options;
  std::string text;
  bool keep;  // files that it includes may change between two runs
  unsigned stack_shift;
  bool checked;
  bool own_names_only;
};

class HostCompiler final : public UserKernels {
 public:
  HostCompiler(ThreadPool& threads, Counters& counters, std::string cache_folder)
      : threads_{threads, {}, {}}, counters_(counters), cache_(std::move(cache_folder), "cpu") {}

  std::shared_ptr<UserModule> compile(const std::string& source, const std::string& name,
                                      std::span<const std::string> options,
                                      std::span<const std::string> instances) override {
    const NotesHeld notes;
    const auto entry = modules_.entry(key_of(source, name, options, instances));
    const std::lock_guard lock(entry->compiling);
    if (!entry->module) {
      UserSource read = read_source(source, name, common_options(options));
      if (read.own_names_only) read.options.push_back("-fno-exceptions");
      read.instances.assign(instances.begin(), instances.end());
      entry->module =
          std::make_shared<HostModule>(build(read, name, folders_of(read.options)), threads_, name);
    }
    return entry->module;
  }

  std::shared_ptr<UserModule> load(const std::string&, const std::string& name) override {
    fail(ErrorKind::kNotImplemented,
         "{} holds a GPU's code, which the CPU cannot run: give the CUDA source", name);
  }

 private:
  static std::string key_of(const std::string& source, const std::string& name,
                            std::span<const std::string> options,
                            std::span<const std::string> instances) {
    std::string key = name + '\0' + source;
    for (const std::string& option : options) key += '\0' + option;
    for (const std::string& instance : instances) key += '\1' + instance;
    return key;
  }

  // An included file may hold what meets: that is seen when it does not compile.
  std::shared_ptr<KernelObject> build(const UserSource& source, const std::string& name,
                                      const std::vector<std::string>& options) {
    const WorkFolder folder;
    const Work work{source, name, options, find_compiler(name, folder), folder};
    if (source.meets) return build_fibers(work);
    if (!source.includes) return build(job_of(work, 0, false), work);
    try {
      return build(job_of(work, 0, false), work);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kCompile) throw;
    }
    return build_fibers(work);
  }

  struct Work {
    const UserSource& source;
    const std::string& name;
    const std::vector<std::string>& options;
    std::string compiler;
    const WorkFolder& folder;
  };

  std::string find_compiler(const std::string& name, const WorkFolder& folder) {
    const std::string compiler = compiler_.identity(folder);
    if (!compiler.empty()) return compiler;
    require_room_for_file("c++");
    fail(ErrorKind::kNotImplemented,
         "kernel '{}' needs a C++ compiler to run on the CPU, and none was found: install g++, or "
         "name one in CXX",
         name);
  }

  static Job job_of(const Work& work, unsigned stack_shift, bool in_loops) {
    return {work.name,
            work.options,
            work.source.whole_text(stack_shift, in_loops),
            is_fixed_text(work.source.own),
            stack_shift,
            work.source.checked,
            work.source.own_names_only};
  }

  // Where the loops over threads do not compile, fibers run all kernels of the text.
  std::shared_ptr<KernelObject> build_fibers(const Work& work) {
    const FiberJobs plain(work, false);
    if (!work.source.has_loops()) return build_fibers(plain, work);
    const FiberJobs looped(work, true);
    if (auto object = try_either(looped, work)) return object;
    if (auto object = try_either(plain, work)) return object;
    try {
      return build_fibers(looped, work);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kCompile) throw;
    }
    return build_fibers(plain, work);
  }

  struct FiberJobs {
    FiberJobs(const Work& work, bool in_loops)
        : small(job_of(work, kStackShift, in_loops)),
          large(job_of(work, kLargeStackShift, in_loops)) {}
    Job small, large;
  };

  // Large stacks are taken where the compiler says that they are needed, and only there: memory
  // that they have used is given back after each launch.
  std::shared_ptr<KernelObject> build_fibers(const FiberJobs& jobs, const Work& work) {
    if (auto object = try_either(jobs, work)) return object;
    const CompileTurn turn = turn_of(jobs.small, work);
    if (auto object = try_either(jobs, work)) return object;
    const std::string assembly = to_assembly(jobs.small, work.folder);
    if (SystemCompiler::stack_bytes(work.folder) <= kSmallStackBytes)
      return finish(jobs.small, work, assembly);
    return finish(jobs.large, work, to_assembly(jobs.large, work.folder));
  }

  std::shared_ptr<KernelObject> try_either(const FiberJobs& jobs, const Work& work) {
    auto object = try_kept(jobs.small, work);
    return object ? object : try_kept(jobs.large, work);
  }

  // Other processes that want the same object wait until this one has stored it.
  CompileTurn turn_of(const Job& job, const Work& work) {
    if (!job.keep) return {};
    return cache_.turn(identity_of(job, work.compiler));
  }

  std::shared_ptr<KernelObject> build(const Job& job, const Work& work) {
    if (auto object = try_kept(job, work)) return object;
    const CompileTurn turn = turn_of(job, work);
    if (auto object = try_kept(job, work)) return object;
    return finish(job, work, to_assembly(job, work.folder));
  }

  std::string to_assembly(const Job& job, const WorkFolder& folder) {
    std::vector<std::string> options = job.options;
    if (job.stack_shift != 0) options.push_back("-fstack-usage");
    if (job.checked) compiler_.add_watching(options);
    return compiler_.to_assembly(folder, job.text, job.name, options);
  }

  std::shared_ptr<KernelObject> finish(const Job& job, const Work& work,
                                       const std::string& assembly) {
    const bool is_final = make_object(job, work.folder, assembly);
    ++counters_.kernels_compiled;
    if (job.keep && is_final)
      cache_.store(identity_of(job, work.compiler), read_file(work.folder / "kernel.so"));
    return open(job, work.folder);
  }

  std::string identity_of(const Job& job, const std::string& compiler) const {
    // Raised whenever the steps of assembly.h or to_object change their result for the same text.
    constexpr int kFormat = 11;
    std::string text = fmt::format("cpu {}\n{}\n{}\n", kFormat, compiler, processor_identity());
    for (const std::string& flag : compiler_.flags()) text += flag + '\n';
    for (const std::string& option : job.options) text += option + '\n';
    return text + job.text;
  }

  // Each process, and each compiler in it, has an object of its own, and so its kernels' variables.
  std::shared_ptr<KernelObject> try_kept(const Job& job, const Work& work) {
    if (!job.keep) return nullptr;
    const std::string identity = identity_of(job, work.compiler);
    const std::optional<std::string> kept = cache_.load(identity);
    if (!kept) return nullptr;
    write_file(work.folder / "kernel.so", *kept);
    try {
      auto object = open(job, work.folder);
      ++counters_.kernels_loaded;
      return object;
    } catch (const Error&) {
      cache_.discard(identity);
      return nullptr;
    }
  }

  // False where another try might make a better object: the guarded text did not become one,
  // perhaps for want of memory or room on the disk, and the compiler's own text did.
  bool make_object(const Job& job, const WorkFolder& folder, const std::string& compiled) {
    std::string assembly = defer_initialisers(compiled);
    check_shared_bytes(job, assembly);
    if (job.stack_shift != 0)
      assembly = with_lone_kernels(with_shared_in_region(assembly, job.stack_shift));
    const auto guarded = guard_assembly(assembly, line_directive_files(job.text));
    if (guarded && compiler_.to_object(folder, *guarded, job.name, job.own_names_only)) return true;
    if (compiler_.to_object(folder, assembly, job.name, job.own_names_only)) return !guarded;
    fail(ErrorKind::kCompile, "kernel '{}' does not compile:\n{}", job.name,
         compiler_.messages(folder));
  }

  static void check_shared_bytes(const Job& job, const std::string& assembly) {
    const size_t bytes = declared_shared_bytes(assembly);
    if (bytes <= kMostDeclaredBytes) return;
    fail(ErrorKind::kCompile,
         "kernel '{}' does not compile:\nit declares {} bytes of shared memory, and a GPU has {} "
         "for what is declared",
         job.name, bytes, kMostDeclaredBytes);
  }

  static std::shared_ptr<KernelObject> load(const Job& job, const std::string& path) {
    try {
      return std::make_shared<KernelObject>(path, line_directive_files(job.text));
    } catch (const Error& error) {
      const size_t at = error.message().find("undefined symbol");
      if (at == std::string::npos) throw;
      fail(ErrorKind::kCompile, "kernel '{}' does not compile:\n{}", job.name,
           error.message().substr(at));
    }
  }

  static std::shared_ptr<KernelObject> open(const Job& job, const WorkFolder& folder) {
    const auto object = load(job, (folder / "kernel.so").string());
    if (!object->can_stop()) {
      note_warning(
          fmt::format("loops of kernel '{}' cannot be interrupted on the CPU: its assembly "
                      "statements are not understood",
                      job.name));
    }
    return object;
  }

  HostThreads threads_;
  Counters& counters_;
  SystemCompiler compiler_;
  DiskCache cache_;
  ModuleCache modules_;
};

}  // namespace

std::unique_ptr<UserKernels> make_host_compiler(ThreadPool& threads, Counters& counters,
                                                std::string cache_folder) {
  return std::make_unique<HostCompiler>(threads, counters, std::move(cache_folder));
}

}  // namespace gpy::rt
