// SPDX-License-Identifier: Apache-2.0
// The JSON of a run is an interface: its fields, their meaning, and that it is the same bytes everywhere but under `host`.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "emu/run/emulate.hpp"
#include "heddle/version.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/effort.hpp"

namespace heddle {

using namespace test;
using OrderedJson = nlohmann::ordered_json;

namespace {

std::vector<std::string> keys_of(const OrderedJson& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

/// The report's text without what differs from host to host.
std::string without_host(const std::string& text) {
  OrderedJson json = OrderedJson::parse(text);
  for (OrderedJson& run : json["runs"]) run.erase("host");
  return json.dump(2);
}

}  // namespace

TEST_CASE("the JSON of a run has all of its fields, in this order") {
  const CommandResult result = run_heddle("run allreduce --algo ring --topo torus:2x4 --size 4KiB --json -");
  REQUIRE(result.status == 0);
  const OrderedJson json = OrderedJson::parse(result.out);
  CHECK(keys_of(json) == std::vector<std::string>{"context", "complete", "runs", "left_out"});
  CHECK(keys_of(json["context"]) == std::vector<std::string>{"version",
                                                             "collective",
                                                             "topology",
                                                             "ranks",
                                                             "preset",
                                                             "tiers",
                                                             "hop_s",
                                                             "alpha_s",
                                                             "gamma_s_per_byte",
                                                             "send_overhead_s",
                                                             "recv_overhead_s",
                                                             "routing",
                                                             "model",
                                                             "buffering",
                                                             "placement",
                                                             "groups",
                                                             "background",
                                                             "bytes",
                                                             "datatype",
                                                             "op",
                                                             "root",
                                                             "in_place",
                                                             "blocks",
                                                             "skew",
                                                             "payload_bytes",
                                                             "seed",
                                                             "order_seed",
                                                             "order"});
  CHECK(keys_of(json["context"]["tiers"][0]) ==
        std::vector<std::string>{"name", "bandwidth_Bps", "latency_s", "eta_alpha", "eta_beta"});
  const OrderedJson& run = json["runs"][0];
  CHECK(keys_of(run) == std::vector<std::string>{"collective",
                                                 "algorithm",
                                                 "topology",
                                                 "ranks",
                                                 "bytes",
                                                 "count",
                                                 "datatype",
                                                 "op",
                                                 "root",
                                                 "seed",
                                                 "time_s",
                                                 "algbw_Bps",
                                                 "busbw_Bps",
                                                 "contention_free_s",
                                                 "critical_path",
                                                 "deficiencies",
                                                 "wrong",
                                                 "rounds",
                                                 "messages",
                                                 "sent_bytes_max",
                                                 "largest_tag",
                                                 "context_bits",
                                                 "longest_message_bytes",
                                                 "round_peak_flows",
                                                 "links",
                                                 "payload_scale",
                                                 "checks",
                                                 "host"});
  CHECK(keys_of(run["links"][0]) ==
        std::vector<std::string>{"name", "bytes", "busy_s", "peak_flows", "tier", "bandwidth_Bps", "utilisation"});
  CHECK(keys_of(run["host"]) == std::vector<std::string>{"wall_s", "messages_per_s", "peak_rss_bytes", "threads"});
}

TEST_CASE("the JSON of a run says what was asked for and what was measured") {
  // As in run_test: ring allreduce of 4 ranks takes 6·(1 us + 1.024 us) = 12.144 us; each rank sends 6 blocks of 1 KiB over one
  // link.
  const CommandResult result = run_heddle(
      "run allreduce --algo ring --topo ring:4 --size 4KiB --bw 1GB/s --latency 1us --placement linear --seed 5 --json -");
  REQUIRE(result.status == 0);
  const OrderedJson json = OrderedJson::parse(result.out);
  const OrderedJson& context = json["context"];
  CHECK(context["version"] == version());
  CHECK(context["preset"].is_null());
  CHECK(context["tiers"][0]["bandwidth_Bps"] == 1e9);
  CHECK(context["tiers"][0]["latency_s"] == 1e-6);
  CHECK(context["routing"] == "adaptive");
  CHECK(context["buffering"] == "eager");
  CHECK(context["placement"] == "linear");
  CHECK(context["payload_bytes"] == 64 << 20);
  CHECK(context["order_seed"].is_null());
  CHECK(context["order"] == "usual");

  const OrderedJson& run = json["runs"][0];
  CHECK(run["collective"] == "allreduce");
  CHECK(run["algorithm"] == "ring");
  CHECK(run["topology"] == "ring:4");
  CHECK(run["ranks"] == 4);
  CHECK(run["bytes"] == 4096);
  CHECK(run["count"] == 1024);
  CHECK(run["datatype"] == "i32");
  CHECK(run["op"] == "sum");
  CHECK(run["root"] == -1);
  CHECK(run["seed"] == 5);
  CHECK(run["time_s"] == 12.144e-6);
  CHECK(run["algbw_Bps"].get<double>() == Approx(4096 / 12.144e-6));
  CHECK(run["busbw_Bps"].get<double>() == Approx(1.5 * 4096 / 12.144e-6));
  CHECK(run["wrong"] == 0);
  CHECK(run["rounds"] == 6);
  CHECK(run["messages"] == 24);
  CHECK(run["sent_bytes_max"] == 6144);
  CHECK(run["round_peak_flows"] == OrderedJson({1, 1, 1, 1, 1, 1}));
  REQUIRE(run["links"].size() == 4);
  CHECK(run["links"][0]["bytes"] == 6144);
  CHECK(run["links"][0]["busy_s"] == 6.144e-6);
  CHECK(run["links"][0]["peak_flows"] == 1);
  CHECK(run["payload_scale"] == 1);
  CHECK(run["checks"] == OrderedJson({"result", "hygiene", "again", "too_fast", "deadlock"}));
}

TEST_CASE("the JSON and the table of a run say what the switches rounded to") {
  const std::string flags =
      "run allreduce --algo in_network,ring --topo star:4,alu,multicast,precision=bf16 --size 4KiB --datatype f32";
  const CommandResult json = run_heddle(flags + " --json -");
  REQUIRE(json.status == 0);
  const OrderedJson runs = OrderedJson::parse(json.out)["runs"];
  CHECK(runs[0]["switch_precision"] == "bf16");
  CHECK(runs[0]["sent_bytes_max"] == 2048);
  CHECK_FALSE(runs[1].contains("switch_precision"));
  CHECK_THAT(run_heddle(flags).out, Catch::Contains("\n# in_network: the switches took f32 as bf16\n"));
}

TEST_CASE("the JSON and the table of a run of floats say whether ranks hold the same bits") {
  const std::string flags = "run allreduce --algo ring,swing_latency --topo ring:8 --size 4KiB --datatype ";
  const OrderedJson runs = OrderedJson::parse(run_heddle(flags + "f32 --json -").out)["runs"];
  CHECK(runs[0]["same_bits"] == true);
  CHECK(runs[0]["checks"] == OrderedJson({"result", "same_bits", "hygiene", "again", "too_fast", "deadlock"}));
  CHECK(runs[1]["same_bits"] == false);
  CHECK(runs[1]["checks"] == OrderedJson({"result", "hygiene", "again", "too_fast", "deadlock"}));
  const std::string table = run_heddle(flags + "f32 --wide").out;
  CHECK_THAT(table, Catch::Contains("\n# swing_latency: ranks hold different bits, as it may: of ") &&
                        Catch::Contains(" of 1024 elements after the first call\n") && Catch::Contains("# 2 results right\n"));
  CHECK(table.find("# ring: ") == std::string::npos);
  CHECK_FALSE(OrderedJson::parse(run_heddle(flags + "i32 --json -").out)["runs"][1].contains("same_bits"));
}

TEST_CASE("the order of contributions is checked where the operation depends on it") {
  const OrderedJson json = OrderedJson::parse(
      run_heddle("run allreduce --algo recursive_doubling --topo ring:5 --size 1KiB --op affine --json -").out);
  CHECK(json["runs"][0]["checks"] == OrderedJson({"result", "order", "hygiene", "again", "too_fast", "deadlock"}));
}

TEST_CASE("the JSON of a run has its root, how its vectors lie and are cut, and what was checked") {
  const OrderedJson json = OrderedJson::parse(
      run_heddle("run gather --algo linear --topo ring:4 --blocks 1,2,3,4 -r 3 --out-of-place --json -").out);
  CHECK(json["context"]["root"] == 3);
  CHECK(json["context"]["in_place"] == false);
  CHECK(json["context"]["blocks"] == "1,2,3,4");
  CHECK(json["context"]["op"] == "none");
  CHECK(json["runs"][0]["root"] == 3);
  CHECK(json["runs"][0]["op"] == "none");
  CHECK(json["runs"][0]["count"] == 10);
  CHECK(json["runs"][0]["checks"] == OrderedJson({"result", "input", "hygiene", "again", "too_fast", "deadlock"}));
  const OrderedJson barrier = OrderedJson::parse(run_heddle("run barrier --topo ring:4 --json -").out);
  CHECK(barrier["runs"][0]["root"] == -1);
  CHECK(barrier["runs"][0]["algbw_Bps"].is_null());
  CHECK(barrier["runs"][0]["checks"] == OrderedJson({"result", "hygiene", "again", "too_fast", "deadlock"}));
}

TEST_CASE("links are listed most loaded first, no more than asked for") {
  const OrderedJson json =
      OrderedJson::parse(run_heddle("run allreduce --algo reduce_broadcast --topo mesh:4x4 --size 4KiB --json -").out);
  const OrderedJson& links = json["runs"][0]["links"];
  CHECK(links.size() == 16);
  for (std::size_t i = 1; i < links.size(); ++i)
    CHECK(links[i - 1]["bytes"].get<std::int64_t>() >= links[i]["bytes"].get<std::int64_t>());
  const OrderedJson three =
      OrderedJson::parse(run_heddle("run allreduce --algo ring --topo mesh:4x4 --size 4KiB --links 3 --json -").out);
  CHECK(three["runs"][0]["links"].size() == 3);
}

TEST_CASE("a payload budget scales the data and says so") {
  // 8 ranks and 1 KiB: 128 B each, 32 elements of the 2^18, so every byte counts for 2^13.
  const OrderedJson json =
      OrderedJson::parse(run_heddle("run allreduce --algo ring --topo ring:8 --size 1MiB --data-memory 1KiB --json -").out);
  CHECK(json["context"]["payload_bytes"] == 1024);
  CHECK(json["runs"][0]["payload_scale"] == 1 << 13);
  CHECK(json["runs"][0]["bytes"] == 1 << 20);
  CHECK(json["runs"][0]["sent_bytes_max"] == 2 * 7 * (1 << 20) / 8);
  const OrderedJson full =
      OrderedJson::parse(run_heddle("run allreduce --algo ring --topo ring:8 --size 1MiB --data-memory full --json -").out);
  CHECK(full["context"]["payload_bytes"].is_null());
  CHECK(full["runs"][0]["payload_scale"] == 1);
  CHECK(full["runs"][0]["time_s"] == json["runs"][0]["time_s"]);
}

TEST_CASE("a rate that has no number is null") {
  const OrderedJson json =
      OrderedJson::parse(run_heddle("run allreduce --algo ring --topo ring:4 --size 4KiB --bw inf --latency 0 --json -").out);
  CHECK(json["context"]["tiers"][0]["bandwidth_Bps"].is_null());
  CHECK(json["runs"][0]["time_s"] == 0);
  CHECK(json["runs"][0]["algbw_Bps"].is_null());
  CHECK(json["runs"][0]["busbw_Bps"].is_null());
}

TEST_CASE("what does not fit is in the JSON with its reason") {
  const OrderedJson json = OrderedJson::parse(run_heddle("run allreduce --topo star:5 --size 4KiB --json -").out);
  REQUIRE_FALSE(json["left_out"].empty());
  CHECK(keys_of(json["left_out"][0]) == std::vector<std::string>{"algorithm", "reason"});
}

TEST_CASE("apart from host the JSON is the same bytes from run to run, and on user-level and kernel threads") {
  const std::string run =
      GENERATE("--topo torus:3x4 --size 64KiB --preset trivance", "--topo mesh:2x3 --size 1KiB -d float --buffering 1",
               "--topo star:6 --size 4KiB --order-seed 3", "--topo torus:4x4 --size 10KiB --placement random:3");
  // On one fabric all, in short.
  const bool all = testing::effort() == testing::Effort::thorough || run.starts_with("--topo star:6");
  const std::string algorithms = all && !testing::kUnderThreadSanitizer ? "all" : "ring,swing_bandwidth,rabenseifner";
  const auto report = [&](const std::string& flags) {
    const CommandResult result = run_heddle(fmt::format("run allreduce --algo {} {} --json - {}", algorithms, run, flags));
    REQUIRE(result.status == 0);
    return without_host(result.out);
  };
  const std::string kernel = report("--threads kernel");
  CHECK(report("--threads kernel") == kernel);
  CHECK(report("") == kernel);
  if (default_threads() == Threads::user) CHECK(report("--threads user") == kernel);  // else a sanitizer cannot follow them
}

TEST_CASE("a report goes to the file of --json beside the table, and replaces what was there") {
  const TemporaryFile file("report.json");
  const std::string run = "run allreduce --algo ring,rabenseifner --topo ring:5 --size 4KiB --json ";
  const CommandResult result = run_heddle(run + file.path());
  REQUIRE(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("# 2 results right"));
  const std::string first = without_host(test::file_content(file.path()));
  CHECK(first == without_host(run_heddle(run + "-").out));
  run_heddle(run + file.path());
  CHECK(without_host(test::file_content(file.path())) == first);
}

}  // namespace heddle
