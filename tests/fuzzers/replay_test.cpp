// SPDX-License-Identifier: Apache-2.0
// The fuzz targets without libFuzzer: every seed as it is, then what a few thousand changes make of the seeds. The same ones
// every time; a fault names the bytes that it takes.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <exception>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/fuzzers/targets.hpp"

namespace heddle {

namespace {

/// A line each; \n in it is a line feed.
std::vector<std::string> read_seeds(std::string_view target) {
  std::ifstream file(fmt::format("{}/tests/fuzzers/corpus/{}.txt", HEDDLE_SOURCE_DIR, target));
  std::vector<std::string> seeds;
  for (std::string line; std::getline(file, line);) {
    for (std::size_t at = line.find("\\n"); at != std::string::npos; at = line.find("\\n", at + 1)) line.replace(at, 2, "\n");
    seeds.push_back(line);
  }
  return seeds;
}

/// Empty if the target takes the text.
std::string fault_of(fuzzers::Target target, const std::string& text) {
  try {
    target(text);
    return {};
  } catch (const std::exception& error) {
    return fmt::format("{} with the {} bytes '{}'", error.what(), text.size(), text);
  }
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) : seeds_(seeds) {}

  /// A seed with one to four changes.
  std::string next() {
    std::string text = any_seed();
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(text);
    return text;
  }

 private:
  static constexpr std::size_t kLongest = 4096;

  /// The remainder is not quite uniform, and the same everywhere.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  const std::string& any_seed() { return seeds_[below(seeds_.size())]; }

  void change(std::string& text) {
    // Signs and numbers at which readers break.
    static constexpr std::array<std::string_view, 24> kTokens = {"0",
                                                                 "-1",
                                                                 "1",
                                                                 "255",
                                                                 "2147483647",
                                                                 "2147483648",
                                                                 "9223372036854775807",
                                                                 "18446744073709551616",
                                                                 "1e308",
                                                                 "nan",
                                                                 "inf",
                                                                 "0x",
                                                                 ":",
                                                                 ",",
                                                                 "=",
                                                                 "+",
                                                                 "->",
                                                                 "\"",
                                                                 "[",
                                                                 "]",
                                                                 "{",
                                                                 "}",
                                                                 "\n",
                                                                 " "};
    const std::size_t at = below(text.size() + 1);
    switch (below(7)) {
      case 0:
        return text.size() < kLongest ? void(text.insert(at, kTokens[below(kTokens.size())])) : text.clear();
      case 1:
        return void(text.erase(at, 1 + below(8)));
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(random_());
        return;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        return;
      case 4: {  // the rest of another
        const std::string& other = any_seed();
        text = text.substr(0, at) + other.substr(below(other.size() + 1));
        return;
      }
      case 5:  // a part twice
        if (text.size() < kLongest) text.insert(at, text.substr(below(text.size() + 1), 1 + below(16)));
        return;
      default:  // a digit by a token
        if (const std::size_t digit = text.find_first_of("0123456789", at); digit != std::string::npos)
          text.replace(digit, 1, kTokens[below(11)]);
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937_64 random_{1};
};

}  // namespace

TEST_CASE("what reads text takes its seeds, and what a few changes make of them") {
  for (const fuzzers::NamedTarget& named : fuzzers::targets()) {
    DYNAMIC_SECTION(named.name) {
      const std::vector<std::string> seeds = read_seeds(named.name);
      REQUIRE(seeds.size() >= 4);
      for (const std::string& seed : seeds) CHECK(fault_of(named.target, seed) == "");
      const int kMutants = testing::sample(testing::sampled(600, 100), 100'000);
      Mutator mutator(seeds);
      std::string first_fault;
      for (int i = 0; i < kMutants && first_fault.empty(); ++i) first_fault = fault_of(named.target, mutator.next());
      CHECK(first_fault == "");
    }
  }
}

}  // namespace heddle
