// SPDX-License-Identifier: Apache-2.0
// Claims that are quick to check give the verdicts that they should.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "claims/claim.hpp"
#include "claims/sources/bine_schedules.hpp"
#include "tests/catch.hpp"

namespace heddle::claims {

namespace {

/// Of the source's, which the name begins with.
std::vector<Finding> findings_of(std::string_view name) {
  Lab lab;
  for (const Claim& claim : known_source(name.substr(0, name.find('/'))).claims) {
    if (claim.name == name) return claim.check(lab);
  }
  FAIL("no claim " << name);
  return {};
}

}  // namespace

TEST_CASE("Bine's figures of schedules are what runs record") {
  for (const char* name : {"bine/figure-1", "bine/figure-2", "bine/figure-3", "bine/negabinary", "bine/figure-4",
                           "bine/figure-6", "bine/doubling-tree", "bine/figure-7", "bine/figure-8", "bine/figure-15",
                           "bine/figure-16", "bine/figure-17", "bine/figure-18"}) {
    const std::vector<Finding> findings = findings_of(name);
    CHECK_FALSE(findings.empty());
    for (const Finding& finding : findings) {
      INFO(name << ": " << finding.subject << ": " << finding.measured);
      CHECK(finding.verdict == Verdict::holds);
    }
  }
}

TEST_CASE("a tree that is not the recorded one does not hold, and says so") {
  const Rounds measured = messages_of(recorded(Collective::broadcast, "bine_halving", "p=8"));
  const Rounds planted = {{{0, 3}}, {{0, 7}, {3, 4}}, {{0, 1}, {3, 2}, {4, 5}, {6, 7}}};
  const Finding finding = compare_rounds("8 ranks", planted, measured, "");
  CHECK(does_not_hold(finding.verdict));
  CHECK(finding.printed == "0>3; 0>7 3>4; 0>1 3>2 4>5 6>7");
  CHECK(finding.measured == "0>3; 0>7 3>4; 0>1 3>2 4>5 7>6");
  CHECK_FALSE(finding.why.empty());
}

TEST_CASE("codes in base -2 go there and back") {
  for (const int ranks : {2, 4, 8, 64, 1024})
    for (int rank = 0; rank < ranks; ++rank) CHECK(nb2rank(rank2nb(rank, ranks), ranks) == rank);
  CHECK(rank2nb(8, 16) == "1000");
}

TEST_CASE("what holds under other assumptions says which, with a figure, and nothing of it counts as refuted") {
  for (const char* name : {"bine/eq-2", "bine/odd-ranks", "bine/even-ranks", "bine/large-reduce"}) {
    const std::vector<Finding> findings = findings_of(name);
    CHECK(std::any_of(findings.begin(), findings.end(),
                      [](const Finding& finding) { return finding.verdict == Verdict::holds_otherwise; }));
    for (const Finding& finding : findings) {
      INFO(name << ": " << finding.subject << ": " << finding.measured);
      CHECK(holds(finding.verdict));
      if (finding.verdict == Verdict::holds_otherwise) CHECK((!finding.why.empty() && !finding.otherwise.empty()));
    }
  }
}

TEST_CASE("a small allreduce on an even number of ranks takes as many steps as on a power of two") {
  for (const Finding& finding : findings_of("bine/even-ranks")) {
    if (finding.subject.find("steps") != std::string::npos) CHECK(finding.verdict == Verdict::holds);
  }
}

TEST_CASE("Figure 5 is counted over all recorded jobs; from 64 nodes on some send more, in the words that it contradicts") {
  const std::vector<Finding> findings = findings_of("bine/figure-5");
  const auto measured = [&](std::string_view subject) {
    const auto found = std::ranges::find(findings, subject, &Finding::subject);
    REQUIRE(found != findings.end());
    return found->measured;
  };
  CHECK(measured("leonardo: jobs on a power of two of nodes") == "1116");
  CHECK(measured("lumi: jobs on a power of two of nodes") == "1914");
  CHECK(measured("leonardo, bine_large against rabenseifner: jobs from 64 nodes on whose traffic grows") == "9 of 97");
  CHECK(measured("lumi, bine_large against rabenseifner: jobs from 64 nodes on whose traffic grows") == "58 of 320");
  for (const Finding& finding : findings) {
    INFO(finding.subject << ": " << finding.measured);
    CHECK(does_not_hold(finding.verdict) != finding.quote.empty());
  }
}

TEST_CASE("Swing's partners, distances and uniqueness hold") {
  for (const char* name : {"swing/eq-2", "swing/lemma-a.2", "swing/theorem-a.5", "swing/even-nodes", "swing/ports"}) {
    for (const Finding& finding : findings_of(name)) {
      INFO(name << ": " << finding.subject << ": " << finding.measured);
      CHECK(finding.verdict == Verdict::holds);
    }
  }
}

TEST_CASE("Swing's misprints are found, each with its reason") {
  for (const std::string name : {"swing/appendix-a.2", "swing/odd-nodes", "swing/eq-3", "swing/peak-goodput"}) {
    const std::vector<Finding> findings = findings_of(name);
    CHECK(std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return does_not_hold(finding.verdict); }));
    for (const Finding& finding : findings)
      CHECK((!does_not_hold(finding.verdict) || !(finding.why.empty() || finding.quote.empty())));
  }
}

TEST_CASE("a printed value that is wrong does not hold") {
  Lab lab;
  const std::string arguments = "allreduce --algo swing_bandwidth --topo torus:8x8 --size 2MiB --preset swing-nsdi24";
  const double measured = lab.microseconds(arguments);
  CHECK(compare("8x8", 36.6, 1, measured, "us", 0, arguments).verdict == Verdict::holds);
  const Finding planted = compare("8x8", 33.0, 1, measured, "us", 0.05, arguments, "planted");
  CHECK(does_not_hold(planted.verdict));
  CHECK(planted.why == "planted");
}

}  // namespace heddle::claims
