// SPDX-License-Identifier: Apache-2.0
// Fabrics from files of other tools: what they become, and the line that each error names.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
namespace {

/// A fabric of a file that is there as long as it is read.
std::shared_ptr<const Topology> read(const std::string& family, const std::string& text, const std::string& fields = "") {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("heddle_reader_{}", reinterpret_cast<std::uintptr_t>(&text));
  std::ofstream(path) << text;
  struct Remover {
    std::filesystem::path path;
    ~Remover() { std::filesystem::remove(path); }
  } const remover{path};
  return parse_topology(family + ':' + path.string() + fields);
}

/// The error behind the file's name.
std::string refusal(const std::string& family, const std::string& text, const std::string& fields = "") {
  try {
    read(family, text, fields);
  } catch (const InputError& error) {
    const std::string what = error.what();
    const std::size_t name = what.find("heddle_reader_");
    const std::size_t end = what.find(':', name);
    return name == std::string::npos ? what : what.substr(end);
  }
  return "read";
}

struct Broken {
  std::string what, by, text;
};

/// Each has a part exchanged.
void check_refusals(const std::string& family, const std::string& right, const std::vector<Broken>& all,
                    const std::string& fields = "") {
  for (const auto& [what, by, text] : all) {
    std::string broken = right;
    const std::size_t at = broken.find(what);
    REQUIRE(at != std::string::npos);
    broken.replace(at, what.size(), by);
    const std::string said = refusal(family, broken, fields);
    INFO(what << " -> " << by << ": " << said);
    CHECK(said.rfind(text, 0) == 0);
    CHECK(said.find('\n') == std::string::npos);
  }
}

VertexId vertex(const Topology& topology, const std::string& name) {
  for (VertexId v = 0; v < topology.endpoints() + topology.switches(); ++v)
    if (topology.vertex_name(v) == name) return v;
  FAIL("no vertex " << name);
  return -1;
}

Fabric fabric_of(const std::shared_ptr<const Topology>& topology) {
  FabricSettings settings;
  if (!topology->tier_speeds().empty()) settings.tiers = topology->tier_speeds();
  return {topology, settings};
}

/// GB/s of all cables from one vertex straight to another.
double speed_between(const std::shared_ptr<const Topology>& topology, const std::string& from, const std::string& to) {
  const Fabric fabric = fabric_of(topology);
  double sum = 0;
  for (const LinkId link : links_between(vertex(*topology, from), vertex(*topology, to), *topology))
    sum += fabric.bandwidth(link).bytes_per_second() / 1e9;
  return sum;
}

/// Links that a message crosses.
std::int32_t links_on_way(const Topology& topology, const std::string& from, const std::string& to) {
  Route route;
  topology.route(vertex(topology, from), vertex(topology, to), Routing::deterministic(), route);
  return route.paths().front().count;
}

// ---- NCCL ----

/// Two sockets with a PCIe switch each, on it two GPUs of four NVLinks to the NVSwitch and a NIC.
std::string nccl_node() {
  std::string text = "<system version=\"1\">\n";
  for (int cpu = 0; cpu < 2; ++cpu) {
    text += fmt::format(
        "<cpu host_hash=\"0x1\" numaid=\"{0}\" arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\">\n"
        "<pci busid=\"0000:{0}0:00.0\" class=\"0x060400\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">\n",
        cpu);
    for (int gpu = 2 * cpu; gpu < 2 * cpu + 2; ++gpu)
      text += fmt::format(
          "<pci busid=\"0000:{1}{0}:00.0\" class=\"0x030200\" link_speed=\"16.0 GT/s PCIe\" link_width=\"0\">\n"
          "<gpu dev=\"{2}\" sm=\"90\" rank=\"{2}\" gdr=\"1\"><nvlink target=\"0000:f0:00.0\" count=\"3\" tclass=\"0x068000\"/>"
          "<nvlink target=\"0000:f1:00.0\" count=\"1\" tclass=\"0x068000\"/></gpu>\n</pci>\n",
          gpu + 1, cpu, gpu);
    text += fmt::format(
        "<pci busid=\"0000:{0}A:00.0\" class=\"0x020000\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">\n"
        "<nic><net name=\"mlx5_{0}\" dev=\"{0}\" speed=\"400000\" latency=\"0.000000\"/></nic>\n</pci>\n</pci>\n</cpu>\n",
        cpu);
  }
  return text + "</system>\n";
}

const char* const kTwoGpus =
    "<system version=\"1\">\n<cpu numaid=\"0\" arch=\"x86_64\" vendor=\"AuthenticAMD\">\n"
    "<pci busid=\"0000:01:00.0\" class=\"0x030200\" link_speed=\"8 GT/s\" link_width=\"8\">\n"
    "<gpu dev=\"0\" sm=\"70\"><nvlink target=\"0000:02:00.0\" count=\"2\" tclass=\"0x030200\"/></gpu></pci>\n"
    "<pci busid=\"0000:02:00.0\" class=\"0x030200\" link_speed=\"8 GT/s\" link_width=\"8\">\n"
    "<gpu dev=\"1\" sm=\"70\"><nvlink target=\"0000:01:00.0\" count=\"2\" "
    "tclass=\"0x030200\"/></gpu></pci>\n</cpu>\n</system>\n";

}  // namespace

