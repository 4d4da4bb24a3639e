#include "runtime/cuda/cuda_user_kernels.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <vector>

#include "runtime/core/notes.h"
#include "runtime/core/process.h"
#include "runtime/cuda/code_texts.h"
#include "runtime/cuda/libraries.h"
#include "runtime/cuda/linker.h"
#include "runtime/cuda/module.h"
#include "runtime/kernel/checks/check_text.h"
#include "runtime/kernel/checks/finding.h"
#include "runtime/kernel/cuda_source.h"
#include "runtime/kernel/fixed_text.h"
#include "runtime/kernel/line_directives.h"
#include "runtime/kernel/module_cache.h"

namespace gpy::rt::cuda {
namespace {

// A function must ask for more shared memory a block than this many bytes.
constexpr size_t kDefaultSharedBytes = 48 << 10;

class CudaFunction final : public UserFunction {
 public:
  CudaFunction(Context& context, Backend& backend, std::shared_ptr<Module> module,
               std::shared_ptr<const CodeTexts> texts, CUfunction function, std::string name,
               std::string_view source)
      : context_(context),
        backend_(backend),
        module_(std::move(module)),
        texts_(std::move(texts)),
        function_(function),
        name_(std::move(name)),
        files_(line_directive_files(source)) {}

  void launch(const KernelLaunch& launch) override {
    const Context::Scope scope(context_);
    if (launch.shared_bytes > kDefaultSharedBytes) allow_shared(launch.shared_bytes);
    const CUresult code = start(launch);
    const auto [grid, block, shared_bytes, arguments, elements, in_ranges, catches, cooperative,
                checks] = launch;
    if (code == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE) {
      fail(ErrorKind::kValue,
           "{}: the blocks of a cooperative launch run all at once, and the GPU has no room for {} "
           "of them",
           name_, int64_t{grid.x} * grid.y * grid.z);
    }
    if (code == CUDA_ERROR_INVALID_VALUE || code == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) {
      fail(ErrorKind::kValue,
           "{}: the GPU does not take this launch (grid ({}, {}, {}), block ({}, {}, {}), {} bytes "
           "of shared memory): {}",
           name_, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared_bytes,
           context_.driver().error_text(code));
    }
    context_.check(code, "cuLaunchKernel");
    ++backend_.counters.plans_run;
    if (checks) collect(*checks);
  }

  int attribute(FunctionAttribute attribute) override {
    const Context::Scope scope(context_);
    int value = 0;
    const CUresult code = context_.driver().cuFuncGetAttribute(
        &value, static_cast<CUfunction_attribute>(attribute), function_);
    context_.check(code, "cuFuncGetAttribute");
    return value;
  }

  void set_attribute(FunctionAttribute attribute, int value) override {
    const Context::Scope scope(context_);
    const CUresult code = context_.driver().cuFuncSetAttribute(
        function_, static_cast<CUfunction_attribute>(attribute), value);
    if (code == CUDA_ERROR_INVALID_VALUE)
      fail(ErrorKind::kValue, "{}: the GPU does not take {} here", name_, value);
    context_.check(code, "cuFuncSetAttribute");
    const std::lock_guard lock(shared_mutex_);
    if (attribute == FunctionAttribute::kMaxDynamicSharedSizeBytes)
      shared_allowed_ = static_cast<size_t>(value);
  }

