// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "core/read_file.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

namespace {

using namespace test;

constexpr const char* kDoubling =
    "run allreduce --algo recursive_doubling --topo ring:16 --size 16KiB --bw 1GB/s --latency 10ns --alpha 1us --routing "
    "deterministic";

}  // namespace

TEST_CASE("run --explain says where the time went, which rounds cost most, and which messages met") {
  // Four steps of 16,384 ns, shared by 1, 2, 4 and 8; α = 1 us; distances 1 + 2 + 4 + 8 of 10 ns each.
  const CommandResult result = run_heddle(std::string(kDoubling) + " --explain --wide");
  REQUIRE(result.status == 0);
  const std::vector<std::string> lines = lines_of(result.out);
  const auto at = std::find_if(lines.begin(), lines.end(),
                               [](const std::string& line) { return line.starts_with("# recursive_doubling:"); });
  REQUIRE(lines.end() - at >= 6);
  CHECK(at[0] ==
        "# recursive_doubling: 249.910 us: 72.1 % contention, 26.2 % serialisation, 1.6 % start-up, 0.06 % propagation");
  CHECK(
      at[1] ==
      "#   the longest chain: 4 messages, 65536 bytes (n_alpha 4, n_beta 4); without contention 69.686 us, so contention costs "
      "3.586 x");
  CHECK(at[2] ==
        "#   times the optimum: latency Λ 1, bandwidth Ψ 4, congestion Ξ 3.75 (Swing 2.2); latency Λ 1.58, bytes sent Δ 2, "
        "transmission delay Θ 15 (Trivance 2.3)");
  CHECK(at[3] ==
        "#   most expensive rounds: 4 (132.152 us, 52.9 %, of which contention 114.688 us), 3 (66.576 us, 26.6 %, of which "
        "contention 49.152 us), 2 (33.788 us, 13.5 %, of which contention 16.384 us)");
  CHECK(at[4].find("carried 8 messages in round 4, from ranks ") != std::string::npos);
  CHECK(at[4].ends_with("it cost 114.688 us"));
  CHECK(at[5].starts_with("#   most utilised link: "));
  CHECK(at[5].find(" (links, 1GB/s): 85.2 % of what it could carry; ") != std::string::npos);
  CHECK(at[5].find("; 212992 bytes, at most 8 messages at once") != std::string::npos);
  CHECK(result.out.find("\n# in the explanations: n_alpha: start-ups (messages) of the longest chain, n_beta: ") !=
        std::string::npos);
  for (const char* symbol : {"Λ latency: ", "Ψ bandwidth: ", "Ξ congestion: ", "Δ bytes sent: ", "Θ transmission delay: "})
    CHECK(result.out.find(symbol) != std::string::npos);
}

namespace {

/// The line of `run … --explain` that begins so.
std::string explained(const std::string& command, const std::string& begin) {
  const CommandResult result = run_heddle("run " + command + " --explain --wide");
  INFO(command << result.err);
  REQUIRE(result.status == 0);
  for (const std::string& line : lines_of(result.out))
    if (line.starts_with("#   " + begin)) return line.substr(4);
  return "";
}

}  // namespace

TEST_CASE("run --explain names the most utilised link, not the one with most bytes, and the tiers that the chain drains in") {
  // All links carry 30/16 of 16 MiB; a NIC is 12 times as slow as NVLink, and never idle.
  const std::string pods = " --topo superpod:pods=2,gpus=8,trays=1 --bw 300GB/s,25GB/s --size 16MiB";
  CHECK(explained("allreduce --algo ring" + pods, "most utilised")
            .starts_with("most utilised link: 0->rail0.leaf0 (NIC to leaf, 25GB/s): 100 % of what it could carry; 3 others "
                         "as full; 31457280 bytes"));
  CHECK(explained("allreduce --algo ring" + pods, "the chain's") ==
        "the chain's messages drain at the rate of: NIC to leaf (25GB/s) 1258.291 us, 100 % of the time");
  // Within pods 7/8 of the vector at 300 GB/s, twice; between them an eighth at 25 GB/s: 97.9 and 83.9 us.
  CHECK(explained("allreduce --algo hierarchical" + pods, "the chain's") ==
        "the chain's messages drain at the rate of: NVLink (300GB/s) 97.867 us, 52.9 % of the time; NIC to leaf (25GB/s) "
        "83.886 us, "
        "45.4 % of the time");
}

