// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep_axes.hpp"

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

/// One algorithm on fabrics of a topology and a number of ranks each, with its time in nanoseconds; 0: it failed.
struct OnFabric {
  std::string topology;
  int ranks;
  std::string algorithm;
  int ns;
};

SweepDocument document_of(const std::vector<OnFabric>& runs) {
  SweepDocument document;
  document.context["fabrics"] = nlohmann::ordered_json::array();
  for (const OnFabric& one : runs) {
    SweepResult run;
    run.run = static_cast<int>(document.runs.size()) + 1;
    run.fabric = one.topology + ", " + std::to_string(one.ranks) + " ranks";
    run.algorithm = one.algorithm;
    run.bytes = 1024;
    if (one.ns > 0) {
      run.measured.emplace();
      run.measured->time = Time::ps(one.ns * 1000);
    } else {
      run.failure = Failure{CheckError::Kind::deadlock, "planted"};
    }
    if (document.runs.empty() || document.runs.back().fabric != run.fabric)
      document.context["fabrics"].push_back(
          {{"fabric", run.fabric}, {"topology", one.topology}, {"ranks", one.ranks}, {"placement", "linear"}});
    document.runs.push_back(std::move(run));
  }
  return document;
}

SweepDocument with_base(SweepDocument document, const std::string& text) {
  const SweepBase base = find_base(document, text);
  document.context["base"] = {{"axis", base.axis}, {"value", base.value}};
  return document;
}

using Ratios = std::vector<std::optional<double>>;

}  // namespace

TEST_CASE("the axes that vary are those with two values or more, in the order of their list") {
  const SweepDocument document = document_of({{"ring:8", 4, "ring", 1}, {"ring:8", 4, "bucket", 1}, {"star:8", 4, "ring", 1}});
  CHECK(varying_axes(document) ==
        std::vector<SweepAxis>{{"topology", {"ring:8", "star:8"}}, {"algorithm", {"ring", "bucket"}}});
  CHECK(varying_fabric_axes(document) == std::vector<SweepAxis>{{"topology", {"ring:8", "star:8"}}});
}

TEST_CASE("times are held against the run that differs in the base's axis alone") {
  const SweepDocument document =
      document_of({{"ring:8", 4, "ring", 10}, {"ring:8", 8, "ring", 20}, {"star:8", 4, "ring", 15}, {"star:8", 8, "ring", 10}});
  CHECK(ratios_to_base(document).empty());
  CHECK(ratios_to_base(with_base(document, "ring:8")) == Ratios{1, 1, 1.5, 0.5});
  CHECK(ratios_to_base(with_base(document, "ranks=4")) == Ratios{1, 2, 1, 10.0 / 15});
}

TEST_CASE("fabrics of other sizes are held against each other") {
  const SweepDocument document = document_of({{"ring:4", 4, "ring", 10}, {"ring:8", 8, "ring", 30}});
  CHECK(ratios_to_base(with_base(document, "topology=ring:4")) == Ratios{1, 3});
}

TEST_CASE("what was not measured has no ratio, and is none's base") {
  const SweepDocument document = document_of({{"ring:4", 4, "ring", 10}, {"ring:4", 4, "bucket", 0}});
  CHECK(ratios_to_base(with_base(document, "ring")) == Ratios{1, std::nullopt});
  CHECK(ratios_to_base(with_base(document, "bucket")) == Ratios{std::nullopt, std::nullopt});
}

TEST_CASE("a base that is no value, or of two axes, is refused with what there is") {
  const SweepDocument document = document_of({{"ring", 4, "ring", 10}, {"ring", 8, "ring", 10}});
  CHECK_THROWS_WITH(find_base(document, "star"),
                    "'star': no value of this sweep, which has topology ring; placement linear; ranks 4, 8; size 1KiB; "
                    "algorithm ring");
  CHECK_THROWS_WITH(find_base(document, "ring"), "'ring': a value of topology and of algorithm; say which: topology=ring");
  CHECK(find_base(document, "algorithm=ring").axis == "algorithm");
  CHECK_THROWS_AS(find_base(document, "algorithm=star"), InputError);
}

}  // namespace heddle
