// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/tier_values.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "heddle/units.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/describe/flag_value.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {
namespace {

using namespace literals;
using test::run_heddle;

template <class Value>
std::vector<Value> column(const FabricSettings& settings, Value LinkSpeed::*member) {
  std::vector<Value> values;
  for (const LinkSpeed& speed : settings.tiers) values.push_back(speed.*member);
  return values;
}

FabricSettings settings_of_flags(const std::string& flags) {
  return settings_of(Experiment::parse("allreduce " + flags).fabric);
}

}  // namespace

TEST_CASE("a list is split at its commas, empty parts included") {
  CHECK(split_list("a") == std::vector<std::string_view>{"a"});
  CHECK(split_list("a,b,,c") == std::vector<std::string_view>{"a", "b", "", "c"});
  CHECK(split_list("a,") == std::vector<std::string_view>{"a", ""});
  CHECK(split_list("") == std::vector<std::string_view>{""});
}

TEST_CASE("lists of speeds by tier: the last value serves all tiers beyond") {
  const FabricSettings settings =
      settings_of_flags("--bw 900GB/s,50GB/s --latency 250ns,1us,3us --eta-alpha 1.25 --eta-beta 1,0.8,0.4,0.2");
  CHECK(column(settings, &LinkSpeed::bandwidth) == std::vector{900_GBps, 50_GBps, 50_GBps, 50_GBps});
  CHECK(column(settings, &LinkSpeed::latency) == std::vector{250_ns, 1_us, 3_us, 3_us});
  CHECK(column(settings, &LinkSpeed::eta_alpha) == std::vector{1.25, 1.25, 1.25, 1.25});
  CHECK(column(settings, &LinkSpeed::eta_beta) == std::vector{1.0, 0.8, 0.4, 0.2});
}

TEST_CASE("one value overrides a preset's tiers, a list the tiers that it reaches") {
  CHECK(column(settings_of_flags("--preset superpod"), &LinkSpeed::latency) == std::vector{250_ns, 1_us, 3_us});
  const FabricSettings settings = settings_of_flags("--preset superpod --latency 7ns --bw 1GB/s,2GB/s");
  CHECK(column(settings, &LinkSpeed::latency) == std::vector{7_ns, 7_ns, 7_ns});
  CHECK(column(settings, &LinkSpeed::bandwidth) == std::vector{1_GBps, 2_GBps, 2_GBps});
}

TEST_CASE("speeds by the names of dimensions are those of a list in their order") {
  const auto speeds = [](const std::string& flags) { return run_heddle("topo " + flags).out; };
  for (const char* fabric : {"torus:8x4", "hyperx:8x4", "ring:8*star:4", "torus:8x4,twist=4"}) {
    const std::string topology = std::string(fabric) + " --latency ";
    CHECK(speeds(topology + "1us --bw y=25GB/s,x=100GB/s") == speeds(topology + "1us --bw 100GB/s,25GB/s"));
    CHECK(speeds(topology + "x=1us,y=3us") == speeds(topology + "1us,3us"));
  }
  CHECK(speeds("hypercube:5 --bw x=5GB/s,y=4GB/s,z=3GB/s,w=2GB/s,4=1GB/s") ==
        speeds("hypercube:5 --bw 5GB/s,4GB/s,3GB/s,2GB/s,1GB/s"));
  CHECK(speeds("ring:8 --bw x=5GB/s") == speeds("ring:8 --bw 5GB/s"));
  // A point of a sweep, which is called as it was written.
  const auto sweep = nlohmann::json::parse(
      run_heddle("sweep allreduce --algo ring --topo torus:4x2 --size 1KiB --bw x=9GB/s,y=3GB/s --bw 5GB/s --json -").out);
  REQUIRE(sweep["context"]["fabrics"].size() == 2);
  CHECK(sweep["context"]["fabrics"][0]["bandwidth"] == "x=9GB/s,y=3GB/s");
}

