// SPDX-License-Identifier: Apache-2.0
// Pictures of loads: what they show is what the run counted.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands/run_command.hpp"
#include "cli/process/process.hpp"
#include "heddle/errors.hpp"
#include "show/drawing/drawing.hpp"
#include "show/drawing/heatmap.hpp"
#include "show/drawing/picture_file.hpp"
#include "show/drawing/svg.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::pictures {

using namespace test;

namespace {

/// The file that a run with --heatmap writes, read as XML.
pugi::xml_document svg_of(const std::string& run) {
  const TemporaryFile file("picture.svg");
  const test::CommandResult result = run_heddle(run + " --heatmap " + file.path());
  INFO(result.err);
  REQUIRE(result.status == 0);
  pugi::xml_document document;
  REQUIRE(document.load_string(test::file_content(file.path()).c_str()));
  return document;
}

std::vector<std::string> texts_of(const pugi::xml_node& node) {
  std::vector<std::string> texts;
  for (const pugi::xpath_node& text : node.select_nodes(".//text")) texts.emplace_back(text.node().child_value());
  return texts;
}

/// What the drawn links say about themselves when they are pointed at.
std::multiset<std::string> hints_of(const pugi::xml_document& document, const char* group) {
  std::multiset<std::string> hints;
  for (const pugi::xpath_node& title : document.select_nodes((std::string("//g[@id='") + group + "']//title").c_str()))
    hints.insert(title.node().child_value());
  return hints;
}

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

Report report_of(const std::vector<std::int64_t>& bytes) {
  Report report;
  for (std::size_t i = 0; i < bytes.size(); ++i) report.links.push_back({static_cast<LinkId>(i), Bytes(bytes[i]), {}, 0});
  return report;
}

}  // namespace

TEST_CASE("loads: the most, the mean of those that carried something, steps") {
  const LinkLoads loads(report_of({0, 300, 100, 300}));
  CHECK(loads.most() == 300);
  CHECK(loads.total() == 700);
  CHECK(loads.loaded() == 3);
  CHECK(loads.mean() == Approx(700.0 / 3));
  CHECK(loads.most_of({0, 2}) == 100);
  CHECK(loads.step(0, 9) == 0);
  CHECK(loads.step(1, 9) == 1);
  CHECK(loads.step(100, 9) == 3);
  CHECK(loads.step(101, 9) == 4);
  CHECK(loads.step(300, 9) == 9);
  CHECK(loads.busiest(2) == std::vector<LinkId>{1, 3});
  CHECK(loads.busiest(9) == std::vector<LinkId>{1, 3, 2});
  CHECK(loads.text(1536) == "1536B");
}

TEST_CASE("loads on a longer scale take fewer steps, and never a shorter one") {
  const LinkLoads loads(report_of({300, 100}));
  CHECK(loads.on_scale(600).step(300, 10) == 5);
  CHECK(loads.on_scale(600).most() == 300);
  CHECK(loads.on_scale(10).step(300, 10) == 10);
}

TEST_CASE("colours get darker without a turn") {
  double before = 1e9;
  for (int i = 0; i <= 50; ++i) {
    const std::string color = heat_color(i / 50.0);
    REQUIRE(color.size() == 7);
    const auto channel = [&](std::size_t at) { return std::stoi(color.substr(at, 2), nullptr, 16); };
    // Rec. 709 without gamma: enough to order lightness.
    const double lightness = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
    CHECK(lightness < before);
    before = lightness;
  }
  CHECK(heat_color(1) == "#440154");
  CHECK(heat_color(0) == "#addc30");
}

TEST_CASE("files of several pictures have names of their own") {
  CHECK(path_of_one("out.svg", "ring") == "out-ring.svg");
  CHECK(path_of_one("a.b/out", "ring") == "a.b/out-ring");
  CHECK(path_of_one("x/out.v1.svg", "hierarchical:inner=ring") == "x/out.v1-hierarchical_inner=ring.svg");
}

TEST_CASE("text that XML cannot hold is replaced, other text stays") {
  CHECK(xml_text("a<b>&\"\xc3\xa9") == "a<b>&\"\xc3\xa9");
  CHECK(xml_text("a\x01\n\xff\xc3(") ==
        "a???"
        "?(");
  CHECK(xml_text("\xed\xa0\x80\xf0\x9f\x98\x80") == "???\xf0\x9f\x98\x80");
  CHECK(svg_number(12.5) == "12.5");
  CHECK(svg_number(3) == "3");
  CHECK(svg_number(-0.001) == "0");
}