TEST_CASE("a node from NCCL's dump has its GPUs' NVLinks and PCIe tree") {
  const auto node = read("nccl", nccl_node());
  CHECK(node->endpoints() == 4);
  CHECK(node->vertex_name(3) == "gpu3");
  CHECK_FALSE(node->is_direct());
  CHECK(speed_between(node, "gpu0", "nvswitch") == Approx(4 * 20.6));
  CHECK(speed_between(node, "pci.0000:00:00.0", "cpu0") == Approx(48));
  CHECK(speed_between(node, "cpu0", "cpu1") == Approx(22));
  CHECK(links_on_way(*node, "gpu0", "gpu1") == 2);  // over the NVSwitch, not the PCIe switch that is as near
  CHECK(node->checksum().size() > 4);
  // Without a network nobody needs the NICs.
  for (VertexId v = 0; v < node->endpoints() + node->switches(); ++v)
    CHECK(node->vertex_name(v).find("mlx5") == std::string::npos);
}

TEST_CASE("several nodes from NCCL's dump are joined by their NICs") {
  const auto nodes = read("nccl", nccl_node(), ",nodes=3");
  CHECK(nodes->endpoints() == 12);
  CHECK(nodes->spec().ends_with(",nodes=3"));
  CHECK(nodes->group_tiers() == 2);
  CHECK(nodes->group(3, 0) == 0);
  CHECK(nodes->group(4, 0) == 1);
  CHECK(speed_between(nodes, "n2.mlx5_1", "network") == Approx(50));
  CHECK(speed_between(nodes, "n1.gpu0", "n1.nvswitch") == Approx(4 * 20.6));
}

TEST_CASE("GPUs that NVLinks join without a switch are neighbours") {
  const auto pair = read("nccl", kTwoGpus);
  CHECK(speed_between(pair, "gpu0", "gpu1") == Approx(40));
  CHECK(speed_between(pair, "pci.0000:01:00.0", "cpu0") == Approx(6));
  CHECK(links_on_way(*pair, "gpu0", "gpu1") == 1);
}

TEST_CASE("what is wrong in NCCL's dump is named") {
  check_refusals("nccl", kTwoGpus,
                 {{"<system version=\"1\">", "<graphs version=\"1\">", ":"},
                  {"system", "sistem", ":"},
                  {"count=\"2\"", "count=\"3\"", ":4: gpu0 has 3 nvlinks to gpu1, which has 2 to it"},
                  {"count=\"2\"", "count=\"two\"", ":4: count 'two': a whole number"},
                  {"busid=\"0000:02:00.0\"", "busid=\"0000:01:00.0\"", ":6: a second GPU at busid 0000:01:00.0"},
                  {"target=\"0000:02:00.0\"", "target=\"0000:01:00.0\"", ":4: a link of gpu0 to itself"},
                  {"<gpu dev=\"0\"", "<gpu", ":4: <gpu> without dev"},
                  {"<cpu numaid=\"0\"", "<gpus/><cpu numaid=\"0\"", ":2: <gpus> in a <system>, where NCCL writes none"},
                  {"link_width=\"8\"", "link_width=\"-8\"", ":3: link_width '-8': a whole number from 0 to 32"}});
  CHECK(refusal("nccl", "<system version=\"1\"/>").find("a topology without a <gpu>") != std::string::npos);
  CHECK(refusal("nccl", "<graphs version=\"1\"/>") == ":1: <graphs> where the <system> of a NCCL topology is expected");
  // Two nodes without a NIC.
  CHECK(refusal("nccl", kTwoGpus, ",nodes=2").find("no way leads from 'n0.gpu0' to 'n1.gpu0'") != std::string::npos);
}

TEST_CASE("RCCL's dump has xGMI") {
  std::string text = kTwoGpus;
  for (std::size_t at = text.find("nvlink"); at != std::string::npos; at = text.find("nvlink")) text.replace(at, 6, "xgmi");
  for (std::size_t at = text.find("sm=\"70\""); at != std::string::npos; at = text.find("sm=\"70\""))
    text.replace(at, 7, "gcn=\"gfx942\"");
  CHECK(speed_between(read("nccl", text), "gpu0", "gpu1") == Approx(96));
}

// ---- Slurm ----

namespace {

const char* const kTree =
    "# four racks\nSwitchName=leaf[0-1] Nodes=ignored\n"
    "SwitchName=spine Switches=leaf[0-1]\n";

const char* const kClos =
    "SwitchName=leaf0 Nodes=n[00-03] LinkSpeed=100\n"
    "SwitchName=leaf1 Nodes=n[04,05-07] \\\n  LinkSpeed=100  # goes on\n"
    "SwitchName=s[0-1] Switches=leaf[0-1] LinkSpeed=400\n";

}  // namespace

TEST_CASE("a tree of switches from Slurm") {
  const auto clos = read("slurm", kClos, ",uplinks=2");
  CHECK(clos->endpoints() == 8);
  CHECK(clos->switches() == 4);
  CHECK(clos->vertex_name(5) == "n05");
  CHECK(clos->tier_speeds().empty());
  CHECK(clos->properties().cables == 8 + 8);
  CHECK(clos->group_tiers() == 2);
  CHECK(clos->group(4, 0) == 1);
  const auto fast = read("slurm", kClos, ",unit=1Gbps");
  CHECK(speed_between(fast, "n00", "leaf0") == Approx(12.5));
  CHECK(speed_between(fast, "leaf1", "s1") == Approx(50));
  const auto deep = read("slurm",
                         "SwitchName=a Nodes=x1\nSwitchName=b Nodes=x2,y[1-2]z[3-4]\nSwitchName=c Switches=a\n"
                         "SwitchName=d Switches=b\nSwitchName=top Switches=c,d\n");
  CHECK(deep->endpoints() == 6);
  CHECK(deep->vertex_name(5) == "y2z4");
  CHECK(links_on_way(*deep, "x1", "x2") == 6);
  CHECK(deep->group_tiers() == 3);
  CHECK(read("slurm", "switchname=one nodes=a,b\n")->switches() == 1);
  CHECK(read("slurm", "SwitchName = one  Nodes =\t\"a[1-3],b\"\n")->endpoints() == 4);
}

