// SPDX-License-Identifier: Apache-2.0
// GOAL as it is written, read by a parser of the tests' own: its grammar, and that each send has its receive.
#include "schedules/files/write_goal.hpp"

#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/catch.hpp"
#include "tests/schedules/files.hpp"

namespace heddle {
namespace {

struct Operation {
  std::string what;  ///< send, recv, calc
  std::int64_t amount = 0;
  int peer = -1;
  int tag = 0;
  std::vector<int> requires_;
};

struct Goal {
  std::vector<std::map<int, Operation>> ranks;  ///< by label
};

/// Throws where a line is not of the grammar.
Goal parse(const std::string& text) {
  Goal goal;
  std::istringstream in(text);
  std::string line;
  std::smatch parts;
  std::getline(in, line);
  REQUIRE(std::regex_match(line, parts, std::regex("num_ranks (\\d+)")));
  const std::size_t ranks = std::stoul(parts[1]);
  while (std::getline(in, line)) {
    REQUIRE(line == "rank " + std::to_string(goal.ranks.size()) + " {");
    std::map<int, Operation>& rank = goal.ranks.emplace_back();
    while (std::getline(in, line) && line != "}") {
      if (std::regex_match(line, parts, std::regex("l(\\d+): (send|recv) (\\d+)b (to|from) (\\d+) tag (\\d+)"))) {
        CHECK((parts[2] == "send") == (parts[4] == "to"));
        rank[std::stoi(parts[1])] = {parts[2], std::stoll(parts[3]), std::stoi(parts[5]), std::stoi(parts[6]), {}};
      } else if (std::regex_match(line, parts, std::regex("l(\\d+): calc (\\d+)"))) {
        rank[std::stoi(parts[1])] = {"calc", std::stoll(parts[2]), -1, 0, {}};
      } else {
        REQUIRE(std::regex_match(line, parts, std::regex("l(\\d+) requires l(\\d+)")));
        REQUIRE(rank.contains(std::stoi(parts[1])));
        REQUIRE(rank.contains(std::stoi(parts[2])));
        rank[std::stoi(parts[1])].requires_.push_back(std::stoi(parts[2]));
      }
    }
    REQUIRE(line == "}");
  }
  REQUIRE(goal.ranks.size() == ranks);
  return goal;
}

std::string goal_of(const std::string& name, std::int64_t count) {
  std::ostringstream out;
  write_goal(CompiledSchedule(testing::read_schedule(name)), count, 4, 0, out);
  return out.str();
}

}  // namespace

TEST_CASE("each message is sent and received with the same bytes on the same tag") {
  for (const char* name : {"ring", "tree", "allpairs", "hierarchical", "two_channels", "alltoall", "broadcast"}) {
    for (const std::int64_t count : {40, 43}) {
      const bool has_blocks = std::string(name) == "alltoall" || std::string(name) == "two_channels";
      const Goal goal = parse(goal_of(name, has_blocks ? 40 : count));
      // By source, destination and tag: bytes in order.
      std::map<std::tuple<int, int, int>, std::vector<std::int64_t>> sent, received;
      for (int rank = 0; rank < static_cast<int>(goal.ranks.size()); ++rank) {
        for (const auto& [label, operation] : goal.ranks[static_cast<std::size_t>(rank)]) {
          if (operation.what == "send") sent[{rank, operation.peer, operation.tag}].push_back(operation.amount);
          if (operation.what == "recv") received[{operation.peer, rank, operation.tag}].push_back(operation.amount);
        }
      }
      INFO(name);
      CHECK(!sent.empty());
      CHECK(sent == received);
    }
  }
}

TEST_CASE("what a step waits for, its operation requires") {
  // The second gpu of the chain of four: each chunk comes, then goes on; steps are in order.
  const Goal goal = parse(goal_of("broadcast", 3));
  const std::map<int, Operation>& rank = goal.ranks[1];
  REQUIRE(rank.size() == 6);
  for (int label = 1; label <= 6; ++label) {
    CHECK(rank.at(label).what == (label % 2 == 1 ? "recv" : "send"));
    CHECK(rank.at(label).requires_ == (label == 1 ? std::vector<int>{} : std::vector<int>{label - 1}));
  }
}

}  // namespace heddle
