// SPDX-License-Identifier: Apache-2.0
// Least credits are a property of the program: user-level and kernel threads give the same. ("enough" was what the user-level
// threads' second call, which runs ahead, once had under way.) What a search takes is known before it begins.
#include <array>
#include <string_view>

#include "emu/studies/least_credits.hpp"
#include "lab/run/setup.hpp"
#include "lab/studies/credits_study.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"
#include "tests/registry_rows.hpp"

namespace heddle {

namespace {

constexpr std::array<std::string_view, 6> kFabrics = {
    "ring:8", "torus:2x3", "star:7", "clos:hosts=2,leaves=3,spines=2", "fullmesh:5", "star:6,alu,multicast,a2a"};

LeastCredits credits_of(const Setup& setup, Threads threads) {
  EmulationSettings settings = setup.settings;
  settings.threads = threads;
  return least_credits(setup.fabric, setup.placement, setup.call(setup.algorithms.chosen.front()), settings);
}

}  // namespace

TEST_CASE("credits do not depend on the kind of threads") {
  const std::vector<Algorithm> rows = testing::registry_entries();
  const std::size_t step = testing::sample<std::size_t>(5, 1);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t f = r % step; f < kFabrics.size(); f += step) {
      Experiment what;
      what.collective = rows[r].collective;
      what.algorithm = rows[r].name;
      what.fabric.topology = kFabrics[f];
      what.size = Bytes(4 << 10);
      if (!what.why_not().empty()) continue;
      INFO(what.text());
      const Setup setup = set_up(what);
      const LeastCredits user = credits_of(setup, Threads::user);
      const LeastCredits kernel = credits_of(setup, Threads::kernel);
      CHECK(user.least == kernel.least);
      CHECK(user.safe == kernel.safe);
      CHECK(user.enough == kernel.enough);
      CHECK(user.locked == kernel.locked);
    }
  }
}

TEST_CASE("a search of credits that takes long is told so beforehand") {
  const auto text_of = [](int ranks) {
    const CreditsStudy study = plan_credits({.base = {}, .algorithms = "ring", .ranks = {ranks}, .ranks_text = {}});
    return long_run_text(std::array{study.cases.front().cost}, 1);
  };
  // A ring's call is of 2p(p - 1) messages, and p of nothing; of two calls, three times.
  CHECK_THAT(text_of(5000).value_or(""), Catch::StartsWith("about 300 million messages, "));
  CHECK_FALSE(text_of(16).has_value());
}

}  // namespace heddle
