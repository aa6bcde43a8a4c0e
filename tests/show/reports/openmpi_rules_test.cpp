// SPDX-License-Identifier: Apache-2.0
// The rules file as Open MPI reads it, by a reader of its grammar that is not the writer's.
#include "show/reports/decision_files.hpp"

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/lab/results/sweep_of.hpp"

namespace heddle::decisions {

using test::sweep_of;

namespace {

struct Rule {
  long bytes, algorithm, faninout, segment;
};

/// By collective, then ranks.
using Rules = std::map<long, std::map<long, std::vector<Rule>>>;

/// Numbers between blanks; # and what follows it on its line is nothing. What Open MPI would refuse fails.
class Reader {
 public:
  explicit Reader(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line.substr(0, line.find('#')));
      for (std::string word; words >> word;) numbers_.push_back(std::stol(word));
    }
  }

  Rules rules() {
    Rules rules;
    for (long collectives = next(); collectives > 0; --collectives) {
      auto& of = rules[next()];
      long before = 0;
      for (long communicators = next(); communicators > 0; --communicators) {
        const long ranks = next();
        CHECK(ranks > before);
        before = ranks;
        for (long left = next(); left > 0; --left) of[ranks].push_back({next(), next(), next(), next()});
        REQUIRE_FALSE(of[ranks].empty());
        CHECK(of[ranks].front().bytes == 0);
        for (std::size_t i = 1; i < of[ranks].size(); ++i) CHECK(of[ranks][i].bytes > of[ranks][i - 1].bytes);
      }
    }
    CHECK(at_ == numbers_.size());
    return rules;
  }

 private:
  long next() {
    REQUIRE(at_ < numbers_.size());
    CHECK(numbers_[at_] >= 0);
    return numbers_[at_++];
  }

  std::vector<long> numbers_;
  std::size_t at_ = 0;
};

/// The rule of the most ranks and then the most bytes that are not more than the call's, as Open MPI finds it.
std::optional<Rule> found(const Rules& rules, long collective, long ranks, long bytes) {
  const std::vector<Rule>* of_ranks = nullptr;
  for (const auto& [least, some] : rules.at(collective))
    if (least <= ranks) of_ranks = &some;
  if (of_ranks == nullptr) return std::nullopt;
  std::optional<Rule> best;
  for (const Rule& rule : *of_ranks)
    if (rule.bytes <= bytes) best = rule;
  return best;
}

}  // namespace

TEST_CASE("the rules file says what was decided in every cell, and leaves the rest to Open MPI") {
  const std::vector<NamedSweep> sweeps = {
      sweep_of("allreduce", {{4, 1024, "ring", 9},
                             {4, 1024, "recursive_doubling", 5},
                             {4, 65536, "rabenseifner", 7},
                             {8, 1024, "bine_small", 5},
                             {8, 65536, "ring", 5}}),
      sweep_of("broadcast", {{1, 4096, "chain", 5, 0}, {4, 4096, "chain", 5, 10}, {8, 4096, "scatter_allgather", 5}}),
      sweep_of("barrier", {{6, 0, "dissemination", 3}})};
  const Decisions decided = decide(openmpi_target(), sweeps);
  const Rules rules = Reader(openmpi_rules(decided)).rules();
  CHECK(rules.size() == 3);
  int cells = 0;
  for (const CollectiveDecisions& of : decided.collectives)
    for (const RankDecisions& at : of.ranks)
      for (const Decision& decision : at.sizes) {
        ++cells;
        const std::optional<Rule> rule = found(rules, of.collective->id, at.ranks, decision.bytes);
        REQUIRE(rule);
        CHECK(rule->algorithm == (decision.choice ? decision.choice->mapping->id : 0));
        CHECK(rule->segment == (decision.choice ? decision.choice->segment.count() : 0));
        CHECK(rule->faninout == 0);
      }
  CHECK(cells == 8);
  CHECK(found(rules, 2, 3, 1024)->algorithm == 0);   // fewer ranks than were measured
  CHECK(found(rules, 2, 5, 70000)->algorithm == 6);  // up to the next number of ranks, above the last size
  CHECK(found(rules, 2, 8, 1024)->algorithm == 0);   // nothing that Open MPI has
  CHECK(found(rules, 2, 99, 65536)->algorithm == 4);
  CHECK(found(rules, 7, 4, 0)->segment == 512);
}

TEST_CASE("the rules file, whole") {
  const auto sweep =
      sweep_of("allreduce", {{8, 1024, "recursive_doubling", 5}, {8, 1024, "swing_latency", 4}, {8, 65536, "ring", 7}});
  CHECK(openmpi_rules(decide(openmpi_target(), {sweep})) ==
        "# Rules for Open MPI (4.1 and 5, coll_tuned), from measurements of heddle 0.1.0 on emulated fabrics.\n"
        "# mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE\n"
        "# the speeds of star:8 are assumed, not fitted to measured runs (heddle fit) (links 50GB/s)\n"
        "# what is less than 5 % ahead of the next best is left to Open MPI (--margin)\n"
        "1  # collectives\n"
        "\n"
        "2  # allreduce\n"
        "2  # communicators\n"
        "1  # ranks and more\n"
        "1  # rule\n"
        "0 0 0 0  # Open MPI decides by itself\n"
        "8  # ranks and more: star:8, 8 ranks\n"
        "2  # rules\n"
        "0 3 0 0  # recursive_doubling (5us)\n"
        "65536 4 0 0  # ring (7us)\n"
        "# 1KiB: swing_latency is the fastest (4us), but Open MPI has no Swing\n");
}

TEST_CASE("the rules file says how far each decision is ahead, what is too close, and what is estimated") {
  const auto sweep = sweep_of("allreduce", {{8, 1024, "recursive_doubling", 100},
                                            {8, 1024, "ring", 104},
                                            {8, 2048, "recursive_doubling", 100},
                                            {8, 2048, "ring", 200},
                                            {8, 4096, "recursive_doubling", 300},
                                            {8, 4096, "ring", 200}});
  const std::string text = openmpi_rules(decide(openmpi_target(), {sweep}));
  CHECK_THAT(text, Catch::Contains(
                       "\n3  # rules\n"
                       "0 0 0 0  # Open MPI decides by itself: recursive_doubling (100us, ring +4.0 %) is too little ahead\n"
                       "2048 3 0 0  # recursive_doubling (100us, ring +100.0 %)\n"
                       "3072 4 0 0  # ring (about 200us, estimated between two sizes)\n"));
  const std::string all = openmpi_rules(decide(openmpi_target(), {sweep}, "", 0));
  CHECK_THAT(all, Catch::Contains("\n0 3 0 0  # recursive_doubling (100us, ring +4.0 %)\n3072 4 0 0  # ring"));
  CHECK(all.find("--margin") == std::string::npos);
}

TEST_CASE("a fabric's name ends no comment") {
  auto sweep = sweep_of("allreduce", {{8, 1024, "ring", 5}});
  sweep.document.runs[0].fabric = "file:a\n7 7 7";
  sweep.document.context["fabrics"][0]["fabric"] = "file:a\n7 7 7";
  const Rules rules = Reader(openmpi_rules(decide(openmpi_target(), {sweep}))).rules();
  CHECK(rules.size() == 1);
}

}  // namespace heddle::decisions