  Occupancy occupancy(int threads_a_block, size_t shared_bytes) override {
    const Context::Scope scope(context_);
    Occupancy found;
    context_.check(context_.driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(
                       &found.blocks, function_, threads_a_block, shared_bytes),
                   "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    found.threads = found.blocks * threads_a_block;
    found.most_threads = context_.attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    return found;
  }

  std::string ptx() override { return texts_->ptx(); }
  std::string sass() override { return texts_->sass(); }

 private:
  CUresult start(const KernelLaunch& launch) {
    const auto [grid, block, shared_bytes, arguments, elements, in_ranges, catches, cooperative,
                checks] = launch;
    const auto shared = static_cast<unsigned>(shared_bytes);
    void** const values = const_cast<void**>(arguments.data());
    const Driver& driver = context_.driver();
    if (cooperative) {
      return driver.cuLaunchCooperativeKernel(function_, grid.x, grid.y, grid.z, block.x, block.y,
                                              block.z, shared, context_.stream(), values);
    }
    return driver.cuLaunchKernel(function_, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                 shared, context_.stream(), values, nullptr);
  }

  // Waits for the launch, and takes what it has found.
  void collect(LaunchChecks& checks) {
    const auto variable = module_->try_global(kFindingsVariable);
    if (!variable) return;
    const std::lock_guard lock(findings_mutex_);
    const Driver& driver = context_.driver();
    const auto at = reinterpret_cast<CUdeviceptr>(variable->address);
    auto table = std::make_unique<FindingTable>();
    context_.check(
        driver.cuMemcpyDtoHAsync(table.get(), at, sizeof(FindingTable), context_.stream()),
        "cuMemcpyDtoHAsync");
    context_.synchronize();
    if (table->keys[0] == 0) return;
    for (size_t i = 0; i < kMostFindings && table->keys[i] != 0; ++i) {
      PlacedFinding found;
      static_cast<Finding&>(found) = table->items[i];
      for (const std::string& file : files_) {
        if (file_key(file) == found.file) found.file_name = file;
      }
      checks.keep(std::move(found));
    }
    *table = {};
    context_.check(
        driver.cuMemcpyHtoDAsync(at, table.get(), sizeof(FindingTable), context_.stream()),
        "cuMemcpyHtoDAsync");
    context_.synchronize();
  }

  void allow_shared(size_t bytes) {
    const std::lock_guard lock(shared_mutex_);
    if (bytes <= shared_allowed_) return;
    const CUresult code = context_.driver().cuFuncSetAttribute(
        function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, static_cast<int>(bytes));
    if (code == CUDA_ERROR_INVALID_VALUE) {
      fail(ErrorKind::kValue, "{}: {} bytes of shared memory are more than a block of this GPU has",
           name_, bytes);
    }
    context_.check(code, "cuFuncSetAttribute");
    shared_allowed_ = bytes;
  }

  Context& context_;
  Backend& backend_;
  std::shared_ptr<Module> module_;
  std::shared_ptr<const CodeTexts> texts_;
  CUfunction function_;
  std::string name_;
  std::vector<std::string> files_;  // that its text names
  ForkSafe<std::mutex> findings_mutex_;
  ForkSafe<std::mutex> shared_mutex_;
  size_t shared_allowed_ = 0;  // only grows: a launch of another thread may count on it
};

class CudaModule final : public SharedModule {
 public:
  CudaModule(Context& context, Compiler& compiler, Backend& backend, UserText text)
      : context_(context),
        compiler_(compiler),
        backend_(backend),
        text_(std::move(text)),
        module_(std::make_shared<Module>(context, compiler, text_.unit(text_.instances))),
        texts_(std::make_shared<const CodeTexts>(compiler, text_)) {}
  // Of code that the driver takes as it is.
  CudaModule(Context& context, Compiler& compiler, Backend& backend, std::string name,
             const std::string& code)
      : context_(context),
        compiler_(compiler),
        backend_(backend),
        text_{"", std::move(name), {}, {}},
        module_(std::make_shared<Module>(context, text_.name, code)),
        texts_(std::make_shared<const CodeTexts>(code)) {}

  std::shared_ptr<UserFunction> function(const std::string& name) override {
    const NotesHeld notes;
    const std::lock_guard lock(mutex_);
    std::shared_ptr<UserFunction>& known = functions_[name];
    if (!known) known = find(name);
    return known;
  }

  std::optional<GlobalVariable> global(const std::string& name) override {
    is_lent_ = true;
    const Context::Scope scope(context_);
    return module_->try_global(name.c_str());
  }

  std::string log() const override { return module_->log(); }

  bool is_used() override {
    if (is_lent_) return true;
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(functions_,
                               [](const auto& each) { return each.second.use_count() > 1; });
  }

 private:
  std::shared_ptr<UserFunction> find(const std::string& name) {
    const Context::Scope scope(context_);
    if (CUfunction function = module_->try_function(symbol_of(name).c_str())) {
      return std::make_shared<CudaFunction>(context_, backend_, module_, texts_, function, name,
                                            text_.source);
    }
    if (text_.source.empty()) no_function(name, "");
    return find_expression(name);
  }