TEST_CASE("a ring with both directions of each cable, its numbers and its names") {
  const pugi::xml_document picture =
      svg_of("run broadcast --algo chain:segments=1 --topo ring:4 --size 4KiB --heatmap-of bytes");
  const std::multiset<std::string> expected = {"0->1: 4096 B", "1->2: 4096 B", "2->3: 4096 B", "3->0: 0 B",
                                               "1->0: 0 B",    "2->1: 0 B",    "3->2: 0 B",    "0->3: 0 B"};
  CHECK(hints_of(picture, "links") == expected);
  const std::vector<std::string> texts = texts_of(picture.child("svg"));
  CHECK_THAT(texts.front(), Catch::StartsWith("broadcast by chain:segments=1 on ring:4: "));
  CHECK(contains(texts, "4 ranks, 4KiB (1024 i32 elements); placement linear"));
  CHECK(contains(texts, "3 of 8 links carried something:"));
  CHECK(contains(texts, "4KiB on average, 4KiB at most"));
  CHECK(contains(texts, "0->1"));
  CHECK(contains(texts, "4096 B"));
  CHECK(contains(texts, "3 links carried the most."));
  for (const char* rank : {"0", "1", "2", "3"}) CHECK(contains(texts, rank));
  // Five links without a load, dashed and grey; three with the most, in the darkest colour.
  const std::string idle =
      std::string("//g[@id='links']/g[@stroke='") + std::string(kNoLoadColor) + "'][@stroke-dasharray]/path/title";
  CHECK(picture.select_nodes(idle.c_str()).size() == 5);
  CHECK(picture.select_nodes("//g[@id='links']/g[@stroke='#440154']/path/title").size() == 3);
}

TEST_CASE("every kind of drawing shows every link") {
  struct Case {
    const char* topology;
    bool bars;  ///< links between endpoints and switches are bars
  };
  for (const Case& each : {Case{"ring:12", false},
                           {"torus:3x4", false},
                           {"mesh:2x5", false},
                           {"mesh:6", false},
                           {"torus:3x2x4", false},
                           {"fullmesh:6", false},
                           {"fullmesh:20", true},
                           {"star:9", false},
                           {"clos:hosts=4,leaves=3,spines=2", false},
                           {"fattree:k=4", false},
                           {"superpod:pods=2,gpus=8,trays=4", false},
                           {"clos:hosts=32,leaves=12,spines=4", true},
                           {"hypercube:3", false},
                           {"clos:hosts=8,leaves=2,spines=2,cables=4", false},
                           {"hypercube:5", false},
                           {"torus:3x3x3x3", false},
                           {"dragonfly:groups=9,routers=4,hosts=2", false},
                           {"dragonfly+:groups=5,leaves=4,spines=4,hosts=3", false},
                           {"hyperx:4x4", false},
                           {"hyperx:6", false},
                           {"hyperx:3x3x3", false},
                           {"hxmesh:board=2x2,grid=4x4", false},
                           {"hxmesh:board=4x2,grid=2x3", false},
                           {"hxmesh:board=1x1,grid=3x3", false}}) {
    INFO(each.topology);
    const std::shared_ptr<const Topology> topology = parse_topology(each.topology);
    const Drawing drawing = draw_loads(*topology, linear_placement(topology->endpoints(), *topology));
    std::set<LinkId> drawn;
    for (const DrawnLink& link : drawing.links) drawn.insert(link.links.begin(), link.links.end());
    for (const DrawnBar& bar : drawing.bars) drawn.insert(bar.link);
    CHECK(std::ssize(drawn) == topology->links());
    CHECK(drawing.bars.empty() != each.bars);
    const auto inside = [&](Point at) { return at.x >= 0 && at.y >= 0 && at.x <= drawing.width && at.y <= drawing.height; };
    for (const DrawnLink& link : drawing.links) CHECK((inside(link.from) && inside(link.to)));
    for (const DrawnVertex& vertex : drawing.vertices) CHECK(inside(vertex.center));
    for (const DrawnText& text : drawing.texts) CHECK(inside(text.at));
  }
}

TEST_CASE("vertices stand apart from each other") {
  for (const char* spec : {"torus:8x8", "ring:100", "torus:4x4x4", "fattree:k=8", "superpod:pods=2,gpus=16,trays=4",
                           "dragonfly:groups=9,routers=4,hosts=2", "dragonfly+:groups=5,leaves=4,spines=4,hosts=3",
                           "hyperx:8x8", "hyperx:3x3x3", "hxmesh:board=2x2,grid=4x4", "hypercube:6"}) {
    INFO(spec);
    const std::shared_ptr<const Topology> topology = parse_topology(spec);
    const Drawing drawing = draw_loads(*topology, linear_placement(topology->endpoints(), *topology));
    const std::vector<DrawnVertex>& all = drawing.vertices;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const bool apart = std::abs(all[i].center.x - all[j].center.x) >= (all[i].width + all[j].width) / 2 ||
                           std::abs(all[i].center.y - all[j].center.y) >= (all[i].height + all[j].height) / 2;
        if (!apart) FAIL(i << " and " << j);
      }
  }
}

