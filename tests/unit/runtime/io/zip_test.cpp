#include "runtime/io/zip.h"

#include <doctest/doctest.h>

#include "io_cases.h"

namespace gpy::rt {
namespace {

class TextOutput final : public ByteOutput {
 public:
  using ByteOutput::write;
  void write(const void* from, size_t bytes) override {
    text.append(static_cast<const char*>(from), bytes);
  }
  std::string text;
};

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string text) : text_(std::move(text)) {}
  const std::string& path() const override { return path_; }
  int64_t size() const override { return std::ssize(text_); }
  size_t read_at(int64_t at, void* to, size_t bytes) override {
    return text_.copy(static_cast<char*>(to), bytes, static_cast<size_t>(at));
  }

 private:
  std::string text_, path_ = "a.zip";
};

using Contents = std::vector<std::pair<std::string, std::string>>;

std::string packed(const Contents& contents, bool compresses) {
  TextOutput output;
  ZipWriter writer(output);
  for (const auto& [name, content] : contents) {
    const std::string_view half = std::string_view(content).substr(0, content.size() / 2);
    const std::string_view pieces[] = {half, std::string_view(content).substr(half.size())};
    writer.add(name, pieces, compresses);
  }
  writer.finish();
  return output.text;
}

Contents unpacked(const std::string& bytes) {
  TextSource source(bytes);
  Contents contents;
  for (const ZipMember& member : read_zip_directory(source)) {
    ZipMemberInput input(source, member);
    std::string content(static_cast<size_t>(input.left()), '\0');
    content.resize(input.read(content.data(), content.size()));
    contents.emplace_back(member.name, content);
  }
  return contents;
}

std::string mixed(size_t size) {
  std::string text;
  for (uint32_t state = 1; text.size() < size; state = state * 1664525 + 1013904223) {
    text += static_cast<char>(state >> 30);
  }
  return text;
}

}  // namespace

TEST_CASE("zip: what is packed is unpacked") {
  const Contents contents = {{"a", "some text"}, {"", ""}, {"b/\u00e9", mixed(3'000'000)}};
  for (const bool compresses : {false, true}) {
    CHECK(unpacked(packed(contents, compresses)) == contents);
    CHECK(unpacked("before" + packed(contents, compresses)) == contents);
  }
  CHECK(packed(contents, true).size() < packed(contents, false).size() / 2);
  CHECK(unpacked(packed({}, false)).empty());
}

TEST_CASE("zip: more members than the record at the end counts") {
  Contents contents;
  for (int i = 0; i < 70'000; ++i) contents.emplace_back(std::to_string(i), "");
  CHECK(unpacked(packed(contents, false)) == contents);
}

TEST_CASE("zip: damage gives an error, or does not matter") {
  const Contents contents = {{"a", "some text that is text that is text"}, {"b", mixed(50)}};
  for (const bool compresses : {false, true}) {
    const std::string whole = packed(contents, compresses);
    for (size_t at = 0; at < whole.size(); ++at) {
      CAPTURE(at);
      CHECK(io_test::error_of([&] { unpacked(whole.substr(0, at)); }).starts_with("a.zip: "));
      for (const int flip : {1, 0x80, 0xff}) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ flip);
        Contents found;
        const std::string error = io_test::error_of([&] { found = unpacked(damaged); });
        if (error != "none") {
          CHECK(error.starts_with("a.zip: "));
          continue;
        }
        REQUIRE(found.size() == 2);
        CHECK(found[0].second == contents[0].second);
        CHECK(found[1].second == contents[1].second);
      }
    }
  }
}

}  // namespace gpy::rt
