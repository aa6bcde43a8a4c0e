// SPDX-License-Identifier: Apache-2.0
// The tuning file as MPICH goes through it.
#include "show/reports/decision_files.hpp"

#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/decisions/target.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/sweep/small_sweep.hpp"
#include "tests/lab/results/sweep_of.hpp"

namespace heddle::decisions {

using test::sweep_of;
using Json = nlohmann::ordered_json;

namespace {

/// A small base, of the form of MPICH's.
Json base() {
  return Json::parse(R"({
    "collective=bcast": {"comm_type=intra": {"algorithm=MPIR_base_bcast": {}}, "comm_type=inter": {"algorithm=MPIR_inter": {}}},
    "collective=allreduce": {"comm_type=intra": {"algorithm=MPIR_base_allreduce": {}}, "comm_type=inter": {"algorithm=MPIR_inter": {}}},
    "collective=allgather": {"comm_type=intra": {"algorithm=MPIR_base_allgather": {}}},
    "collective=alltoall": {"comm_type=intra": {"algorithm=MPIR_base_alltoall": {}}},
    "collective=scan": {"algorithm=MPIR_base_scan": {}}})");
}

struct Call {
  std::string collective = {};
  int ranks = 8;
  long long bytes = 0;  ///< of the whole vector
  long long count = 1000;
  bool commutative = true;
  bool in_place = false;
  bool built_in = true;
};

bool is_power_of_two(int n) { return (n & (n - 1)) == 0; }

/// Whether a condition is true of a call within a communicator. What MPICH does not know fails.
bool holds(const std::string& condition, const Call& call) {
  const auto at_most = [&](const std::string& key, long long value) {
    return condition == key + "=any" ||
           (condition.starts_with(key + "<=") && value <= std::stoll(condition.substr(key.size() + 2)));
  };
  if (condition == "comm_type=intra") return true;
  if (condition == "comm_type=inter") return false;
  if (condition == "comm_size=pow2") return is_power_of_two(call.ranks);
  if (condition == "count<pow2") {
    int least = 1;
    while (least * 2 <= call.ranks) least *= 2;
    return call.count < least;
  }
  if (condition.starts_with("comm_size")) return at_most("comm_size", call.ranks);
  if (condition.starts_with("count")) return at_most("count", call.count);
  if (condition.starts_with("avg_msg_size"))
    return at_most("avg_msg_size", call.collective == "alltoall" ? call.bytes / call.ranks : call.bytes);
  if (condition.starts_with("total_msg_size")) return at_most("total_msg_size", call.bytes);
  if (condition.starts_with("is_commutative=")) return condition.ends_with("yes") == call.commutative;
  if (condition.starts_with("is_sendbuf_inplace=")) return condition.ends_with("yes") == call.in_place;
  if (condition.starts_with("is_op_built_in=")) return condition.ends_with("yes") == call.built_in;
  FAIL("no condition of MPICH's: " << condition);
  return false;
}

/// The first true member's, down to an algorithm; "abort" where none is true.
std::string algorithm_for(const Json& file, const Call& call) {
  const Json* node = &file.at("collective=" + call.collective);
  while (true) {
    const Json* next = nullptr;
    for (const auto& [key, value] : node->items()) {
      if (key.starts_with("algorithm=")) return key.substr(10);
      if (!holds(key, call)) continue;
      next = &value;
      break;
    }
    if (next == nullptr) return "abort";
    node = next;
  }
}

}  // namespace