TEST_CASE("run --explain counts a slow link by its slow rate, and the load in the background") {
  // Six messages of 262,144 B at 12.5 GB/s take 125.8 of 126 us; the others' links, at 50 GB/s, were busy a quarter of that.
  CHECK(explained("allreduce --algo ring --topo star:4 --size 1MiB --fault link:0->s0,slow=4", "most utilised")
            .starts_with(
                "most utilised link: 0->s0 (endpoint to switch, 50GB/s, slowed to 12.5GB/s): 99.8 % of what it could carry; "
                "1572864 bytes"));
  const std::string pods = "allreduce --algo ring --topo superpod:pods=2,gpus=4,trays=1 --bw 300GB/s,25GB/s --size 1MiB";
  CHECK(explained(pods + " --fault link:2->nvswitch0,slow=100", "most utilised")
            .starts_with("most utilised link: 2->nvswitch0 (NVLink, 300GB/s, slowed to 3GB/s): 100 %"));
  CHECK(explained(pods + " --fault link:2->nvswitch0,slow=100", "the chain's").find("us over links that a fault slows)") !=
        std::string::npos);
  CHECK(explained("allreduce --algo recursive_doubling --topo mesh:4 --size 1MiB --background 2->3@80%", "most utilised")
            .starts_with(
                "most utilised link: 2->3 (links, 50GB/s): 44.4 % of what it could carry and 51.2 % by the background; "));
}

TEST_CASE("run --explain names the link that held a message up, alone or with others like it") {
  // Two messages meet on the NIC, eight in each fast link of a pod's switch, which is not full.
  const std::string line = explained(
      "allreduce --algo recursive_doubling --topo clos:hosts=4,leaves=4,spines=2,cables=1 --bw 400GB/s,25GB/s --size 1MiB",
      "worst");
  CHECK(line.find("spine") != std::string::npos);
  CHECK(explained("allreduce --algo recursive_doubling --topo clos:hosts=2,leaves=2,spines=1 --bw 100GB/s,25GB/s --size 1MiB",
                  "worst")
            .find(" 0 more like it") == std::string::npos);
}

TEST_CASE("a page explains the same link and tier though it keeps no rates, and has the legend") {
  const TemporaryDirectory directory("explained_page");
  const CommandResult result = run_heddle(
      "run allreduce --algo hierarchical --topo superpod:pods=2,gpus=8,trays=1 --bw "
      "300GB/s,25GB/s --size 16MiB --html " +
      (directory / "page.html"));
  REQUIRE(result.status == 0);
  const std::string page = read_file(directory / "page.html");
  CHECK(page.find(
            "contention apart, the chain's messages drain at the rate of: NVLink (300GB/s) 97.867 us, 52.9 % of the time; NIC "
            "to leaf (25GB/s) 83.886 us") != std::string::npos);
  CHECK(page.find("most utilised link: 0->nvswitch0 (NVLink, 300GB/s): 52.9 %") != std::string::npos);
  CHECK(page.find("in the explanations: n_alpha: start-ups") != std::string::npos);
}

TEST_CASE("without contention, --explain says so") {
  const CommandResult result = run_heddle("run allreduce --algo ring --topo ring:4 --size 4KiB --explain");
  CHECK(result.status == 0);
  CHECK(result.out.find("#   no message of the chain shared a link with another\n") != std::string::npos);
  CHECK(result.out.find("so contention costs 1.000 x\n") != std::string::npos);
}

