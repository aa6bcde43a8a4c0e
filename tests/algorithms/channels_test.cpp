// SPDX-License-Identifier: Apache-2.0
// Rings and trees over channels: who follows whom, results and formulas on nodes of several ranks, and what NICs carry.
#include "algorithms/families/channels.hpp"

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "algorithms/families/channel_graph.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "tests/algorithms/nested_groups.hpp"
#include "tests/algorithms/numbers.hpp"
#include "tests/catch.hpp"
#include "tests/every_row.hpp"

namespace heddle {

namespace {

using plans::channel_chains;
using plans::channel_rings;
using plans::channel_trees;
using plans::ChannelRing;
using plans::Tree;
using testing::call_of;
using testing::groups_of;
using testing::in_place_on;

std::vector<int> parents(const Tree& tree) {
  std::vector<int> all;
  for (int rank = 0; rank < tree.ranks(); ++rank) all.push_back(tree.parent(rank));
  return all;
}

/// Even and uneven nodes, of one rank too; nodes in groups of nodes; no nodes.
std::vector<Tiers> several_tiers() {
  return {groups_of({{4, 4}}),
          groups_of({{8, 8, 8}}),
          groups_of({{3, 1, 4}}),
          groups_of({{2, 2, 2, 2, 2, 2}, {3, 3}}),
          groups_of({{5, 2}}),
          groups_of({{6}}),
          groups_of({{3, 2, 2, 1, 4}, {2, 3}})};
}

struct Row {
  Collective collective;
  std::string name;
};
std::vector<Row> rows_over(int channels) {
  const std::string option = ":channels=" + std::to_string(channels);
  return {{Collective::allreduce, "ring" + option},
          {Collective::reduce_scatter, "ring" + option},
          {Collective::allgather, "ring" + option},
          {Collective::broadcast, "chain:segments=3" + option},
          {Collective::reduce, "chain:segments=3" + option},
          {Collective::allreduce, "double_binary_tree:segments=3" + option},
          {Collective::broadcast, "double_binary_tree" + option},
          {Collective::reduce, "double_binary_tree" + option}};
}

/// An allreduce on nodes whose NVLink has 300 GB/s and whose NICs have 25 GB/s each.
Report run_on(const std::string& spec, const std::string& algorithm, std::int64_t bytes) {
  Experiment what = in_place_on(spec);
  what.fabric.bandwidth = {Bandwidth(300e9), Bandwidth(25e9)};
  what.collective = Collective::allreduce;
  what.algorithm = algorithm;
  what.size = Bytes(bytes);
  what.payload = Bytes(1 << 20);
  return testing::run(set_up(what));
}

double busbw(const Report& report, std::int64_t bytes, int ranks) {
  return 2.0 * (ranks - 1) / ranks * static_cast<double>(bytes) / report.completion.seconds() / 1e9;
}

}  // namespace

TEST_CASE("rings over channels as drawn: each enters a node at another rank") {
  const std::vector<ChannelRing> rings = channel_rings(groups_of({{4, 4}}), 8, false, 5);
  CHECK(rings[0].order == std::vector{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(rings[1].order == std::vector{1, 2, 3, 0, 5, 6, 7, 4});
  CHECK(rings[2].order == std::vector{2, 3, 0, 1, 6, 7, 4, 5});
  CHECK(rings[3].order == std::vector{3, 0, 1, 2, 7, 4, 5, 6});
  CHECK(rings[4].order == std::vector{0, 3, 2, 1, 4, 7, 6, 5});
  // Flat: the second goes backwards; on a grid the third goes forwards again.
  CHECK(channel_rings({}, 5, false, 3)[1].order == std::vector{1, 0, 4, 3, 2});
  CHECK(channel_rings({}, 5, false, 3)[2].order == std::vector{2, 4, 1, 3, 0});
  CHECK(channel_rings({}, 5, true, 3)[2].order == std::vector{2, 3, 4, 0, 1});
  // Uneven nodes begin at their own ranks; a node's first rank comes after all of the node before it.
  CHECK(channel_rings(groups_of({{3, 1, 2}}), 6, false, 3)[2].order == std::vector{2, 0, 1, 3, 4, 5});
  // In groups of nodes: another node begins once the ranks of one have all had their turn.
  CHECK(channel_rings(groups_of({{2, 2, 2, 2}, {2, 2}}), 8, false, 3)[2].order == std::vector{2, 3, 0, 1, 6, 7, 4, 5});
}

TEST_CASE("each ring passes every rank once, node after node") {
  for (const Tiers& tiers : several_tiers()) {
    const auto ranks = static_cast<int>(tiers.group.front().size());
    for (const ChannelRing& ring : channel_rings(tiers, ranks, false, 9)) {
      CHECK(std::set<int>(ring.order.begin(), ring.order.end()).size() == static_cast<std::size_t>(ranks));
      for (int rank = 0; rank < ranks; ++rank) CHECK(ring.at(ring.position[static_cast<std::size_t>(rank)]) == Rank(rank));
      for (const std::vector<int>& groups : tiers.group) {
        int entries = 0;
        for (int place = 0; place < ranks; ++place)
          if (groups[static_cast<std::size_t>(ring.at(place).value())] !=
              groups[static_cast<std::size_t>(ring.at(place - 1).value())])
            ++entries;
        const auto parts = static_cast<int>(std::set<int>(groups.begin(), groups.end()).size());
        CHECK(entries == (parts == 1 ? 0 : parts));
      }
    }
  }
}

namespace {

std::string graph_file(const std::string& name, const std::string& graphs) {
  std::ofstream(name) << "<graphs version=\"1\">\n" << graphs << "</graphs>\n";
  return name;
}

/// Channels of four GPUs, one a text of digits: "0123".
std::string graph_of(int pattern, const std::vector<std::string>& channels) {
  std::string text = "<graph id=\"0\" pattern=\"" + std::to_string(pattern) + "\">\n";
  for (const std::string& channel : channels) {
    text += "<channel><net dev=\"0\"/>";
    for (const char gpu : channel) text += std::string("<gpu dev=\"") + gpu + "\"/>";
    text += "<net dev=\"1\"/></channel>\n";
  }
  return text + "</graph>\n";
}

std::string refusal_of_ring(const std::string& options, Collective collective = Collective::allreduce) {
  try {
    find_algorithm(collective, "ring:" + options);
    return {};
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("NCCL's graph gives each ring its order, node after node") {
  // Beside the ring, trees. GPUs are numbered by dev: 2, 4, 6 and 9 are 0 to 3.
  const std::string file = graph_file("two_channels.xml", graph_of(1, {"2469"}) + graph_of(4, {"2694", "4296"}));
  const auto graph = plans::read_channel_graph(file);
  CHECK(graph->gpus == 4);
  CHECK(graph->chains == std::vector<std::vector<int>>{{0, 2, 3, 1}, {1, 0, 3, 2}});
  const std::vector<ChannelRing> rings = channel_rings(*graph, 8);
  CHECK(rings[0].order == std::vector{0, 2, 3, 1, 4, 6, 7, 5});
  CHECK(rings[1].order == std::vector{1, 0, 3, 2, 5, 4, 7, 6});
  CHECK(rings[1].position == std::vector{1, 0, 3, 2, 5, 4, 7, 6});
}

TEST_CASE("rings in the order of a graph are right, and use the links that it says") {
  // On a ring of four, 0-1-2-3, a chain 0 2 1 3 goes over two links in two of its four steps; the chain 0 1 2 3 over one in each.
  const std::string straight = graph_file("straight.xml", graph_of(4, {"0123"}));
  const std::string crossed = graph_file("crossed.xml", graph_of(4, {"0213"}));
  const auto run = [](Collective collective, const std::string& algorithm, int ranks) {
    Experiment what = in_place_on("ring:" + std::to_string(ranks));
    what.collective = collective;
    what.algorithm = algorithm;
    what.size = Bytes(1 << 16);
    return testing::run(set_up(what)).completion;
  };
  for (const Collective collective : {Collective::allreduce, Collective::reduce_scatter, Collective::allgather}) {
    CHECK(run(collective, "ring:order=" + straight, 4) == run(collective, "ring", 4));
    CHECK(run(collective, "ring:order=" + crossed, 4) > run(collective, "ring", 4));
    CHECK(run(collective, "ring:order=two_channels.xml", 12) > Time());
  }
  CHECK_THROWS_WITH(run(Collective::allreduce, "ring:order=" + straight, 6),
                    Catch::Contains("it needs whole nodes of the 4 GPUs that straight.xml has"));
}

TEST_CASE("a graph that is no ring is refused in a line") {
  const auto refused = [](const std::string& graphs) { return refusal_of_ring("order=" + graph_file("refused.xml", graphs)); };
  CHECK(refused(graph_of(1, {"01"})) ==
        "refused.xml:1: no ring in it: pattern 1 is a balanced tree; a ring is a <graph> with pattern 4");
  CHECK(refused(graph_of(5, {"0"})) == "refused.xml:1: no ring in it: pattern 5 is NVLS; a ring is a <graph> with pattern 4");
  CHECK(refused("") == "refused.xml:1: no <graph> in it; a ring is one with pattern 4");
  CHECK(refused(graph_of(4, {"01"}) + graph_of(4, {"10"})).find("refused.xml:5: a second <graph> with pattern 4") == 0);
  CHECK(refused(graph_of(4, {"01", "12"})).find("refused.xml:4: other GPUs than in the first channel") == 0);
  CHECK(refused(graph_of(4, {"010"})).find("refused.xml:3: gpu 0 twice in a channel") == 0);
  CHECK(refused(graph_of(4, {})).find("refused.xml:2: a <graph> without a <channel>") == 0);
  CHECK(refused(graph_of(4, {"a"})).find("dev 'a': a whole number is needed") != std::string::npos);
  CHECK(refusal_of_ring("order=two_channels.xml:channels=2") ==
        "option channels=2: two_channels.xml has its own channels; leave channels out");
  CHECK(refusal_of_ring("order=nowhere.xml").find("nowhere.xml: ") == 0);
}

TEST_CASE("trees over channels as drawn: between nodes by the channel's rank, and a chain within") {
  const Tiers tiers = groups_of({{4, 4}});
  const std::vector<Tree> trees = channel_trees(tiers, 8, 2);
  REQUIRE(trees.size() == 4);
  CHECK(parents(trees[0]) == std::vector{-1, 0, 1, 2, 0, 4, 5, 6});
  CHECK(parents(trees[2]) == std::vector{3, -1, 1, 2, 7, 1, 5, 6});  // 1 - 2 - 3 - 0, 5 - 6 - 7 - 4
  CHECK(trees[3].root() == 5);                                       // the second of a pair has the last node's root
  CHECK(plans::height_of(trees) == 1 + 3);

  // Under a root the channel's rank of its node hangs on it and joins the other nodes.
  const std::vector<Tree> rooted = channel_trees(tiers, 8, 2, 2);
  CHECK(parents(rooted[0]) == std::vector{2, 0, -1, 1, 0, 4, 5, 6});
  CHECK(parents(channel_chains(tiers, 8, false, 2, 6)[1]) == std::vector{3, 4, 1, 2, 7, 0, -1, 6});
  // One channel is what there was before: in rank order, whatever the tiers.
  CHECK(parents(channel_trees(tiers, 8, 1)[0]) == std::vector{-1, 2, 4, 2, 0, 6, 4, 6});
  CHECK(parents(channel_chains(tiers, 4, false, 1, 1)[0]) == std::vector{3, -1, 1, 2});
}

TEST_CASE("rows over channels are right, and as their formulas say, on even nodes and uneven ones, from any root") {
  for (const auto& [spec, placed] :
       std::vector<std::pair<std::string, std::string>>{{"superpod:pods=2,gpus=4,trays=1", "linear"},
                                                        {"superpod:pods=3,gpus=4,trays=2", "groups:3+1+4"},
                                                        {"superpod:pods=2,gpus=4,trays=1", "random:3"},
                                                        {"clos:hosts=2,leaves=3,spines=1,pods=2,cores=1", "linear"}}) {
    for (const int channels : {2, 5}) {
      for (const Row& of : rows_over(channels)) {
        const Algorithm row = find_algorithm(of.collective, of.name);
        Experiment what = call_of(row, in_place_on(spec));
        what.placement = placed;
        const int ranks = ranks_of_placement(placed).value_or(what.shape().ranks);
        for (const int root : has_root(row.collective) ? std::set{0, ranks / 2, ranks - 1} : std::set{0}) {
          what.root = root;
          set_count(what, 7);
          INFO(what.text());
          REQUIRE_NOTHROW(testing::run(set_up(what)));
          set_count(what, 2 * row.block_count(set_up(what).shape()));
          const Setup setup = set_up(what);
          const Report report = testing::run(setup);
          CHECK(report.rounds_max() == row.rounds(setup.shape()));
          CHECK(report.sent_max().count() == row.bytes(setup.shape()));
        }
      }
    }
  }
}

TEST_CASE("rings over channels take blocks of any size") {
  for (const Collective collective : {Collective::reduce_scatter, Collective::allgather}) {
    Experiment what = call_of(find_algorithm(collective, "ring:channels=3"), in_place_on("superpod:pods=3,gpus=4,trays=2"));
    what.placement = "groups:3+1+4";
    set_blocks(what, testing::skewed_sizes(8));
    REQUIRE_NOTHROW(testing::run(set_up(what)));
  }
}

// NVLink 300 GB/s, eight NICs of 25 GB/s a node. A ring's block crosses 2·15 times: by one NIC busbw is 25 GB/s, by eight 200. A pair of
// trees between two nodes sends half of a slice each way up and down: M by all NICs, so algbw is 200 GB/s.
TEST_CASE("on nodes with eight NICs a ring over eight channels has the busbw of all of them") {
  constexpr std::int64_t kBytes = std::int64_t{1} << 30;
  const std::string spec = "superpod:pods=2,gpus=8,trays=1";
  const auto busbw_of = [&](const std::string& algorithm) { return busbw(run_on(spec, algorithm, kBytes), kBytes, 16); };
  CHECK(busbw_of("ring") == Approx(25).epsilon(0.01));
  const double ring = busbw_of("ring:channels=8");
  CHECK(ring == Approx(200).epsilon(0.01));
  CHECK(ring >= 0.9 * busbw_of("hierarchical"));
  CHECK(busbw_of("double_binary_tree:channels=8") > 8 * 25);
  CHECK(busbw_of("double_binary_tree") < 60);
}

TEST_CASE("on a ring two channels go opposite ways, and on a full mesh each has links of its own") {
  constexpr std::int64_t kBytes = 1 << 20;
  const auto time = [](const std::string& spec, const std::string& algorithm) {
    Experiment what = in_place_on(spec);
    what.algorithm = algorithm;
    what.size = Bytes(kBytes);
    what.fabric.latency = {Time()};
    return testing::run(set_up(what)).completion.seconds();
  };
  CHECK(time("ring:8", "ring:channels=2") == Approx(time("ring:8", "ring") / 2).epsilon(0.01));
  CHECK(time("fullmesh:8", "ring:channels=4") == Approx(time("fullmesh:8", "ring") / 4).epsilon(0.01));
  CHECK(time("star:8", "ring:channels=4") == Approx(time("star:8", "ring")).epsilon(0.01));
}

TEST_CASE("trees over channels reorder contributions, one pair of trees does not") {
  CHECK(find_algorithm(Collective::allreduce, "double_binary_tree:channels=2").needs.commutative);
  CHECK_FALSE(find_algorithm(Collective::allreduce, "double_binary_tree").needs.commutative);
}

TEST_CASE("other libraries' names are answered with heddle's") {
  const auto answer = find_algorithm;
  CHECK_THROWS_WITH(answer(Collective::allreduce, "one-shot"),
                    "allreduce algorithm 'one-shot': here its name is bruck_latency:ports=p-1, p the number of ranks");
  CHECK_THROWS_WITH(answer(Collective::allreduce, "TwoShot"), Catch::Contains("here its name is bruck_bandwidth:ports=p-1"));
  CHECK_THROWS_WITH(answer(Collective::alltoall, "direct"), "alltoall algorithm 'direct': here its name is linear");
  // What they name is that: all at once in one round, in two.
  CHECK(find_algorithm(Collective::allreduce, "bruck_latency:ports=7").rounds({.ranks = 8}) == 1);
  CHECK(find_algorithm(Collective::allreduce, "bruck_bandwidth:ports=7").rounds({.ranks = 8}) == 2);
}

}  // namespace heddle