TEST_CASE("a tree of switches from Slurm's topology.yaml") {
  const std::string yaml =
      "---\n- topology: tree\n  cluster_default: true\n  tree:\n    switches:\n      - switch: top\n        children: s[1-2]\n"
      "      - switch: s1\n        nodes: node[01-02]  # two\n      - switch: s2\n        nodes: \"node[03-05]\"\n";
  const auto tree = read("slurm", yaml);
  CHECK(tree->endpoints() == 5);
  CHECK(links_on_way(*tree, "node01", "node05") == 4);
  const std::string beside =
      "\n- topology: blocks\n  block:\n    block_sizes:\n      - 4\n    blocks:\n      - block: b1\n        nodes: "
      "node[01-05]\n"
      "- topology: flat\n  flat: true\n";
  CHECK(read("slurm", yaml + beside)->endpoints() == 5);
  CHECK(read("slurm", beside.substr(1) + yaml.substr(4))->endpoints() == 5);
  check_refusals("slurm", yaml,
                 {{"tree:", "block:", ":4: topology/block"},
                  {"switch: s2", "switch: s1", ":10: switch 's1' is there twice (line 8 too)"},
                  {"      - switch: top\n", "", ":6: 'children' before the first switch"},
                  {"tree:", "flat: true", ":4: topology/flat"},
                  {"      - switch: s1\n", "- topology: other\n  tree:\n", ":9: a second tree"},
                  {"cluster_default", "cluster", ":3: unknown key 'cluster'"}});
}

TEST_CASE("what is wrong in a topology.conf is named") {
  check_refusals("slurm", kClos,
                 {{"n[00-03]", "n[00-03", ":1: 'n[00-03': a [ without its ]"},
                  {"n[00-03]", "n[3-0]", ":1: [3-0]: the range ends before it begins"},
                  {"n[00-03]", "n[0-99999999]", ":1: up to here more than 1048576 names"},
                  {"n[00-03]", "n[a]", ":1: in a list of names 'a': a whole number"},
                  {"n[00-03]", "n1,n1", ":1: switch 'leaf0' has 'n1' twice below it"},
                  {"n[00-03]", "leaf1", ":2: 'leaf1' is a switch and a node"},
                  {"Switches=leaf[0-1]", "Switches=leaf[0-2]", ":4: switch 's0' is above 'leaf2', which no SwitchName names"},
                  {"SwitchName=leaf1", "SwitchName=leaf0", ":2: switch 'leaf0' is there twice (line 1 too)"},
                  {"SwitchName=leaf0 Nodes=n[00-03]", "SwitchName=leaf0", ":1: switch 'leaf0' has neither Nodes nor Switches"},
                  {"SwitchName=leaf0 Nodes", "SwitchName=leaf0 Switches=s0 Nodes", ":1: switch 'leaf0' has Nodes and Switches"},
                  {"LinkSpeed=100", "Speed=100", ":1: unknown key 'Speed'"},
                  {"SwitchName=leaf0", "BlockName=leaf0", ":1: topology/block"},
                  {"SwitchName=leaf0 Nodes=n[00-03] LinkSpeed=100", "Include leaf0.conf", ":1: Include is not followed"},
                  {"Switches=leaf[0-1]", "Switches=leaf0", ": no way leads from 'n00' to 'n04'"}});
  CHECK(refusal("slurm", "SwitchName=a Switches=b\nSwitchName=b Switches=a\n") == ":1: switch 'a' is above itself");
  CHECK(refusal("slurm", "\n").find("no switch in it") != std::string::npos);
  CHECK(refusal("slurm", "\\ \n").find(":1: a line without SwitchName") != std::string::npos);
  CHECK(refusal("slurm", "SwitchName=a Nodes=x\n", ",unit=1Gbps") ==
        ":1: switch 'a' has no LinkSpeed, and unit says what it means");
  CHECK(refusal("slurm", kTree).find("is there") == std::string::npos);
}

// ---- ibnetdiscover ----

