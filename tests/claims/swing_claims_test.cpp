// SPDX-License-Identifier: Apache-2.0
// Claims of Swing that are quick to check give the verdicts that they should.
#include <algorithm>
#include <string_view>
#include <vector>

#include "claims/claim.hpp"
#include "tests/catch.hpp"

namespace heddle::claims {
namespace {

std::vector<Finding> swing_findings(std::string_view name) {
  Lab lab;
  for (const Claim& claim : known_source("swing").claims) {
    if (claim.name == name) return claim.check(lab);
  }
  FAIL("no claim " << name);
  return {};
}

}  // namespace

TEST_CASE("Swing's partners, distances and uniqueness hold") {
  for (const char* name : {"swing/eq-2", "swing/lemma-a.2", "swing/theorem-a.5", "swing/even-nodes", "swing/ports"}) {
    for (const Finding& finding : swing_findings(name)) {
      INFO(name << ": " << finding.subject << ": " << finding.measured);
      CHECK(finding.verdict == Verdict::holds);
    }
  }
}

TEST_CASE("Swing's misprints are found, each with its reason") {
  for (const std::string name : {"swing/appendix-a.2", "swing/odd-nodes", "swing/eq-3", "swing/peak-goodput"}) {
    const std::vector<Finding> findings = swing_findings(name);
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
