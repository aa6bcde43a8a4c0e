// SPDX-License-Identifier: Apache-2.0
// The explainer's claims: rows as data come to the verdicts that they should, and no claim is without words.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "claims/compared_rows.hpp"
#include "tests/catch.hpp"
#include "tests/effort.hpp"

namespace heddle::claims {

namespace {

const Claim& find(const Source& source, std::string_view name) {
  return *std::ranges::find_if(source.claims, [&](const Claim& claim) { return claim.name == name; });
}

std::vector<Verdict> verdicts(const std::vector<Finding>& findings) {
  std::vector<Verdict> all;
  for (const Finding& finding : findings) all.push_back(finding.verdict);
  return all;
}

/// What a claim with this check finds.
std::vector<Finding> found(Lab& lab, const std::string& check) {
  const std::string head = R"({"title": "X", "setting": "", "reasons": {
      "limits apart": {"assumed": "{:.1f} us: {:.1f} uncut {:.1f}", "why": "w"}, "neither limit": {"refuted": "L", "why": "w"}},
      "claims": [{"name": "x/y", "section": "1", "statement": "", "check": )";
  const Source source = read_source("x", head + check + "}]}");
  return source.claims[0].check(lab);
}

constexpr Verdict kHolds = Verdict::holds;
constexpr Verdict kWithin = Verdict::holds_within;
constexpr Verdict kNot = Verdict::run_differs;
constexpr Verdict kOtherwise = Verdict::holds_otherwise;

}  // namespace

TEST_CASE("a printed cost is held against the steps and bytes that runs take, each by itself") {
  Lab lab;
  const auto findings = found(lab, R"([{"costs": [
      ["right", 14, "1.750", "allreduce --algo ring"],
      ["a step too many", 15, "1.750", "allreduce --algo ring", "2(N-1) steps"],
      ["bytes wrong", 14, "1.760", "allreduce --algo ring", "2(N-1)/N"],
      ["bytes nearly right", 14, "1.760", "allreduce --algo ring", "2(N-1)/N", 0.01],
      ["right to the digits printed", 14, "1.8", "allreduce --algo ring"]], "with": "--topo star:8"}])");
  CHECK(verdicts(findings) == std::vector{kHolds, kNot, kNot, kWithin, kHolds});
  CHECK(findings[0].measured == "14 α + 1.7500 M/BW");
  CHECK(findings[1].why == "2(N-1) steps");
  CHECK(findings[3].why == "within 1 %");
}

TEST_CASE("printed times, ratios, counts and rounds that are wrong do not hold") {
  Lab lab;
  // 2·3·0.5 us and 7/4 · 9 MB / 900 GB/s: 3 + 17.5 us.
  const auto holds_and_not = [&](const std::string& rows) {
    CHECK(
        verdicts(found(lab, "{" + rows + R"(, "with": "--topo star:8 --size 9MB --alpha 0.5us --latency 0 --bw 900GB/s"})")) ==
        std::vector{kHolds, kNot});
  };
  holds_and_not(R"("times": [["right", "20.5", "allreduce --algo rabenseifner"],
                             ["wrong", "21.5", "allreduce --algo rabenseifner", "why"]])");
  holds_and_not(R"("ratios": [["24.5 / 20.5", "1.2", "allreduce --algo ring", "allreduce --algo rabenseifner"],
                              ["wrong", "1.3", "allreduce --algo ring", "allreduce --algo rabenseifner", "why"]])");
  holds_and_not(
      R"("rounds": [["right", 6, "allreduce --algo rabenseifner"], ["wrong", 7, "allreduce --algo rabenseifner", "why"]])");
  holds_and_not(R"("counts": [["right", 12, "torus:8x8x8", "diameter"], ["wrong", 13, "torus:8x8x8", "diameter", "why"]])");
}

TEST_CASE("a row that does not hold is what its row says, with the source's words") {
  Lab lab;
  const auto findings = found(lab, R"({"rounds": [
      ["a slip", 7, "…", {"contradiction": "`14 steps`; `7 steps`", "why": "2(N-1) steps"}],
      ["other set-up", 7, "…", {"assumed": "7 steps on one way", "why": "half of it"}],
      ["right", 14, "…", {"contradiction": "`14 steps`; `7 steps`", "why": "2(N-1) steps"}]],
      "with": "allreduce --algo ring --topo star:8 --size 36kB"})");
  CHECK(verdicts(findings) == std::vector{Verdict::contradicts_itself, kOtherwise, kHolds});
  CHECK(findings[0].quote == "`14 steps`; `7 steps`");
  CHECK(findings[1].otherwise == "7 steps on one way");
  CHECK(findings[2].quote.empty());
  CHECK(findings[2].why.empty());
}

TEST_CASE("a pipeline's printed time holds as the sum of two limits, or not at all") {
  // 3·0.5 us uncut and (2 + 64)/64 · 10 us in segments: 1.5 + 10.3 us; the best run takes √(2·0.5·10)·2 = 6.3 us longer.
  Lab lab;
  const auto limit = [&](const std::string& printed) {
    return found(lab, R"({"limits": [["chain", ")" + printed +
                          R"(", "broadcast --algo chain …", "broadcast --algo chain:segments=1 … --bw inf",
                         "broadcast --algo chain:segments=64 … --alpha 0"]],
                         "with": "--topo star:4 --size 9MB --alpha 0.5us --latency 0 --bw 900GB/s"})")
        .front();
  };
  CHECK(limit("11.5").verdict == kOtherwise);
  CHECK(limit("11.5").otherwise.starts_with("11.8 us: 1.5 uncut"));
  CHECK(limit("9.0").verdict == kNot);
  CHECK_FALSE(limit("9.0").quote.empty());
}

TEST_CASE("definitions are listed apart, with whose they are") {
  Lab lab;
  const auto findings =
      found(lab, R"({"definitions": [["one message", "α + M/BW"], ["BW", "900 GB/s"]], "why": "The model's."})");
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
  const Source source = known_source("explainer");
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