namespace {

std::string ib_fabric() {
  return "#\n# Topology file: generated on Fri Nov 27 10:00:00 2026\n#\n# Initiated from node 0000000000000001 port "
         "0000000000000001\n\n"
         "vendid=0x2c9\ndevid=0xd2f0\nswitchguid=0xa1(a1)\n"
         "Switch\t41 \"S-00000000000000a1\"\t\t# \"leaf-1\" enhanced port 0 lid 1 lmc 0\n"
         "[1]\t\"H-0000000000000001\"[1](1) \t\t# \"node01 HCA-1\" lid 5 4xHDR\n"
         "[2]\t\"H-0000000000000002\"[1](2) \t\t# \"node02 HCA-1\" lid 6 2xHDR\n"
         "[3]\t\"S-00000000000000a2\"[1]\t\t# \"leaf-2\" lid 2 4xHDR\n"
         "[4]\t\"S-00000000000000a2\"[2]\t\t# \"leaf-2\" lid 2 4xHDR\n"
         "[41]\t\"H-00000000000000f1\"[1](f1) \t\t# \"Mellanox Technologies Aggregation Node\" lid 9 4xHDR\n\n"
         "switchguid=0xa2(a2)\n"
         "Switch\t41 \"S-00000000000000a2\"\t\t# \"leaf-2\" enhanced port 0 lid 2 lmc 0\n"
         "[1]\t\"S-00000000000000a1\"[3]\t\t# \"leaf-1\" lid 1 4xHDR\n"
         "[2]\t\"S-00000000000000a1\"[4]\t\t# \"leaf-1\" lid 1 4xHDR\n"
         "[7]\t\"H-0000000000000003\"[1](3) \t\t# \"node03 HCA-1\" lid 7 4xEDR\n\n"
         "caguid=0xf1\nCa\t1 \"H-00000000000000f1\"\t\t# \"Mellanox Technologies Aggregation Node\"\n"
         "[1](f1) \t\"S-00000000000000a1\"[41]\t\t# lid 9 lmc 0 \"leaf-1\" lid 1 4xHDR\n\n"
         "caguid=0x1\nCa\t1 \"H-0000000000000001\"\t\t# \"node01 HCA-1\"\n[1](1) \t\"S-00000000000000a1\"[1]\t\t# lid 5 lmc 0 "
         "\"leaf-1\" lid 1 4xHDR\n\n"
         "caguid=0x2\nCa\t1 \"H-0000000000000002\"\t\t# \"node02 HCA-1\"\n[1](2) \t\"S-00000000000000a1\"[2]\t\t# lid 6 lmc 0 "
         "\"leaf-1\" lid 1 2xHDR\n\n"
         "caguid=0x3\nCa\t1 \"H-0000000000000003\"\t\t# \"node03 HCA-1\"\n[1](3) \t\"S-00000000000000a2\"[7]\t\t# lid 7 lmc 0 "
         "\"leaf-2\" lid 2 4xEDR\n";
}

}  // namespace

TEST_CASE("an InfiniBand fabric from ibnetdiscover") {
  const auto fabric = read("ibnetdiscover", ib_fabric());
  CHECK(fabric->endpoints() == 3);  // an aggregation node is no host
  CHECK(fabric->switches() == 2);
  CHECK(fabric->properties().cables == 5);
  CHECK(speed_between(fabric, "node01 HCA-1", "leaf-1") == Approx(25));
  CHECK(speed_between(fabric, "node02 HCA-1", "leaf-1") == Approx(12.5));
  CHECK(speed_between(fabric, "node03 HCA-1", "leaf-2") == Approx(12.5));
  CHECK(speed_between(fabric, "leaf-1", "leaf-2") == Approx(50));
  CHECK(fabric->group(2, 0) == 1);
  // Other widths and rates.
  const auto changed = [](const std::string& what, const std::string& by) {
    std::string text = ib_fabric();
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
      text.replace(at, what.size(), by);
    return read("ibnetdiscover", text);
  };
  CHECK(speed_between(changed("4xEDR", "4xNDR"), "node03 HCA-1", "leaf-2") == Approx(50));
  CHECK(speed_between(changed("4xEDR", "1xSDR"), "node03 HCA-1", "leaf-2") == Approx(0.25));
  // What stands behind a speed, and a description that looks like one.
  CHECK(speed_between(changed("4xEDR", "4xEDR s=4 w=2"), "node03 HCA-1", "leaf-2") == Approx(12.5));
  CHECK(speed_between(changed("node03 HCA-1", "node03 2xB 0x1"), "node03 2xB 0x1", "leaf-2") == Approx(12.5));
}

TEST_CASE("what is wrong in ibnetdiscover's output is named") {
  check_refusals(
      "ibnetdiscover", ib_fabric(),
      {{"[3]\t\"S-00000000000000a2\"[1]", "[3]\t\"S-00000000000000a3\"[1]",
        ":12: port 3 of 'S-00000000000000a1' leads to 'S-00000000000000a3', which has no block"},
       {"[3]\t\"S-00000000000000a2\"[1]", "[3]\t\"S-00000000000000a2\"[5]",
        ":12: port 3 of 'S-00000000000000a1' leads to port 5 of 'S-00000000000000a2', whose block lacks it"},
       {"[3]\t\"S-00000000000000a2\"[1]", "[3]\t\"S-00000000000000a2\"[2]",
        ":12: port 3 of 'S-00000000000000a1' leads to port 2 of 'S-00000000000000a2', which leads elsewhere (line 19)"},
       {"lid 5 4xHDR", "lid 5 4xEDR", ":10: a cable is '4xEDR' at one end and '4xHDR' at the other"},
       {"[2]\t\"H-", "[1]\t\"H-", ":11: port 1 of 'S-00000000000000a1' is there twice"},
       {"[2]\t\"H-", "[2\t\"H-", ":11: a port in brackets is missing"},
       {"Switch\t41 \"S-00000000000000a1\"", "Switch\t41", ":9: a Switch without its name in quotes"},
       {"vendid=0x2c9", "hello", ":6: 'hello' is nothing that ibnetdiscover prints"}});
  CHECK(refusal("ibnetdiscover", "# nothing\n").find("no Switch and no Ca in it") != std::string::npos);
}

// ---- ASTRA-sim ----

