#include "runtime/session.h"

#include <charconv>

#include "runtime/core/error.h"
#include "runtime/core/notes.h"
#include "runtime/cpu/cpu_backend.h"
#include "runtime/cuda/make_backend.h"
#include "runtime/linalg/host_fallback.h"

namespace gpy::rt {

DeviceChoice DeviceChoice::parse(std::string_view text) {
  if (text == "cpu") return {Kind::kCpu, 0};
  if (text == "cuda") return {Kind::kCuda, 0};
  int index = 0;
  if (text.starts_with("cuda:")) {
    const char* end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + 5, end, index);
    if (parsed.ec == std::errc() && parsed.ptr == end && index >= 0 && text.size() > 5) {
      return {Kind::kCuda, index};
    }
  }
  fail(ErrorKind::kValue, "unknown device '{}': use cpu, cuda or cuda:N", text);
}

Runtime::Runtime(DeviceChoice choice, const Hostile& hostile)
    : choice_(choice), hostile_(hostile) {}
Runtime::~Runtime() = default;

int Runtime::count_gpus() {
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  if (gpu_count_ >= 0) return gpu_count_;
  int found = 0;
  if (choice_.kind != DeviceChoice::Kind::kCpu) {
    found = std::min(cuda_device_count(&no_gpu_reason_), kMaxPlaces - 1);
    // A GPU that cannot be used (a driver without NVRTC) counts as none.
    if (found > 0 && !open_gpu(std::min(choice_.index, found - 1))) found = 0;
  }
  if (choice_.kind == DeviceChoice::Kind::kCuda && choice_.index >= found) {
    fail(ErrorKind::kValue, "device cuda:{} is not there: {}", choice_.index,
         no_gpu_reason_.empty() ? fmt::format("{} found", found) : no_gpu_reason_);
  }
  gpu_count_.store(found, std::memory_order_release);
  return found;
}

const std::string& Runtime::no_gpu_reason() {
  gpu_count();
  return no_gpu_reason_;
}

Backend& Runtime::open_backend(Place place) {
  const NotesHeld notes;
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Backend>& backend = backends_[place];
  if (!backend && place == kHostPlace) backend = make_cpu_backend(hostile_);
  std::string why;  // no_gpu_reason_ is found out once: others may be reading it
  if (!backend) backend = make_cuda_backend(place - 1, &why, hostile_);
  if (!backend) fail(ErrorKind::kRuntime, "cuda:{} cannot be used: {}", place - 1, why);
  open_[place].store(backend.get(), std::memory_order_release);
  return *backend;
}

bool Runtime::open_gpu(int index) {
  std::unique_ptr<Backend>& backend = backends_[1 + index];
  if (!backend) backend = make_cuda_backend(index, &no_gpu_reason_, hostile_);
  return backend != nullptr;
}

Linalg& Runtime::linalg(Place place, LinalgPart part) {
  std::string why;
  Linalg& own = backend(place).linalg();
  if (own.available(part, &why)) return own;
  Backend& host = backend(kHostPlace);
  if (place == kHostPlace || !host.linalg().available(part, &why)) {
    fail(ErrorKind::kNotImplemented, "linear algebra needs a library that is not there: {}", why);
  }
  std::unique_lock lock(mutex_);
  std::unique_ptr<Linalg>& fallback = host_fallbacks_[place];
  if (fallback) return *fallback;
  fallback = make_host_fallback(backend(place), host);
  Linalg& made = *fallback;
  lock.unlock();
  const char* what = part == LinalgPart::kEigenvalues ? "finding eigenvalues" : "linear algebra";
  note_warning(fmt::format("{}: {} of cuda:{} is done on the host", why, what, place - 1));
  return made;
}

void Runtime::synchronize() {
  std::vector<Backend*> in_use;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& backend : backends_) in_use.push_back(backend.get());
  }
  for (Backend* backend : in_use) {
    if (backend && !backend->lost()) backend->synchronize();
  }
}

Session::Session(std::shared_ptr<Runtime> runtime)
    : runtime_(std::move(runtime)), at_once(runtime_->hostile().at_once) {
  if (runtime_->choice().kind == DeviceChoice::Kind::kCuda) {
    current_device = runtime_->choice().index;
  }
}

Place Session::place_of(Space space) {
  if (space.is_host()) return kHostPlace;
  if (runtime_->gpu_count() == 0) {
    if (space.is_device() && note_stand_in &&
        runtime_->choice().kind == DeviceChoice::Kind::kAuto) {
      const auto note = std::exchange(note_stand_in, nullptr);
      note(runtime_->no_gpu_reason());
    }
    return kHostPlace;
  }
  return static_cast<Place>(1 + (space.is_auto() ? current_device : space.device));
}

void Session::set_home(Place place) {
  QueueOptions options;
  const bool is_first = place == 1 + runtime_->choice().index;
  if (is_first && first_stream_ != kOwnStream) options.external = first_stream_;
  home[place] = runtime_->backend(place).make_queue(options);
  if (!queues[place]) queues[place] = home[place];
}

}  // namespace gpy::rt
