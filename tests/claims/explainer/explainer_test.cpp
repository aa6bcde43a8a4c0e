// SPDX-License-Identifier: Apache-2.0
// The explainer's claims: rows as data come to the verdicts that they should, and no claim is without words.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "claims/claim.hpp"
#include "claims/explainer/explainer_rows.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::claims {

using namespace explainer_notes;

namespace {

const Claim& find(const Source& source, std::string_view name) {
  return *std::ranges::find_if(source.claims, [&](const Claim& claim) { return claim.name == name; });
}

std::vector<Verdict> verdicts(const std::vector<Finding>& findings) {
  std::vector<Verdict> all;
  for (const Finding& finding : findings) all.push_back(finding.verdict);
  return all;
}

constexpr Verdict kHolds = Verdict::holds;
constexpr Verdict kWithin = Verdict::holds_within;
constexpr Verdict kNot = Verdict::run_differs;
constexpr Verdict kOtherwise = Verdict::holds_otherwise;

}  // namespace

TEST_CASE("every claim of the explainer has a section, a statement and a name of its own under the source's") {
  const Source source = explainer();
  std::set<std::string> names;
  for (const Claim& claim : source.claims) {
    INFO(claim.name);
    CHECK(claim.name.rfind("explainer/0", 0) == 0);
    CHECK(names.insert(claim.name).second);
    CHECK_FALSE(claim.section.empty());
    CHECK_FALSE(claim.statement.empty());
    CHECK(claim.check);
  }
  CHECK_FALSE(source.setting.empty());
}

TEST_CASE("a printed cost is held against the steps and bytes that runs take, each by itself") {
  Lab lab;
  const auto findings = costs({
      {"right", 14, 1.75, "allreduce --algo ring --topo star:8"},
      {"a step too many", 15, 1.75, "allreduce --algo ring --topo star:8", "2(N-1) steps"},
      {"bytes wrong", 14, 1.76, "allreduce --algo ring --topo star:8", "2(N-1)/N"},
      {"bytes nearly right", 14, 1.76, "allreduce --algo ring --topo star:8", "2(N-1)/N", 3, "--alpha 1us", 0.01},
      {"right to the digits printed", 14, 1.8, "allreduce --algo ring --topo star:8", "", 1},
  })(lab);
  CHECK(verdicts(findings) == std::vector{kHolds, kNot, kNot, kWithin, kHolds});
  CHECK(findings[0].measured == "14 α + 1.7500 M/BW");
  CHECK(findings[1].why == "2(N-1) steps");
  CHECK(findings[3].why == "within 1 %");
}

TEST_CASE("printed times, ratios, counts and rounds that are wrong do not hold") {
  Lab lab;
  // 2·3·0.5 us and 7/4 · 9 MB / 900 GB/s: 3 + 17.5 us.
  const std::string run = "allreduce --algo rabenseifner --topo star:8 --size 9MB --alpha 0.5us --latency 0 --bw 900GB/s";
  const std::string ring = "allreduce --algo ring --topo star:8 --size 9MB --alpha 0.5us --latency 0 --bw 900GB/s";
  CHECK(verdicts(times({{"right", 20.5, 1, run}, {"wrong", 21.5, 1, run, "why"}})(lab)) == std::vector{kHolds, kNot});
  CHECK(verdicts(ratios({{"24.5 / 20.5", 1.2, 1, ring, run}, {"wrong", 1.3, 1, ring, run, "why"}})(lab)) ==
        std::vector{kHolds, kNot});
  CHECK(verdicts(rounds({{"right", 6, run}, {"wrong", 7, run, "why"}})(lab)) == std::vector{kHolds, kNot});
  CHECK(verdicts(counts({{"right", 12, "torus:8x8x8", &TopologyProperties::diameter},
                         {"wrong", 13, "torus:8x8x8", &TopologyProperties::diameter, "why"}})(lab)) ==
        std::vector{kHolds, kNot});
}