namespace {

const char* const kAstra =
    "# two by four by two\ntopology: [ Ring, FullyConnected, Switch ]\nnpus_count: [ 4, 3, 2 ]\n"
    "bandwidth: [ 100.0, 50, 25.5 ]  # GB/s\nlatency: [ 500.0, 20, 1e3 ]\n";

}  // namespace

TEST_CASE("ASTRA-sim's dimensions become rings, full meshes and switches") {
  const auto fabric = read("astra", kAstra);
  CHECK(fabric->endpoints() == 24);
  CHECK(fabric->switches() == 12);
  CHECK(fabric->is_direct());
  CHECK(fabric->properties().cables == 24 + 24 + 24);
  CHECK(speed_between(fabric, "0", "3") == Approx(100));
  CHECK(speed_between(fabric, "0", "8") == Approx(50));
  CHECK(speed_between(fabric, "0", "d2.s0") == Approx(25.5));
  CHECK(fabric->tier_speeds()[2].latency == Time::ps(1'000'000));
  CHECK(links_on_way(*fabric, "0", "12") == 2);
  CHECK(fabric->group(4, 0) == 1);
  CHECK(fabric->group(12, 1) == 1);
  const auto star = read("astra", "topology:\n  - Switch\nnpus_count:\n  - 5\nbandwidth:\n  - '10'\nlatency:\n  - 0\n");
  CHECK(star->switches() == 1);
  CHECK_FALSE(star->is_direct());
  const auto full =
      read("astra", "topology: [ FullyConnected, Ring ]\nnpus_count: [ 4, 2 ]\nbandwidth: [ 10, 5 ]\nlatency: [ 1, 2 ]\n");
  CHECK(full->properties().cables == 2 * 6 + 4);
  CHECK(read("astra", "topology: [Ring,\n  Switch]\nnpus_count: [\n 4, 2\n ]\nbandwidth: [ 10,5 ]\nlatency: [1, 2]\n")
            ->endpoints() == 8);
  CHECK(read("astra", "topology: Ring\nnpus_count: 2\nbandwidth: 1\nlatency: 1\n")->properties().cables == 1);
}

TEST_CASE("what is wrong in a network.yml is named") {
  check_refusals("astra", kAstra,
                 {{"Ring", "Rung", ":2: unknown topology 'Rung'; known are Ring, FullyConnected and Switch"},
                  {"[ 4, 3, 2 ]", "[ 4, 3 ]", ":3: 'npus_count' has 2 values, and topology has 3 dimensions"},
                  {"[ 4, 3, 2 ]", "[ 4, 3, 2", ":3: 'npus_count': a list ends in ]"},
                  {"[ 4, 3, 2 ]", "[ 4, [3], 2 ]", ":3: '[3]' is no number and no name"},
                  {"[ 4, 3, 2 ]", "[ 4, 3, 0 ]", ":3: npus_count '0': a whole number from 1"},
                  {"100.0", "0", ":4: bandwidth '0': a number above 0 is needed"},
                  {"500.0", "-1", ":5: latency '-1': a number from 0 is needed"},
                  {"500.0", "1e14", ":5: latency '1e14': more than an hour"},
                  {"latency", "delay", ":5: unknown key 'delay'"},
                  {"latency", "topology", ":5: 'topology' is given twice"},
                  {"latency: [ 500.0, 20, 1e3 ]\n", "", ": it has no 'latency'"}});
  CHECK(
      refusal("astra", "topology: [Switch, Switch]\nnpus_count: [200000000, 200000000]\nbandwidth: [1,1]\nlatency: [1,1]\n") !=
      "read");
}

// ---- SimGrid ----

namespace {

std::string cluster(const std::string& more) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
         "<zone id=\"world\" routing=\"Full\">\n<cluster id=\"c\" prefix=\"node-\" suffix=\".x\" radical=\"0-7\" speed=\"1Gf\" "
         "bw=\"125MBps\" "
         "lat=\"50us\" " +
         more + "/>\n</zone>\n</platform>\n";
}

/// The first part begins in line 3.
std::string zones(const std::string& parts) {
  return "<platform version=\"4.1\">\n<zone id=\"world\" routing=\"Full\">\n" + parts + "\n</zone>\n</platform>\n";
}

std::string floyd(const std::string& policy) {
  return "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Floyd\">\n<host id=\"a\" speed=\"1Gf\"/>\n<host id=\"b\" "
         "speed=\"1Gf\"/>\n"
         "<router id=\"r\"/>\n<link id=\"l1\" bandwidth=\"1GBps\" latency=\"1us\"" +
         policy + "/>\n<link id=\"l2\" bandwidth=\"2GBps\" latency=\"1us\"" + policy +
         "/>\n<route src=\"a\" dst=\"r\"><link_ctn id=\"l1\"/></route>\n<route src=\"r\" dst=\"b\"><link_ctn "
         "id=\"l2\"/></route>\n</zone>\n</platform>\n";
}

}  // namespace