TEST_CASE("large fabrics stay files of a sane size") {
  const std::shared_ptr<const Topology> torus = parse_topology("torus:64x64");
  std::vector<std::int64_t> bytes;
  for (LinkId link = 0; link < torus->links(); ++link) bytes.push_back(link % 97 * 1'000);
  const std::string svg = svg_heatmap(draw_loads(*torus, linear_placement(4096, *torus)), LinkLoads(report_of(bytes)),
                                      Fabric(torus, FabricSettings{}), {"large", {}, {}});
  CHECK(svg.size() < 3'000'000);
  CHECK(svg.size() > 200'000);
  pugi::xml_document picture;
  REQUIRE(picture.load_string(svg.c_str()));
  CHECK(hints_of(picture, "links").empty());  // a path for each step of the scale, not for each link
  CHECK(picture.select_nodes("//g[@id='links']/g/path").size() == 25);
}

TEST_CASE("ranks are named where they sit") {
  const pugi::xml_document picture =
      svg_of("run allreduce --algo ring --topo torus:3x3 --size 4KiB --ranks 4 --placement random:3");
  const std::multiset<std::string> hints = hints_of(picture, "vertices");
  CHECK(hints.size() == 9);
  int idle = 0;
  std::set<std::string> ranks;
  for (const std::string& hint : hints) {
    if (hint.ends_with(": no rank"))
      ++idle;
    else
      ranks.insert(hint.substr(hint.find(": ") + 2));
  }
  CHECK(idle == 5);
  CHECK(ranks == std::set<std::string>{"rank 0", "rank 1", "rank 2", "rank 3"});
}

TEST_CASE("several algorithms are several files, named after them; those that fail their check have none") {
  const TemporaryFile file("several.svg");
  const std::string stem = file.path().substr(0, file.path().size() - 4);
  const test::CommandResult result =
      run_heddle("run allreduce --algo ring,swing_bandwidth --topo ring:8 --size 4KiB --heatmap " + file.path());
  CHECK(result.status == 0);
  CHECK_FALSE(std::filesystem::exists(file.path()));
  for (const char* name : {"-ring.svg", "-swing_bandwidth.svg"}) {
    pugi::xml_document document;
    CHECK(document.load_file((stem + name).c_str()));
    std::filesystem::remove(stem + name);
  }
}

TEST_CASE("a wrong result has no picture") {
  Algorithm idle = find_algorithm(Collective::allreduce, "ring");
  idle.name = "idle";
  idle.run = [](Communicator&, const CollectiveArguments&) {};
  Setup setup = set_up(Experiment::parse("allreduce --topo ring:4 --size 4KiB"), "all");
  setup.algorithms.chosen = {idle};
  const TemporaryFile file("wrong.svg");
  HeatmapReporter svg(HeatmapOf::utilisation, heatmap_files(setup, file.path()));
  std::ostringstream out;
  HeatmapReporter letters(HeatmapOf::utilisation, text_heatmaps(out));
  std::ostringstream err;
  CHECK(execute(setup, std::vector<Reporter*>{&svg, &letters}, err) == kExitCheckFailed);
  CHECK_FALSE(std::filesystem::exists(file.path()));
  CHECK(out.str().empty());
}

TEST_CASE("what cannot be drawn or written is refused before the run, in a line that says what can") {
  const auto refused = [](const std::string& flags) {
    const test::CommandResult result = run_heddle("run allreduce --algo ring --size 4KiB " + flags);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK(test::lines_of(result.err).size() == 1);
    return result.err;
  };
  CHECK_THAT(refused("--topo ring:4 --heatmap out.gif"),
             Catch::Contains("--heatmap 'out.gif'") && Catch::Contains(".svg or .png"));
  CHECK_THAT(refused("--topo ring:4 --heatmap /no/such/out.svg"), Catch::Contains("cannot be written"));
  CHECK_THAT(refused("--topo ring:4 --heatmap - --json -"), Catch::Contains("standard output"));
  CHECK_THAT(refused("--topo ring:2000 --heatmap out.svg"), Catch::Contains("2000 endpoints are more than the 1600"));
  CHECK_THAT(refused("--topo star:400 --heatmap out.svg"), Catch::Contains("s0 has more than 256 endpoints"));
  CHECK_THAT(refused("--topo dragonfly:groups=33,routers=8,hosts=4 --heatmap out.svg"),
             Catch::Contains("1056 endpoints are more than"));
  CHECK_THAT(refused("--topo superpod:pods=8 --heatmap out.svg"), Catch::Contains("more than the 320"));
}

TEST_CASE("links are described by direction") {
  const auto names = [](const char* spec) {
    std::vector<std::string> all;
    for (const LinkClass& each : link_classes(*parse_topology(spec)))
      all.push_back(each.name + " " + std::to_string(each.links.size()));
    return all;
  };
  CHECK(names("torus:3x4") == std::vector<std::string>{"dimension 0, upwards 12", "dimension 0, downwards 12",
                                                       "dimension 1, upwards 12", "dimension 1, downwards 12"});
  CHECK(names("ring:5") == std::vector<std::string>{"upwards 5", "downwards 5"});
  CHECK(names("clos:hosts=4,leaves=2,spines=2") ==
        std::vector<std::string>{"host to leaf, up 8", "host to leaf, down 8", "leaf to spine, up 4", "leaf to spine, down 4"});
  CHECK(names("fullmesh:3") == std::vector<std::string>{"links 6"});
}

}  // namespace heddle::pictures
