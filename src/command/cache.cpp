#include "src/command/cache.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>
#include <span>
#include <stdexcept>

#include "runtime/core/size_text.h"
#include "runtime/kernel/cache_files.h"
#include "runtime/kernel/cache_settings.h"
#include "runtime/kernel/disk_cache.h"
#include "runtime/kernel/private_folder.h"
#include "src/command/command.h"
#include "src/command/print_row.h"

namespace gpy::command {

namespace {

using Seconds = std::chrono::seconds;

// What the kernels of one kind come to.
struct Sum {
  size_t kernels = 0, bytes = 0, recent = 0;
};

Sum sum_of(std::span<const rt::CacheFile> files, std::string_view kind) {
  const auto yesterday = std::filesystem::file_time_type::clock::now() - std::chrono::hours(24);
  Sum sum;
  for (const rt::CacheFile& file : files) {
    if (!file.is_kernel || file.kind != kind) continue;
    ++sum.kernels;
    sum.bytes += file.bytes;
    sum.recent += file.used > yesterday;
  }
  return sum;
}

// "1.30 MiB", "256 MiB"
std::string size(size_t bytes) {
  std::string text = rt::size_text(static_cast<double>(bytes));
  if (const size_t point = text.find(". "); point != text.npos) text.erase(point, 1);
  return text;
}

std::string count(size_t kernels) {
  return fmt::format("{} kernel{}", rt::with_commas(kernels), kernels == 1 ? "" : "s");
}

std::string text_of(const Sum& sum) {
  if (sum.kernels == 0) return "none";
  return fmt::format("{}, {}, {} used in the last day", count(sum.kernels), size(sum.bytes),
                     rt::with_commas(sum.recent));
}

std::string limit_text() {
  const size_t bytes = rt::cache_bytes();
  return bytes == 0 ? "0 bytes: nothing is kept (GPY_CACHE_BYTES)" : size(bytes);
}

std::string folder_text(const std::string& folder) {
  const std::string why_not = rt::why_untrusted(folder);
  return why_not.empty() ? folder : fmt::format("{}: not used, it {}", folder, why_not);
}

int show(const std::string& folder) {
  print_row("folder", folder_text(folder));
  const std::vector<rt::CacheFile> files = rt::cache_files(folder);
  for (const char* kind : {"cpu", "cuda"}) print_row(kind, text_of(sum_of(files, kind)));
  const Sum other = sum_of(files, "other");
  if (other.kernels > 0) print_row("other", text_of(other) + " (by another version of gpy)");
  print_row("limit", limit_text());
  return kOk;
}

int clear(const std::string& folder, std::optional<Seconds> age) {
  const rt::Cleared cleared = rt::clear_cache(folder, age);
  fmt::print("removed {}, {}\n", count(cleared.kernels), size(cleared.bytes));
  if (cleared.left == 0) return kOk;
  fmt::print(stderr, "gpy: {} could not be removed from {}\n",
             cleared.left == 1 ? "1 file" : fmt::format("{} files", cleared.left), folder);
  return kError;
}

// "30d", "12h", "5m"
Seconds age_named(const std::string& text) {
  int number = 0;
  const char* stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, number);
  const std::string_view unit(end, stop);
  if (error == std::errc() && number >= 0) {
    if (unit == "d") return std::chrono::hours(24) * int64_t{number};
    if (unit == "h") return std::chrono::hours(number);
    if (unit == "m") return std::chrono::minutes(number);
  }
  throw std::invalid_argument("--older is a time such as 30d, 12h or 5m, not " + text);
}

[[noreturn]] void refuse(const std::string& word) {
  const char* what = word.starts_with("-") ? "unknown option " : "unexpected argument ";
  throw std::invalid_argument(what + word);
}

// The value of --older, the only option of `clear`.
std::optional<Seconds> age_in(std::span<const std::string> words) {
  constexpr std::string_view kOlder = "--older";
  std::optional<Seconds> age;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with("--older=")) {
      age = age_named(word.substr(kOlder.size() + 1));
    } else if (word == kOlder) {
      if (++i == words.size()) throw std::invalid_argument("option --older needs a value");
      age = age_named(words[i]);
    } else {
      refuse(word);
    }
  }
  return age;
}

}  // namespace

int run_cache(const std::vector<std::string>& words) {
  const bool clears = !words.empty() && words[0] == "clear";
  if (!words.empty() && !clears) refuse(words[0]);
  const std::optional<Seconds> age =
      clears ? age_in(std::span(words).subspan(1)) : std::optional<Seconds>();
  const std::string folder = rt::DiskCache::default_folder();
  if (folder.empty()) {
    print_row("folder", "none: GPY_CACHE_DIR, XDG_CACHE_HOME and HOME are not set");
    return kOk;
  }
  return clears ? clear(folder, age) : show(folder);
}

}  // namespace gpy::command