TEST_CASE("SimGrid's clusters become stars, tori and fat trees") {
  const auto star = read("simgrid", cluster(""));
  CHECK(star->endpoints() == 8);
  CHECK(star->vertex_name(7) == "node-7.x");
  CHECK(speed_between(star, "node-0.x", "switch") == Approx(0.125));
  const auto backbone = read("simgrid", cluster("bb_bw=\"2.25GBps\" bb_lat=\"500us\""));
  CHECK(links_on_way(*backbone, "node-0.x", "node-5.x") == 3);
  CHECK(speed_between(backbone, "in", "out") == Approx(2.25));
  const auto torus = read("simgrid", cluster("topology=\"TORUS\" topo_parameters=\"4,2\""));
  CHECK(torus->is_direct());
  CHECK(torus->properties().cables == 8 + 4);
  CHECK(links_on_way(*torus, "node-0.x", "node-3.x") == 1);
  CHECK(links_on_way(*torus, "node-0.x", "node-6.x") == 3);
  const auto tree = read("simgrid", cluster("topology=\"FAT_TREE\" topo_parameters=\"2;4,2;1,3;1,2\""));
  CHECK(tree->switches() == 2 + 3);
  CHECK(tree->properties().cables == 8 + 2 * 3 * 2);
  CHECK(links_on_way(*tree, "node-0.x", "node-3.x") == 2);
  CHECK(links_on_way(*tree, "node-0.x", "node-4.x") == 4);
  const auto dragonfly = read("simgrid", cluster("topology=\"DRAGONFLY\" topo_parameters=\"2,4;1,3;2,2;2\""));
  CHECK(dragonfly->switches() == 2 * 2);
  CHECK(speed_between(dragonfly, "r1", "r2") == Approx(4 * 0.125));
  CHECK(links_on_way(*dragonfly, "node-0.x", "node-1.x") == 2);
  CHECK(links_on_way(*dragonfly, "node-0.x", "node-2.x") == 3);
  CHECK(links_on_way(*dragonfly, "node-0.x", "node-6.x") == 5);
  const auto three = read("simgrid", cluster("topology=\"FAT_TREE\" topo_parameters=\"3;2,2,2;1,2,2;1,1,1\""));
  CHECK(three->switches() == 4 + 4 + 4);
  CHECK(links_on_way(*three, "node-0.x", "node-7.x") == 6);
}

TEST_CASE("SimGrid's zones become graphs where routes join neighbours") {
  const auto split = read("simgrid", floyd(" sharing_policy=\"SPLITDUPLEX\""));
  CHECK(split->endpoints() == 2);
  CHECK(split->switches() == 1);
  CHECK(speed_between(split, "r", "b") == Approx(2));
  // One bandwidth for both directions: one link that both cross.
  const auto shared = read("simgrid", floyd(""));
  CHECK(links_on_way(*shared, "a", "b") == 6);
  Route there;
  Route back;
  shared->route(0, 1, Routing::deterministic(), there);
  shared->route(1, 0, Routing::deterministic(), back);
  int both = 0;
  for (const LinkId link : there.links()) both += static_cast<int>(std::ranges::count(back.links(), link));
  CHECK(both == 2);
  const auto star =
      read("simgrid",
           "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"a\"/><host id=\"b\"/><host id=\"c\"/>"
           "<link id=\"la\" bandwidth=\"1GBps\" latency=\"0\" sharing_policy=\"SPLITDUPLEX\"/>"
           "<link id=\"lb\" bandwidth=\"1GBps\" latency=\"0\" sharing_policy=\"SPLITDUPLEX\"/>"
           "<link id=\"lc\" bandwidth=\"8Gbps\" latency=\"0\" sharing_policy=\"SPLITDUPLEX\"/>"
           "<route src=\"a\" dst=\"b\"><link_ctn id=\"la\"/><link_ctn id=\"lb\"/></route>"
           "<route src=\"a\" dst=\"c\"><link_ctn id=\"la\"/><link_ctn id=\"lc\"/></route>"
           "<route src=\"b\" dst=\"c\"><link_ctn id=\"lb\"/><link_ctn id=\"lc\"/></route></zone></platform>");
  CHECK(star->switches() == 1);
  CHECK(links_on_way(*star, "a", "c") == 2);
}

