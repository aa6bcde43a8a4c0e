// SPDX-License-Identifier: Apache-2.0
#include "emu/record/report.hpp"

#include <vector>

#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

Report three_ranks() {
  Report report;
  report.ranks.resize(3);
  report.ranks[0].messages = 3;
  report.ranks[0].sent = Bytes(30);
  report.ranks[1].messages = 1;
  report.ranks[1].sent = Bytes(500);
  for (const std::int64_t bytes : {7, 0, 9, 7, 1}) {
    LinkReport link;
    link.link = static_cast<LinkId>(report.links.size());
    link.bytes = Bytes(bytes);
    report.links.push_back(link);
  }
  report.rounds.resize(5);
  return report;
}

std::vector<LinkId> busiest(const Report& report, std::size_t most) {
  std::vector<LinkId> links;
  for (const LinkReport& link : report.busiest_links(most)) links.push_back(link.link);
  return links;
}

}  // namespace

TEST_CASE("a report's sums and maxima") {
  const Report report = three_ranks();
  CHECK(report.messages() == 4);
  CHECK(report.sent_max() == Bytes(500));
  CHECK(report.sent_total() == Bytes(530));
  CHECK(report.rounds_max() == 5);
  CHECK(Report().messages() == 0);
  CHECK(Report().sent_max() == Bytes(0));
  CHECK(Report().rounds_max() == 0);
}

TEST_CASE("the busiest links come first, ties by number, and idle ones not at all") {
  const Report report = three_ranks();
  CHECK(busiest(report, 10) == std::vector<LinkId>{2, 0, 3, 4});
  CHECK(busiest(report, 2) == std::vector<LinkId>{2, 0});
  CHECK(busiest(report, 0).empty());
  CHECK(busiest(Report(), 3).empty());
}

TEST_CASE("a run reports each link and each rank, and what the host spent") {
  const Fabric fabric = fabric_of("ring:4");
  const Report report = run_on(fabric, at_once({{0, 1, 100}, {1, 2, 50}, {2, 2, 10}}));
  REQUIRE(report.links.size() == static_cast<std::size_t>(fabric.topology().links()));
  for (std::size_t i = 0; i < report.links.size(); ++i) CHECK(report.links[i].link == static_cast<LinkId>(i));
  REQUIRE(report.ranks.size() == 4);
  CHECK(report.ranks[0].messages == 1);
  CHECK(report.ranks[1].sent == Bytes(50));
  CHECK(report.ranks[1].received == Bytes(100));
  CHECK(report.ranks[2].messages == 0);
  CHECK(report.byte_scale == 1);
  CHECK(report.host.messages == 3);  // the one to itself was carried, too
  CHECK(report.host.wall_seconds > 0);
  CHECK(report.host.peak_rss_bytes > 0);
}

}  // namespace heddle
