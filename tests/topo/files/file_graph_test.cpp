// SPDX-License-Identifier: Apache-2.0
// Fabrics from JSON files: what they say, how they are routed, and the line that each error names.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/topo/topology_examples.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/files/file_graph.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
namespace {

/// A file that is there as long as this.
class FabricFileOnDisk {
 public:
  explicit FabricFileOnDisk(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("heddle_fabric_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)))) {
    std::ofstream(path_) << text;
  }
  ~FabricFileOnDisk() { std::filesystem::remove(path_); }
  FabricFileOnDisk(const FabricFileOnDisk&) = delete;
  FabricFileOnDisk& operator=(const FabricFileOnDisk&) = delete;

  std::string path() const { return path_.string(); }
  std::shared_ptr<const Topology> topology() const { return parse_topology("file:" + path()); }
  /// The error without the file's name; empty if there is none.
  std::string refusal() const {
    try {
      topology();
      return {};
    } catch (const InputError& error) {
      const std::string what = error.what();
      return what.rfind(path(), 0) == 0 ? what.substr(path().size()) : what;
    }
  }

 private:
  std::filesystem::path path_;
};

std::string refusal_of(const std::string& text) { return FabricFileOnDisk(text).refusal(); }

const char* const kTwoLeaves = R"({
  "endpoints": [{"name": "a", "groups": ["left"]}, {"name": "b", "groups": ["left"]}, {"name": "c", "groups": ["right"]}],
  "switches": ["l0", "l1", {"name": "s0", "alu": true, "multicast": true, "radix": 8, "align": 16, "precision": "f16"}, "s1"],
  "tiers": [{"name": "leaf", "bandwidth": "400Gbps", "latency": "200ns"},
            {"name": "spine", "latency": "1us", "eta_alpha": 1.5, "eta_beta": 0.5}],
  "links": [
    {"from": "a", "to": "l0", "tier": "leaf"},
    {"from": "b", "to": "l0", "tier": "leaf"},
    {"from": "c", "to": "l1", "tier": "leaf"},
    {"from": "l0", "to": "s0", "tier": "spine", "cables": 3},
    {"from": "l0", "to": "s1", "tier": "spine"},
    {"from": "l1", "to": "s0", "tier": 1},
    {"from": "l1", "to": "s1", "tier": 1}
  ]
})";

}  // namespace