// What SimGrid 3.32 says of pairs of hosts (Host::route_to): links, latency in us, least bandwidth in MB/s. Joints are no links.
TEST_CASE("zones within zones have SimGrid's own routes") {
  const auto require = [](const std::string& text, const char* from, const char* to, int links, double us, double mbps) {
    const auto topology = read("simgrid", text);
    const Fabric fabric = fabric_of(topology);
    Route route;
    topology->route(vertex(*topology, from), vertex(*topology, to), Routing::deterministic(), route);
    int count = 0;
    double latency = 0;
    double least = 1e9;
    for (const LinkId link : route.links()) {
      const double speed = fabric.bandwidth(link).bytes_per_second() / 1e6;
      if (speed >= 1e9) continue;
      ++count;
      latency += fabric.settings().tiers[static_cast<std::size_t>(topology->tier(link))].latency.seconds() * 1e6;
      least = std::min(least, speed);
    }
    INFO(from << " to " << to);
    CHECK(count == links);
    CHECK(latency == Approx(us));
    CHECK(least == Approx(mbps));
  };
  const std::string two = zones(
      "<cluster id=\"a\" prefix=\"a-\" radical=\"0-3\" suffix=\"\" bw=\"125MBps\" lat=\"50us\"/>\n<cluster id=\"b\" "
      "prefix=\"b-\" "
      "radical=\"0-2\" suffix=\"\" bw=\"1.25GBps\" lat=\"24us\" bb_bw=\"2.25GBps\" bb_lat=\"500us\"/>\n<link id=\"l\" "
      "bandwidth=\"100MBps\" latency=\"1ms\"/>\n<zoneRoute src=\"a\" dst=\"b\" gw_src=\"a-a_router\" "
      "gw_dst=\"b-b_router\"><link_ctn id=\"l\"/></zoneRoute>");
  require(two, "a-0", "a-1", 2, 100, 125);
  require(two, "b-0", "b-2", 3, 548, 1250);
  require(two, "a-3", "b-1", 4, 1574, 100);
  require(two, "b-1", "a-3", 4, 1574, 100);
  const std::string bus = zones(
      "<cluster id=\"a\" prefix=\"a-\" radical=\"0-2\" suffix=\"\" bw=\"125MBps\" lat=\"50us\" router_id=\"ra\"/>"
      "<cluster id=\"b\" prefix=\"b-\" radical=\"0-1\" suffix=\"\" bw=\"250MBps\" lat=\"40us\" router_id=\"rb\"/>"
      "<zone id=\"c\" routing=\"Full\"><host id=\"c\"/></zone><link id=\"all\" bandwidth=\"1GBps\" latency=\"1us\"/>"
      "<zoneRoute src=\"a\" dst=\"b\" gw_src=\"ra\" gw_dst=\"rb\"><link_ctn id=\"all\"/></zoneRoute>"
      "<zoneRoute src=\"a\" dst=\"c\" gw_src=\"ra\" gw_dst=\"c\"><link_ctn id=\"all\"/></zoneRoute>"
      "<zoneRoute src=\"b\" dst=\"c\" gw_src=\"rb\" gw_dst=\"c\"><link_ctn id=\"all\"/></zoneRoute>");
  require(bus, "a-0", "b-1", 3, 91, 125);
  require(bus, "c", "b-0", 2, 41, 250);
  check_refusals(
      "simgrid", two,
      {{"src=\"a\"", "src=\"c\"", ":6: src=\"c\": there is no such zone here"},
       {"gw_src=\"a-a_router\"", "gw_src=\"b-0\"", ":6: gateway 'b-0' is not in zone 'a'"},
       {"</zoneRoute>",
        "</zoneRoute><link id=\"m\" bandwidth=\"1Bps\" latency=\"0\"/>\n<zoneRoute src=\"b\" dst=\"a\" gw_src=\"b-0\" "
        "gw_dst=\"a-a_router\"><link_ctn id=\"m\"/></zoneRoute>",
        ":7: zone 'b' has two gateways, 'b-b_router' and 'b-0'"},
       {"<link id", "<bypassZoneRoute src=\"a\" dst=\"b\"/>\n<link id", ":5: <bypassZoneRoute> in a zone"}});
}

TEST_CASE("SimGrid's routes of several links are read where they are the shortest, or two others") {
  const std::string chain = zones(
      "<host id=\"a\"/><host id=\"b\"/><router id=\"c\"/><link id=\"l1\" bandwidth=\"1GBps\" latency=\"1us\"/>"
      "<link id=\"l2\" bandwidth=\"2GBps\" latency=\"2us\"/>"
      "<route src=\"a\" dst=\"c\"><link_ctn id=\"l1\"/></route><route src=\"c\" dst=\"b\"><link_ctn id=\"l2\"/></route>"
      "<route src=\"a\" dst=\"b\"><link_ctn id=\"l1\"/><link_ctn id=\"l2\"/></route>");
  const auto read_chain = read("simgrid", chain);
  CHECK(links_on_way(*read_chain, "a", "b") == 6);  // with a joint before and after each
  check_refusals("simgrid", chain,
                 {{"<link_ctn id=\"l1\"/><link_ctn id=\"l2\"/>", "<link_ctn id=\"l2\"/><link_ctn id=\"l1\"/>",
                   ":3: link 'l2' is in two routes between neighbours"},
                  {"<link_ctn id=\"l1\"/><link_ctn id=\"l2\"/></route>",
                   "<link_ctn id=\"m1\"/><link_ctn id=\"m2\"/></route><link id=\"m1\" bandwidth=\"1\"/><link id=\"m2\" "
                   "bandwidth=\"1\"/>",
                   ":3: its 2 links are no fewer than those by way of others"}});
}

TEST_CASE("what is wrong in a platform, or no graph, is named") {
  check_refusals("simgrid", cluster("topology=\"TORUS\" topo_parameters=\"4,2\""),
                 {{"TORUS", "RING", ":5: topology=\"RING\": FLAT, TORUS, FAT_TREE and DRAGONFLY are read"},
                  {"TORUS", "DRAGONFLY", ":5: topo_parameters=\"4,2\": groups,links;chassis,links;blades,links;hosts"},
                  {"TORUS\" topo_parameters=\"4,2", "DRAGONFLY\" topo_parameters=\"4,1;1,1;2,1;1",
                   ":5: 4 groups and 2 blades in a chassis"},
                  {"4,2", "4,3", ":5: topo_parameters are for 12 hosts, and radical names 8"},
                  {"125MBps", "125Mops", ":5: bw=\"125Mops\": unknown unit 'Mops'"},
                  {"125MBps", "0MBps", ":5: bw '0': a number above 0"},
                  {"50us", "2000m", ":5: lat: more than an hour"},
                  {"0-7", "0-7,3", ":5: radical=\"0-7,3\": 3 is there twice"},
                  {"<cluster", "<peer id=\"p\"/><cluster", ":5: <peer> in a zone: zone, cluster, host, router, link, route"},
                  {"</zone>", "<cluster id=\"c\" prefix=\"d\" radical=\"0\" bw=\"1\"/></zone>", ":6: there are two zones 'c'"},
                  {"</platform>", "</platform", ":"}});
  check_refusals("simgrid", floyd(""),
                 {{"dst=\"r\"", "dst=\"q\"", ":8: dst=\"q\": there is no such host or router"},
                  {"<link_ctn id=\"l2\"/>", "<link_ctn id=\"l1\"/>", ":9: link 'l1' is in two routes between neighbours"},
                  {"<link_ctn id=\"l2\"/>", "", ":9: a route without a link_ctn"},
                  {"Floyd", "Vivaldi", ":2: routing=\"Vivaldi\": Floyd, Dijkstra, DijkstraCache and Full are read"},
                  {"id=\"b\"", "id=\"a\"", ":4: there are two 'a'"},
                  {"<link_ctn id=\"l2\"/>", "<link_ctn id=\"l9\"/>", ":9: there is no link 'l9'"}});
}