TEST_CASE("names that are not the grid's dimensions, each once, are refused") {
  const auto complaint = [](const std::string& flags) { return run_heddle("topo " + flags).err; };
  const std::string torus = "torus:8x4x2 --bw ";
  CHECK(complaint(torus + "x=1GB/s,y=2GB/s") ==
        "heddle: --bw: 'z' is missing; the dimensions of torus:8x4x2 are x to z, each to be named\n");
  CHECK(complaint("torus:8x4 --latency x=1us,y=2us,z=3us") ==
        "heddle: --latency: 'z' is none; the dimensions of torus:8x4 are x to y, each to be named\n");
  CHECK(complaint("ring:8 --bw x=1GB/s,y=2GB/s") ==
        "heddle: --bw: 'y' is none; the dimensions of ring:8 are x, each to be named\n");
  CHECK(complaint(torus + "x=1GB/s,z=2GB/s") == "heddle: --bw 'x=1GB/s,z=2GB/s': y is missing; name each dimension\n");
  CHECK(complaint(torus + "x=1GB/s,y=2GB/s,x=3GB/s") ==
        "heddle: --bw 'x=1GB/s,y=2GB/s,x=3GB/s': x is there twice; name each dimension once\n");
  CHECK(complaint(torus + "a=1GB/s") == "heddle: --bw 'a=1GB/s': 'a' is no dimension; they are x, y, z, w, then 4, 5, …\n");
  CHECK(complaint(torus + "x=1GB/s,2GB/s") ==
        "heddle: --bw 'x=1GB/s,2GB/s': '2GB/s' has no dimension, and others have; name all or none\n");
  CHECK(complaint(torus + "x=1GB/s,y=fast") == "heddle: --bw 'fast': not a bandwidth; try 400Gbps or 50GB/s\n");
  for (const char* other : {"star:4", "clos:hosts=2,leaves=2", "hxmesh:board=2x2,grid=2x2"})
    CHECK_THAT(complaint(std::string(other) + " --bw x=1GB/s,y=2GB/s"),
               Catch::Contains("has tiers of links; give a list, innermost first\n"));
}

TEST_CASE("a wrong part of a list is named with its flag") {
  const auto complaint = [](const std::string& flags) { return run_heddle("topo clos:hosts=2,leaves=2 " + flags).err; };
  CHECK(complaint("--bw 900GB/s,fast") == "heddle: --bw 'fast': not a bandwidth; try 400Gbps or 50GB/s\n");
  CHECK(complaint("--latency 1us,,2us") == "heddle: --latency '': not a time; try 100ns\n");
  CHECK(complaint("--eta-beta 0.8x") == "heddle: --eta-beta '0.8x': not a number; try 0.8\n");
  CHECK(complaint("--eta-alpha 1,0.5") == "heddle: eta_alpha 0.5: it multiplies the latency and must be at least 1\n");
  CHECK(complaint("--eta-beta 1.5") == "heddle: eta_beta 1.5: it multiplies the bandwidth and must be above 0 and at most 1\n");
  CHECK(run_heddle("topo star:4 --eta-beta 1.5").status == 2);
}

TEST_CASE("derating by flag: what a message takes") {
  // star: 1.25·ℓ up, 1.25·(ℓ + h) down: 1.25·(2·100 + 100) ns = 375 ns; 10 kB at 0.5·1 GB/s: 20 us
  const std::string out =
      run_heddle(
          "run broadcast --algo chain --topo star:2 --size 10kB --bw 1GB/s --latency 100ns --switch-latency 100ns "
          "--eta-alpha 1.25 --eta-beta 0.5")
          .out;
  CHECK_THAT(out, Catch::Contains("# links 1GB/s, 100ns (eta_alpha 1.25, eta_beta 0.5); hop 100ns;"));
  CHECK_THAT(out, Catch::Contains(" 20.375 "));
}

}  // namespace heddle
