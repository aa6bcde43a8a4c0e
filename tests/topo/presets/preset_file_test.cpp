// SPDX-License-Identifier: Apache-2.0
#include "topo/presets/preset_file.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "topo/presets/fabric_presets.hpp"

namespace heddle {

namespace {

using namespace literals;

/// A file of the test's process, removed with this.
class PresetText {
 public:
  explicit PresetText(const std::string& content)
      : path_(std::filesystem::temp_directory_path() / ("heddle-preset-" + std::to_string(getpid()) + ".json")) {
    std::ofstream(path_) << content;
  }
  PresetText(const PresetText&) = delete;
  PresetText& operator=(const PresetText&) = delete;
  ~PresetText() { std::filesystem::remove(path_); }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// What is said of a file, behind its name.
std::string complaint_of(const std::string& content) {
  const PresetText file(content);
  try {
    read_preset_file(file.path());
  } catch (const InputError& error) {
    const std::string text = error.what();
    REQUIRE(text.starts_with(file.path() + ":"));
    return text.substr(file.path().size() + 1);
  }
  return "";
}

}  // namespace

TEST_CASE("a preset that is written is read back") {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = 12_GBps, .latency = 5_us, .eta_alpha = 1.5, .eta_beta = 0.5},
                    {.bandwidth = Bandwidth::unlimited(), .latency = 7_ns}};
  settings.hop = 1_ns;
  settings.host_link = 2_ns;
  settings.alpha = 3_ns;
  settings.send_overhead = 4_ns;
  settings.recv_overhead = 5_ns;
  settings.gamma = 0.1234e-12;
  settings.routing = Routing::ecmp(7);
  const PresetText file(preset_file_text(settings, "of \"mine\""));
  for (const FabricSettings& read : {read_preset_file(file.path()), preset_settings("file:" + file.path())}) {
    REQUIRE(read.tiers.size() == 2);
    for (std::size_t tier = 0; tier < 2; ++tier) {
      CHECK(read.tiers[tier].bandwidth == settings.tiers[tier].bandwidth);
      CHECK(read.tiers[tier].latency == settings.tiers[tier].latency);
      CHECK(read.tiers[tier].eta_alpha == settings.tiers[tier].eta_alpha);
      CHECK(read.tiers[tier].eta_beta == settings.tiers[tier].eta_beta);
    }
    CHECK(read.hop == settings.hop);
    CHECK(read.host_link == settings.host_link);
    CHECK(read.alpha == settings.alpha);
    CHECK(read.send_overhead == settings.send_overhead);
    CHECK(read.recv_overhead == settings.recv_overhead);
    CHECK(read.gamma == Approx(settings.gamma).epsilon(1e-12));
    CHECK(read.routing == settings.routing);
  }
}

TEST_CASE("a preset says what its speeds were fitted to, as long as nobody has changed it") {
  const FitRecord record{"star:4", "9 of 21 runs of ring over TCP", "2.4 % in the median"};
  std::string text = preset_file_text({}, "fitted", record);
  const PresetText file(text);
  CHECK(read_fit_record(file.path()) == record);
  CHECK(preset_settings("file:" + file.path()).tiers.size() == 1);
  CHECK_FALSE(read_fit_record(PresetText(preset_file_text({}, "not fitted")).path()));
  // Without its checksum, as to change a file by hand.
  text.replace(text.rfind(",\n  \"check\""), std::string::npos, "\n}\n");
  CHECK_FALSE(read_fit_record(PresetText(text).path()));
  CHECK(complaint_of("{\"fitted\": {\"runs\": \"9\"}}") == "1: 'fitted' has no 'topology'");
}

TEST_CASE("what a preset leaves out is as the command has it") {
  const PresetText file("{}");
  const FabricSettings read = read_preset_file(file.path());
  CHECK(read.tiers.size() == 1);
  CHECK(read.tiers.front().bandwidth == LinkSpeed().bandwidth);
  CHECK(read.alpha == Time());
}

TEST_CASE("what is wrong with a preset is said with its line") {
  CHECK(complaint_of("{\n\"latency\": \"5us\"}").starts_with("2: the preset: unknown field 'latency'"));
  CHECK(complaint_of("{\"tiers\": [\n{\"latency\": 5}]}") == "2: 'latency' must be a text, not a number");
  CHECK(complaint_of("{\"alpha\": \"5 parsecs\"}").starts_with("1: 'alpha': '5 parsecs'"));
  CHECK(complaint_of("{\"tiers\": []}") == "1: 0 tiers: 1 to 128 are possible");
  CHECK(complaint_of("[]") == "1: the preset must be an object, not a list");
  CHECK(complaint_of("{\"check\": \"0\"}").starts_with("1: damaged, or changed since it was checked"));
  CHECK_FALSE(complaint_of("{\"alpha\": ").empty());
  CHECK_THROWS_WITH(preset_settings("file:not/there.json"), Catch::StartsWith("not/there.json: cannot be read"));
  CHECK_THROWS_WITH(preset_settings("mine.json"), "'mine.json' is no preset's name; if it is a file: file:mine.json");
}

}  // namespace heddle