// ---- htsim ----

namespace {

const char* const kHtsim =
    "Nodes 32\nTiers 3\nPodsize 8\n\n"
    "Tier 0\nDownlink_speed_Gbps 200\nRadix_Down 4\nRadix_Up 2\nDownlink_Latency_ns 100\nSwitch_Latency_ns 300\n"
    "Tier 1\nDownlink_speed_Gbps 400\nRadix_Down 2\nRadix_Up 3\nDownlink_Latency_ns 200\nSwitch_Latency_ns 500\n"
    "Tier 2\nDownlink_speed_Gbps 800\nRadix_Down 4\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 700\n";

}  // namespace

TEST_CASE("htsim's fat trees") {
  const auto tree = read("htsim", kHtsim);
  CHECK(tree->endpoints() == 32);
  CHECK(tree->switches() == 8 + 8 + 6);
  CHECK(tree->properties().cables == 32 + 8 * 2 + 8 * 3);
  CHECK(speed_between(tree, "0", "tor0.0") == Approx(25));
  CHECK(speed_between(tree, "tor0.0", "agg0.1") == Approx(50));
  CHECK(speed_between(tree, "agg3.1", "core5") == Approx(100));
  CHECK(links_on_way(*tree, "0", "31") == 6);
  // Up and down over three switches: 2 (100 + 200 + 1000) of links, 2·300 + 2·500 + 700 of switches.
  const Fabric fabric = fabric_of(tree);
  Route route;
  tree->route(0, 31, Routing::deterministic(), route);
  CHECK(fabric.path_latency(route, route.paths().front()) == Time::ps((2 * 1300 + 600 + 1000 + 700) * 1000));
  CHECK(tree->group(4, 0) == 1);
  CHECK(tree->group(8, 1) == 1);
  CHECK(read("htsim",
             "Nodes 8\nTiers 2\nTier 0\nDownlink_speed_Gbps 1\nRadix_Down 4\nRadix_Up 4\nTier 1\nDownlink_speed_Gbps "
             "1\nRadix_Down 4\nBundle 2\n")
            ->properties()
            .cables == 8 + 8);
  std::string slow = kHtsim;
  slow.replace(slow.find("Downlink_speed_Gbps 800"), 23, "Downlink_speed_Gbps 100");
  CHECK(speed_between(read("htsim", slow), "agg3.1", "core5") == Approx(12.5));
  CHECK(read("htsim",
             "Nodes 2\nTiers 2\nTier 0\nDownlink_speed_Gbps 1\nRadix_Down 1\nRadix_Up 1\nTier 1\nDownlink_speed_Gbps "
             "1\nRadix_Down 2\n")
            ->switches() == 2 + 1);
}

TEST_CASE("what is wrong in a .topo is named") {
  check_refusals(
      "htsim", kHtsim,
      {{"Nodes 32", "Nodes 33", ":5: Tier 0: 33 nodes by 8 of a pod do not divide evenly"},
       {"Tiers 3", "Tiers 4", ":2: Tiers 4: htsim's fat trees have 2 or 3"},
       {"Tiers 3", "Tiers 2", ": it has 3 blocks 'Tier …', and says Tiers 2"},
       {"Tier 1", "Tier 2", ":11: Tier 2 where Tier 1 is expected"},
       {"Radix_Down 2", "Radix_Down 3", ":11: Radix_Down 3: a pod has 2 switches of Tier 0, with 1 cable to each"},
       {"Radix_Down 4\nDownlink_Latency_ns 1000", "Radix_Down 5", ":17: Radix_Down 5: there are 4 pods, with 1 cable to each"},
       {"Downlink_speed_Gbps 400\n", "", ":11: Tier 1 has no Downlink_speed_Gbps"},
       {"Radix_Up 2", "Radix_Up two", ":8: Radix_Up 'two': a whole number"},
       {"Radix_Up 2", "Radix_Upp 2", ":8: unknown key 'Radix_Upp'"},
       {"Podsize 8\n", "", ": it has no Podsize"}});
  CHECK(refusal("htsim", "Nodes 8\nConnections 8\n0->1 start 0 size 1000\n") ==
        ":2: a connection matrix of htsim, which is traffic and no fabric; the .topo file beside it is one");
}

TEST_CASE("a file of another tool behind file: gets the names of the readers") {
  const std::string said = refusal("file", kTwoGpus);
  INFO(said);
  for (const char* name : {"nccl:", "ibnetdiscover:", "slurm:", "astra:", "simgrid:", "htsim:"})
    CHECK(said.find(name) != std::string::npos);
}

}  // namespace heddle