TEST_CASE("the tuning file says what was decided, and the base the rest") {
  const std::vector<NamedSweep> sweeps = {sweep_of("allreduce", {{4, 1024, "recursive_doubling", 5},
                                                                 {4, 65536, "rabenseifner", 7},
                                                                 {8, 1024, "swing_latency", 4},
                                                                 {8, 65536, "recursive_doubling", 3}}),
                                          sweep_of("allgather", {{4, 1024, "recursive_doubling", 5}, {4, 65536, "ring", 5}}),
                                          sweep_of("alltoall", {{8, 1024, "bruck", 5}, {8, 65536, "pairwise", 5}})};
  const Json file = Json::parse(mpich_json(decide(mpich_target(), sweeps), base(), "base.json"));

  CHECK(algorithm_for(file, {"bcast", 8, 1024}) == "MPIR_base_bcast");
  CHECK(file.at("collective=scan") == base().at("collective=scan"));
  CHECK(file.at("collective=allreduce").at("comm_type=inter") == base().at("collective=allreduce").at("comm_type=inter"));

  const auto allreduce = [&](int ranks, long long bytes) { return algorithm_for(file, {"allreduce", ranks, bytes}); };
  CHECK(allreduce(3, 1024) == "MPIR_base_allreduce");
  CHECK(allreduce(4, 0) == "MPIR_Allreduce_intra_recursive_doubling");
  CHECK(allreduce(4, 65535) == "MPIR_Allreduce_intra_recursive_doubling");
  CHECK(allreduce(4, 65536) == "MPIR_Allreduce_intra_reduce_scatter_allgather");
  CHECK(allreduce(7, 1LL << 40) == "MPIR_Allreduce_intra_reduce_scatter_allgather");
  CHECK(allreduce(8, 1024) == "MPIR_base_allreduce");
  CHECK(allreduce(64, 65536) == "MPIR_Allreduce_intra_recursive_doubling");
  CHECK(algorithm_for(file, {.collective = "allreduce", .ranks = 4, .bytes = 65536, .count = 3}) == "MPIR_base_allreduce");
  CHECK(algorithm_for(file, {.collective = "allreduce", .ranks = 4, .bytes = 65536, .commutative = false}) ==
        "MPIR_base_allreduce");
  CHECK(algorithm_for(file, {.collective = "allreduce", .ranks = 4, .bytes = 65536, .built_in = false}) ==
        "MPIR_base_allreduce");

  CHECK(algorithm_for(file, {"allgather", 4, 1024}) == "MPIR_Allgather_intra_recursive_doubling");
  CHECK(algorithm_for(file, {"allgather", 5, 1024}) == "MPIR_base_allgather");
  CHECK(algorithm_for(file, {"allgather", 5, 65536}) == "MPIR_Allgather_intra_ring");

  // A block is an eighth of the whole.
  CHECK(algorithm_for(file, {"alltoall", 8, 65528}) == "MPIR_Alltoall_intra_brucks");
  CHECK(algorithm_for(file, {"alltoall", 8, 65536}) == "MPIR_Alltoall_intra_pairwise");
  CHECK(algorithm_for(file, {.collective = "alltoall", .ranks = 8, .bytes = 65536, .in_place = true}) == "MPIR_base_alltoall");
}

TEST_CASE("sizes that MPICH's numbers cannot hold are left out") {
  const auto sweep = sweep_of("allreduce", {{2, 1024, "recursive_doubling", 5}, {2, 1LL << 33, "rabenseifner", 5}});
  const Json file = Json::parse(mpich_json(decide(mpich_target(), {sweep}), base(), "base.json"));
  CHECK(algorithm_for(file, {"allreduce", 2, 1LL << 34}) == "MPIR_Allreduce_intra_recursive_doubling");
}

TEST_CASE("a base is a JSON file, or a library that has one in it") {
  const test::TemporaryDirectory directory("mpich_base");
  test::write_file(directory / "base.json", base().dump());
  CHECK(read_mpich_base(directory / "base.json") == base());
  // Before it, the texts of devices, which name compositions, and a name of an algorithm by itself.
  const std::string other = R"({"collective=allreduce": {"composition=MPIDI_x": {}}})";
  const std::string library = std::string(
                                  "\x7f"
                                  "ELF\0\0",
                                  6) +
                              "algorithm=MPIR_Allreduce_intra_nb" + '\0' + other + '\0' + base().dump() + '\0' + "end";
  test::write_file(directory / "libmpich.so", library);
  CHECK(read_mpich_base(directory / "libmpich.so") == base());

  const auto refused = [&](const std::string& content) {
    test::write_file(directory / "x", content);
    try {
      read_mpich_base(directory / "x");
    } catch (const InputError& error) {
      return std::string(error.what()).substr((directory / "x").size() + 4);
    }
    return std::string();
  };
  CHECK(refused("{") == "is no JSON");
  CHECK(refused(other) == "is no tuning file of MPICH's algorithms; give libmpich.so, or generic.json of MPICH's sources");
  CHECK(refused(std::string("\0x\0", 3)) ==
        "has no tuning file of MPICH in it; give libmpich.so, or generic.json of MPICH's sources");
  CHECK(refused(std::string(100000, '[')) == "objects more than 64 deep in each other");
  CHECK_THROWS_AS(read_mpich_base("/nowhere"), InputError);
}

TEST_CASE("a base without the collective is refused") {
  const auto sweep = sweep_of("reduce", {{2, 1024, "binomial_halving", 5}});
  CHECK_THROWS_WITH(mpich_json(decide(mpich_target(), {sweep}), base(), "base.json"),
                    "'base.json': has no rules for \"collective=reduce\" within a communicator; is it another version's?");
}

}  // namespace heddle::decisions