TEST_CASE("a row that does not hold is what its row says, with the source's words") {
  Lab lab;
  const std::string ring = "allreduce --algo ring --topo star:8 --size 36kB";
  const auto findings = rounds({{"a slip", 7, ring, contradiction("`14 steps`; `7 steps`", "2(N-1) steps")},
                                {"other set-up", 7, ring, assumed("7 steps on one way", "half of it")},
                                {"right", 14, ring, contradiction("`14 steps`; `7 steps`", "2(N-1) steps")}})(lab);
  CHECK(verdicts(findings) == std::vector{Verdict::contradicts_itself, kOtherwise, kHolds});
  CHECK(findings[0].quote == "`14 steps`; `7 steps`");
  CHECK(findings[1].otherwise == "7 steps on one way");
  CHECK(findings[2].quote.empty());
  CHECK(findings[2].why.empty());
}

TEST_CASE("a pipeline's printed time holds as the sum of two limits, or not at all") {
  // 3·0.5 us uncut and (2 + 64)/64 · 10 us in segments: 1.5 + 10.3 us; the best run takes √(2·0.5·10)·2 = 6.3 us longer.
  Lab lab;
  const std::string chain = "broadcast --algo chain";
  const std::string fabric = " --topo star:4 --size 9MB --alpha 0.5us --latency 0 --bw 900GB/s";
  const auto limit = [&](double printed) {
    return limits({{"chain", printed, 1, chain + fabric, chain + ":segments=1" + fabric + " --bw inf",
                    chain + ":segments=64" + fabric + " --alpha 0", 0.03}})(lab)
        .front();
  };
  CHECK(limit(11.5).verdict == kOtherwise);
  CHECK(limit(11.5).otherwise.starts_with("11.8 us: 1.5 uncut"));
  CHECK(limit(9).verdict == kNot);
  CHECK_FALSE(limit(9).quote.empty());
}

TEST_CASE("definitions are listed apart, with whose they are") {
  Lab lab;
  const auto findings = definitions({{"one message", "α + M/BW"}, {"BW", "900 GB/s"}}, "The model's.")(lab);
  CHECK(verdicts(findings) == std::vector{Verdict::definition, Verdict::definition});
  CHECK(findings[1].printed == "900 GB/s");
  CHECK(findings[1].why == "The model's.");
}

TEST_CASE("the size at which one algorithm overtakes another is that of their closed forms") {
  // N = 8: 3α + 1.5·M/BW and 7α + 0.875·M/BW meet at M = 6.4·α·BW.
  Lab lab;
  const std::string speeds = " --topo star:8 --alpha 0.5us --latency 0 --bw 900GB/s";
  const double bytes = crossing(lab, "alltoall --algo bruck" + speeds, "alltoall --algo pairwise" + speeds, 1e9);
  CHECK(bytes == Approx(6.4 * 450e3).epsilon(0.01));
  CHECK(crossing(lab, "alltoall --algo bruck" + speeds, "alltoall --algo pairwise" + speeds, 1e6) == 1e6);
  CHECK(size_text(506'250) == "506 KB");
  CHECK(size_text(1.158e11) == "116 GB");
}

TEST_CASE("claims of the explainer that hold, and those that do not") {
  const Source source = explainer();
  Lab lab;
  for (const std::string& name : testing::sample<std::vector<std::string>>(
           {"explainer/01-chains", "explainer/02-neighbours", "explainer/02-diameters", "explainer/03-superpod-counts"},
           {"explainer/01-ring", "explainer/01-chains", "explainer/02-neighbours", "explainer/02-phases",
            "explainer/02-diameters", "explainer/03-superpod-counts"})) {
    INFO(name);
    for (const Finding& finding : find(source, name).check(lab)) {
      INFO(finding.subject << ": " << finding.printed << ", " << finding.measured);
      CHECK(finding.verdict == kHolds);
    }
  }
  for (const std::string& name : testing::sample<std::vector<std::string>>(
           {"explainer/01-pat", "explainer/05-skew"},
           {"explainer/01-alltoall", "explainer/01-pat", "explainer/04-radix", "explainer/05-skew"})) {
    INFO(name);
    const std::vector<Finding> findings = find(source, name).check(lab);
    CHECK(std::ranges::any_of(findings, [](const Finding& finding) { return does_not_hold(finding.verdict); }));
    for (const Finding& finding : findings) {
      CHECK((finding.verdict == kHolds || !finding.why.empty()));
      CHECK((!does_not_hold(finding.verdict) || !finding.quote.empty()));
    }
  }
}

}  // namespace heddle::claims