TEST_CASE("a file's fabric has what it says") {
  const FabricFileOnDisk file(kTwoLeaves);
  const auto topology = file.topology();
  CHECK(topology->spec() == "file:" + file.path());
  CHECK_FALSE(topology->is_direct());
  const TopologyProperties facts = topology->properties();
  CHECK(facts.endpoints == 3);
  CHECK(facts.switches == 4);
  CHECK(facts.cables == 9);
  CHECK(facts.diameter == 4);
  CHECK(facts.bisection == 1);  // a alone
  REQUIRE(facts.tiers.size() == 2);
  CHECK(facts.tiers[0].name == "leaf");
  CHECK(facts.tiers[0].switches == 2);
  CHECK(facts.tiers[1].cables == 6);
  CHECK(topology->link_name(0) == "a->l0");
  CHECK(topology->group_tiers() == 2);
  CHECK(topology->group(0, 0) == topology->group(1, 0));
  CHECK(topology->group(0, 0) != topology->group(2, 0));
  CHECK_FALSE(topology->offers(3).computes());
  const SwitchOffers& spine = topology->offers(5);
  CHECK((spine.alu && spine.multicast && !spine.scatter_gather));
  CHECK(spine.radix == 8);
  CHECK(spine.alignment == 16);
  CHECK(spine.precision == Datatype::f16());
  const std::vector<LinkSpeed> speeds = topology->tier_speeds();
  REQUIRE(speeds.size() == 2);
  CHECK(speeds[0].bandwidth.bytes_per_second() == 50e9);
  CHECK(speeds[0].latency == Time::ps(200'000));
  CHECK(speeds[1].eta_alpha == 1.5);
  CHECK(speeds[1].eta_beta == 0.5);
}

TEST_CASE("a file that has changed is read anew; a topology without a file is kept for the next who asks") {
  const FabricFileOnDisk file(R"({"endpoints": ["a", "b"], "links": [{"from": "a", "to": "b"}]})");
  CHECK(file.topology()->endpoints() == 2);
  std::ofstream(file.path())
      << R"({"endpoints": ["a", "b", "c"], "links": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}]})";
  CHECK(file.topology()->endpoints() == 3);
  const auto ring = parse_topology("ring:5");
  CHECK(parse_topology("ring:5") == ring);
  CHECK(parse_topology("ring:6") != ring);
  CHECK_THROWS_AS(parse_topology("ring:0"), InputError);
  CHECK(parse_topology("ring:5")->endpoints() == 5);
}

TEST_CASE("a fabric may be given as text, and is checked as a file is") {
  const auto topology = fabric_from_text(kTwoLeaves, "mine");
  CHECK(topology->spec() == "given:mine");
  CHECK(topology->properties().cables == 9);
  CHECK(topology->checksum() == FabricFileOnDisk(kTwoLeaves).topology()->checksum());
  CHECK_THROWS_WITH(fabric_from_text("{\"endpoints\": 2,\n \"links\": [{\"from\": 0, \"to\": 5}]}", "mine"),
                    "mine:2: link from '0' to '5': no such vertex '5'");
  CHECK_THROWS_WITH(fabric_from_text("{", "mine"), Catch::StartsWith("mine:1: "));
  CHECK_THROWS_WITH(fabric_from_text(kTwoLeaves, "a,b"),
                    "'a,b' is no name of a fabric: it has letters, and neither a comma nor '='");
}

namespace {

/// By the names of both ends and the tier: cables one way, with their speeds.
std::map<std::string, int> named_links(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  std::map<std::string, int> links;
  for (LinkId link = 0; link < topology.links(); ++link)
    ++links[topology.link_name(link) + ' ' + std::to_string(topology.tier(link)) + ' ' +
            std::to_string(fabric.bandwidth(link).bytes_per_second()) + ' ' + std::to_string(fabric.latency(link).ps())];
  return links;
}

}  // namespace

TEST_CASE("any fabric is written as a file, and read again: the same links, groups and offers") {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = Bandwidth(12'345'678'901.25), .latency = Time::ps(1'234'567), .eta_alpha = 1.25},
                    {.bandwidth = Bandwidth(1e11 / 3), .latency = Time::ps(7), .eta_beta = 0.3},
                    {.bandwidth = Bandwidth::unlimited()}};
  for (const std::string_view spec : example_topologies()) {
    INFO(spec);
    const Fabric fabric(parse_topology(spec), settings);
    const std::string text = fabric_file_text(fabric);
    const auto read = fabric_from_text(text, "again");
    FabricSettings speeds;
    speeds.tiers = read->tier_speeds();
    const Fabric again(read, speeds);
    CHECK(named_links(again) == named_links(fabric));
    CHECK((read->is_direct() == fabric.topology().is_direct() || spec.starts_with("superpod")));  // whose rails meet in GPUs
    REQUIRE(read->group_tiers() == fabric.topology().group_tiers());
    const int all = read->endpoints();
    for (int tier = 0; tier < read->group_tiers(); ++tier)
      for (VertexId a = 0; a < all; ++a)
        CHECK((read->group(a, tier) == read->group(0, tier)) ==
              (fabric.topology().group(a, tier) == fabric.topology().group(0, tier)));
    CHECK(fabric_file_text(again) == text);
  }
  const auto offers = parse_topology("star:8,alu,radix=6");
  CHECK(fabric_from_text(fabric_file_text(Fabric(offers, {})), "star")->offers(8).radix == 6);
}

TEST_CASE("every shortest walk over cables has the same share, cables side by side are one path") {
  const auto topology = FabricFileOnDisk(kTwoLeaves).topology();
  // Three walks over s0, one over s1.
  const Route split = route_between(*topology, 0, 2);
  REQUIRE(split.paths().size() == 2);
  CHECK(split.paths()[0].share == Approx(0.75));
  CHECK(split.paths()[1].share == Approx(0.25));
  for (const Route::Path& path : split.paths()) {
    const auto spread = spread_along(*topology, 0, split, path);
    REQUIRE(spread.size() == 5);
    CHECK(spread.back().count(2) == 1);
  }
  CHECK(links_of(*topology, split.links()[1]).size() == 3);
  CHECK(ways(*topology, 0, 1) == std::vector<std::vector<VertexId>>{{0, 3, 1}});
  CHECK(ways(*topology, 0, 2, Routing::deterministic()) == std::vector<std::vector<VertexId>>{{0, 3, 5, 4, 2}});
  // A hash takes three flows of four over s0, and all of its cables.
  std::set<LinkId> taken;
  for (std::uint64_t seed = 0; seed < 100; ++seed) taken.insert(route_between(*topology, 0, 2, Routing::ecmp(seed)).links()[1]);
  CHECK(taken.size() == 4);
}

TEST_CASE("a file of another family's fabric is routed the same") {
  const std::string_view spec = GENERATE("dragonfly+:groups=3,leaves=2,spines=2,hosts=2", "star:5", "fullmesh:4", "mesh:1x5",
                                         "dragonfly+:groups=4,leaves=3,spines=2,hosts=1,cables=3");
  CAPTURE(spec);
  const auto original = parse_topology(spec);
  std::string text = "{\"endpoints\": " + std::to_string(original->endpoints()) + ", \"switches\": [";
  for (int s = 0; s < original->switches(); ++s) text += (s == 0 ? "" : ", ") + ("\"sw" + std::to_string(s) + "\"");
  text += "], \"links\": [";
  const auto name = [&](VertexId vertex) {
    return vertex < original->endpoints() ? std::to_string(vertex)
                                          : "\"sw" + std::to_string(vertex - original->endpoints()) + "\"";
  };
  for (LinkId link = 0; link < original->links(); ++link) {
    const LinkEnds ends = original->ends(link);
    text +=
        (link == 0 ? "" : ",\n") + ("{\"from\": " + name(ends.from)) + ", \"to\": " + name(ends.to) + ", \"one_way\": true}";
  }
  const auto copy = FabricFileOnDisk(text + "]}").topology();
  CHECK(copy->links() == original->links());
  CHECK(copy->is_direct() == original->is_direct());
  CHECK(copy->properties().diameter == original->properties().diameter);
  CHECK(copy->properties().cables == original->links());  // each is one way
  const std::vector<double> expected = all_to_all_loads(*original);
  const std::vector<double> loads = all_to_all_loads(*copy);
  for (std::size_t link = 0; link < loads.size(); ++link) CHECK(loads[link] == Approx(expected[link]));
}

TEST_CASE("on a mesh from a file each of the (dx + dy choose dx) shortest ways has the same share") {
  constexpr int kWide = 4, kHigh = 5;
  std::string text = "{\"endpoints\": " + std::to_string(kWide * kHigh) + ", \"links\": [";
  const auto join = [&text](int a, int b) {
    text += (text.back() == '[' ? "" : ", ") + ("{\"from\": " + std::to_string(a)) + ", \"to\": " + std::to_string(b) + "}";
  };
  for (int at = 0; at < kWide * kHigh; ++at) {
    if (at % kWide + 1 < kWide) join(at, at + 1);
    if (at + kWide < kWide * kHigh) join(at, at + kWide);
  }
  const auto mesh = FabricFileOnDisk(text + "]}").topology();
  for (VertexId from = 0; from < kWide * kHigh; ++from) {
    for (VertexId to = 0; to < kWide * kHigh; ++to) {
      const int dx = std::abs(from % kWide - to % kWide), dy = std::abs(from / kWide - to / kWide);
      double ways = 1;
      for (int i = 1; i <= dx; ++i) ways = ways * (dy + i) / i;
      const Route route = route_between(*mesh, from, to);
      REQUIRE(std::ssize(route.paths()) == (from == to ? 0 : std::lround(ways)));
      for (const Route::Path& path : route.paths()) CHECK((path.count == dx + dy && path.share == Approx(1 / ways)));
    }
  }
}

TEST_CASE("beyond 64 paths a message takes 64 of them, spread evenly") {
  // Ten switches, each joined to each of ten others: 100 shortest walks from a to b.
  std::string text = R"({"endpoints": ["a", "b"], "switches": [)";
  for (int i = 0; i < 10; ++i) text += (i == 0 ? "\"u" : ", \"u") + std::to_string(i) + "\", \"v" + std::to_string(i) + "\"";
  text += "], \"links\": [{\"from\": \"a\", \"to\": \"u0\"}";
  for (int i = 0; i < 10; ++i) {
    if (i > 0) text += ", {\"from\": \"a\", \"to\": \"u" + std::to_string(i) + "\"}";
    text += ", {\"from\": \"v" + std::to_string(i) + "\", \"to\": \"b\"}";
    for (int j = 0; j < 10; ++j) text += ", {\"from\": \"u" + std::to_string(i) + "\", \"to\": \"v" + std::to_string(j) + "\"}";
  }
  const auto topology = FabricFileOnDisk(text + "]}").topology();
  const Route route = route_between(*topology, 0, 1);
  REQUIRE(route.paths().size() == 64);
  std::map<LinkId, double> first_links;
  for (const Route::Path& path : route.paths()) {
    CHECK(spread_along(*topology, 0, route, path).size() == 4);
    first_links[route.links()[static_cast<std::size_t>(path.first)]] += path.share;
  }
  CHECK(first_links.size() == 10);
  for (const auto& [link, share] : first_links) CHECK(share == Approx(0.1).margin(1.0 / 64));
}

TEST_CASE("what is wrong in a file is said with its line") {
  CHECK(refusal_of("{\n  \"endpoints\": 2,\n  \"switches\": [\"sw1\"],\n  \"links\": [{\"from\": 0, \"to\": \"sw1\"},\n"
                   "    {\"from\": 1, \"to\": \"sw9\"}]\n}") ==
        ":5: link from '1' to 'sw9': no such vertex 'sw9'; did you mean 'sw1'?");
  CHECK_THAT(refusal_of("{\n  \"endpoints\": 2,\n  \"links\": [,]\n}"),
             Catch::StartsWith(":3: ") && Catch::Contains("syntax error"));
  CHECK(refusal_of("{\n\"endpoints\": 2.5\n,\n\"links\": []}") ==
        ":2: 'endpoints' must be a whole number from 1 to 268435456, not 2.5");
  CHECK_THAT(refusal_of("{\n\"endpoints\": 2,\n\"link\": []}"),
             Catch::StartsWith(":3: ") && Catch::Contains("did you mean 'links'"));
  CHECK(refusal_of("{\n\"endpoints\": 2}") == ":1: the fabric has no 'links'");
  CHECK(refusal_of("[]") == ":1: the fabric must be an object, not a list");
  CHECK(refusal_of("{\"endpoints\": [\"a\",\n\n\"a\"], \"links\": []}") == ":3: there are two vertices 'a'");
  CHECK(refusal_of("{\"endpoints\": 2,\n\"endpoints\": 2}") == ":2: 'endpoints' is given twice");
  CHECK_THAT(refusal_of("{\"endpoints\": 2, \"tiers\": [\n{\"name\": \"x\", \"latency\": \"fast\"}], \"links\": []}"),
             Catch::StartsWith(":2: 'latency': "));
  CHECK_THAT(
      refusal_of(
          "{\"endpoints\": 2, \"links\": [{\"from\": 0, \"to\": 1,\n\"tier\": \"leav\"}], \"tiers\": [{\"name\": \"leaf\"}]}"),
      Catch::StartsWith(":2: link from '0' to '1': ") && Catch::Contains("did you mean 'leaf'"));
  CHECK(refusal_of("{\"endpoints\": 2, \"links\": [\n{\"from\": 0, \"to\": 0}]}") ==
        ":2: link from '0' to '0': it leads nowhere");
}

TEST_CASE("a file with a checksum is refused once it says something else") {
  const std::string text = R"({"endpoints": 2, "links": [{"from": 0, "to": 1, "cables": 2}])";
  const FabricFileOnDisk plain(text + "}");
  const std::string check = plain.topology()->checksum();
  const auto with_check = [&check](const std::string& rest) { return rest + ",\n \"check\": \"" + check + "\"}"; };
  CHECK(FabricFileOnDisk(with_check(text)).refusal().empty());
  CHECK(FabricFileOnDisk(with_check("\n " + text)).refusal().empty());  // as it is laid out has no say
  std::string changed = text;
  changed[changed.find("2}")] = '3';
  CHECK_THAT(
      FabricFileOnDisk(with_check(changed)).refusal(),
      Catch::StartsWith(":2: damaged, or changed since it was checked: 'check' is " + check + ", and what the file says has "));
  CHECK(parse_topology("ring:4")->checksum().empty());
}

TEST_CASE("a short file that would take much memory is refused before it does") {
  CHECK(refusal_of("{\n\"endpoints\": 67000000, \"links\": [{\"from\": 0, \"to\": 1}]}") ==
        ":2: 67000000 endpoints, and 1 link cannot reach them all");
  CHECK(refusal_of("{\"endpoints\": 67000000}") == ":1: 67000000 endpoints, and 0 links cannot reach them all");
}

TEST_CASE("lists in lists without end are refused, not followed") {
  const std::size_t depth = 1'000'000;
  CHECK(refusal_of("{\"links\":\n" + std::string(depth, '[') + std::string(depth, ']') + "}") ==
        ":2: lists and objects more than 64 deep in each other");
}

TEST_CASE("endpoints that cannot reach each other are refused") {
  CHECK_THAT(refusal_of("{\"endpoints\": 3, \"links\": [{\"from\": 0, \"to\": 1}]}"),
             Catch::Contains("no way leads from '0' to '2'"));
  CHECK_THAT(refusal_of("{\"endpoints\": 2, \"links\": [{\"from\": 0, \"to\": 1, \"one_way\": true}]}"),
             Catch::Contains("no way leads from '1' to '0'"));
  // Endpoint 1 lies between two switches; it passes on only if the file says so.
  const std::string bridge =
      R"("endpoints": 3, "switches": ["s", "t"], "links": [{"from": 0, "to": "s"}, {"from": 1, "to": "s"},
      {"from": 1, "to": "t"}, {"from": 2, "to": "t"}]})";
  CHECK_THAT(refusal_of("{" + bridge), Catch::Contains("no way leads from '0' to '2'") && Catch::Contains("\"direct\""));
  const FabricFileOnDisk direct("{\"direct\": true, " + bridge);
  CHECK(ways(*direct.topology(), 0, 2) == std::vector<std::vector<VertexId>>{{0, 3, 1, 4, 2}});
  CHECK_THROWS_WITH(parse_topology("file:no_such_file.json"), Catch::Contains("no_such_file.json: cannot be read"));
  CHECK_THROWS_WITH(parse_topology("file:."), Catch::Contains(".: cannot be read: it is a directory"));
  CHECK_THROWS_WITH(parse_topology("file:/dev/zero"), Catch::Contains("/dev/zero: cannot be read: it is a device"));
  CHECK_THROWS_WITH(parse_topology("file:"), Catch::Contains("the name of a file is missing"));
}

}  // namespace heddle