// Two pods of eight NICs: one ring crosses by one of them, eight channels by all.
TEST_CASE("run --explain says where links side by side carry unequal parts") {
  const auto said = [](const std::string& algorithm, const std::string& more) {
    const CommandResult result = run_heddle("run allreduce --size 1MiB --explain --wide --algo " + algorithm + ' ' + more);
    CHECK(result.status == 0);
    for (const std::string& line : lines_of(result.out))
      if (line.find("leaves it") != std::string::npos) return line;
    return std::string();
  };
  const std::string pods = "--topo superpod:pods=2,gpus=8,trays=1 --bw 300GB/s,25GB/s";
  CHECK(said("ring", pods).starts_with("#   1 of 8 NICs of a pod carries all that leaves it: 0->rail0.leaf0 is busy 9"));
  CHECK(said("ring:channels=2", pods).starts_with("#   2 of 8 NICs of a pod carry all that leaves it: "));
  CHECK(said("ring:channels=8", pods).empty());
  CHECK(said("hierarchical", pods).empty());
  // NICs of GPUs without a rank do not count.
  CHECK(said("ring", pods + " --placement groups:3+4 --ranks 7").starts_with("#   1 of 3 NICs of a pod carries all"));
  // Uplinks of a leaf, which adaptive routing fills evenly.
  const std::string leaves = "--topo clos:hosts=4,leaves=2,spines=4";
  CHECK(said("ring", leaves + " --routing ecmp:1").find(" of 4 links of tier 'leaf to spine' of a group of 4 endpoints carr") !=
        std::string::npos);
  CHECK(said("ring", leaves).empty());
  CHECK(said("ring", "--topo torus:4x4").empty());
}

TEST_CASE("run --explain says what the phases of an algorithm took") {
  // Two times three rounds of 1,024 bytes at 1 GB/s, over a link of 10 ns.
  const CommandResult result =
      run_heddle("run allreduce --algo ring --topo ring:4 --size 4KiB --bw 1GB/s --latency 10ns --explain --wide");
  REQUIRE(result.status == 0);
  for (const char* phase : {"reduce-scatter", "allgather"})
    CHECK(result.out.find("#   phase " + std::string(phase) +
                          ": 3.102 us of the chain (50 %); in a rank 3.102 us on average, at most 3.102 us\n") !=
          std::string::npos);
}

TEST_CASE("run --explain is silent of phases where there is but one") {
  const CommandResult result = run_heddle("run allgather --algo bruck --topo ring:4 --size 4KiB --explain --wide");
  REQUIRE(result.status == 0);
  CHECK(result.out.find("phase") == std::string::npos);
}

TEST_CASE("run --explain has something to say of every collective, one rank and an empty vector included") {
  for (const char* what :
       {"broadcast", "reduce", "allreduce", "reduce_scatter", "allgather", "gather", "scatter", "alltoall", "barrier"}) {
    for (const char* rest : {" --topo torus:3x2 --size 4KiB", " --topo ring:1 --size 4KiB", " --topo star:3 --size 0"}) {
      INFO(what << rest);
      std::string flags = rest;
      if (std::string_view(what) == "barrier") flags.resize(flags.find(" --size"));
      const CommandResult result = run_heddle("run " + std::string(what) + flags + " --explain");
      CHECK(result.status == 0);
      CHECK(result.err.empty());
    }
  }
}

TEST_CASE("run --model alpha-beta takes contention away, and a fluid run prints what that is worth") {
  const CommandResult fluid = run_heddle(std::string(kDoubling) + " --wide");
  CHECK(words_of(lines_of(fluid.out)[7])[14] == "3.59");
  const CommandResult alone = run_heddle(std::string(kDoubling) + " --model alpha-beta --wide");
  REQUIRE(alone.status == 0);
  CHECK(alone.out.find("# model alpha-beta: no message is slowed by another\n") != std::string::npos);
  CHECK(words_of(lines_of(alone.out)[8])[6] == "69.686");
  CHECK(words_of(lines_of(alone.out)[8])[14] == "-");
}

TEST_CASE("a model that there is not is refused") {
  const CommandResult result = run_heddle("run allreduce --topo ring:4 --size 4KiB --model ether");
  CHECK(result.status == 2);
  CHECK(result.err == "heddle: --model 'ether' is no model; fluid or alpha-beta or packets\n");
}

}  // namespace heddle