  std::string symbol_of(const std::string& name) const {
    const auto at = std::ranges::find(text_.instances, name);
    return at == text_.instances.end() ? name
                                       : module_->lowered_names()[at - text_.instances.begin()];
  }

  // Finds a template's instance, or a kernel that is not extern "C": the compiler knows its symbol.
  std::shared_ptr<UserFunction> find_expression(const std::string& name) {
    std::shared_ptr<Module> module;
    try {
      module = std::make_shared<Module>(context_, compiler_, text_.unit(std::span(&name, 1)));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kCompile) throw;
      no_function(name, ":\n" + error.message());
    }
    CUfunction function = module->try_function(module->lowered_names().front().c_str());
    if (!function) no_function(name, "");
    UserText instance = text_;
    instance.instances = {name};
    return std::make_shared<CudaFunction>(
        context_, backend_, std::move(module),
        std::make_shared<const CodeTexts>(compiler_, std::move(instance)), function, name,
        text_.source);
  }

  // `log`: the compiler's messages about an instance that does not compile.
  [[noreturn]] void no_function(const std::string& name, const std::string& log) const {
    fail(ErrorKind::kValue, "{}: there is no kernel of the name '{}'{}", text_.name, name, log);
  }

  Context& context_;
  Compiler& compiler_;
  Backend& backend_;
  UserText text_;
  std::shared_ptr<Module> module_;
  std::shared_ptr<const CodeTexts> texts_;
  ForkSafe<std::mutex> mutex_;
  std::unordered_map<std::string, std::shared_ptr<UserFunction>> functions_;
  std::atomic<bool> is_lent_{false};  // a script may have the address of a variable
};

class CudaUserKernels final : public UserKernels {
 public:
  CudaUserKernels(Context& context, Compiler& compiler, Backend& backend)
      : context_(context), compiler_(compiler), backend_(backend) {}

  std::shared_ptr<UserModule> compile(const std::string& source, const std::string& name,
                                      std::span<const std::string> options,
                                      std::span<const std::string> instances) override {
    const NotesHeld notes;
    const auto entry = modules_.entry(key_of(source, name, options, instances));
    const std::lock_guard lock(entry->compiling);
    if (entry->module) return entry->module;
    const Context::Scope scope(context_);
    UserText text{
        source, name, {options.begin(), options.end()}, {instances.begin(), instances.end()}};
    if (has_include(source)) {
      for (const std::string& folder : include_folders()) text.options.push_back("-I" + folder);
    }
    if (launches_kernels(source) && !is_relocatable(text.options))
      text.options.emplace_back(kRelocatable);
    entry->module = std::make_shared<CudaModule>(context_, compiler_, backend_, std::move(text));
    return entry->module;
  }

  std::shared_ptr<UserModule> load(const std::string& code, const std::string& name) override {
    const Context::Scope scope(context_);
    return std::make_shared<CudaModule>(context_, compiler_, backend_, name, code);
  }

 private:
  static std::string key_of(const std::string& source, const std::string& name,
                            std::span<const std::string> options,
                            std::span<const std::string> instances) {
    std::string key = name + '\0';
    for (const std::string& option : options) key += option + '\0';
    for (const std::string& instance : instances) key += instance + '\1';
    return key + source;
  }

  const std::vector<std::string>& include_folders() {
    const std::lock_guard lock(mutex_);
    if (!searched_) include_folders_ = cuda_include_folders();
    searched_ = true;
    return include_folders_;
  }

  Context& context_;
  Compiler& compiler_;
  Backend& backend_;
  ForkSafe<std::mutex> mutex_;
  bool searched_ = false;
  std::vector<std::string> include_folders_;
  ModuleCache modules_;
};

}  // namespace

std::unique_ptr<UserKernels> make_cuda_user_kernels(Context& context, Compiler& compiler,
                                                    Backend& backend) {
  return std::make_unique<CudaUserKernels>(context, compiler, backend);
}

}  // namespace gpy::rt::cuda
