// SPDX-License-Identifier: Apache-2.0
// What Open MPI, MPICH and NCCL would take for a call, of their files and of their own tables.
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "lab/decisions/decision_file.hpp"
#include "lab/results/decisions.hpp"
#include "lab/run/run_algorithm.hpp"
#include "show/reports/decision_files.hpp"
#include "tests/catch.hpp"
#include "tests/cli/temporary_directory.hpp"
#include "tests/lab/results/sweep_of.hpp"

namespace heddle {

namespace {

/// What the entry says of a call: its remark, or why it is refused.
std::string said_by(const Algorithm& entry, int ranks, std::int64_t bytes) {
  Shape shape{.ranks = ranks, .count = bytes / 4, .bytes = bytes};
  const std::string refused = why_not(entry, shape, ReduceOp::sum());
  return refused.empty() ? entry.remark(shape) : refused;
}

std::string said(Collective collective, const std::string& name, int ranks, std::int64_t bytes) {
  return said_by(decisions::decision_algorithm(collective, name), ranks, bytes);
}

/// Of a file with this text; what is wrong with it, without its folder.
class File {
 public:
  explicit File(const std::string& text, const char* kind = "openmpi") : kind_(kind), path_(directory_ / "file") {
    std::ofstream(path_) << text;
  }
  std::string name() const { return fmt::format("{}:{}", kind_, path_); }
  std::string says(Collective collective, int ranks, std::int64_t bytes) const {
    try {
      return said(collective, name(), ranks, bytes);
    } catch (const InputError& error) {
      std::string what = error.what();
      for (std::size_t at = what.find(path_); at != what.npos; at = what.find(path_)) what.replace(at, path_.size(), "file");
      return what;
    }
  }

 private:
  test::TemporaryDirectory directory_{fmt::format("decisions-{}", ++many)};
  static inline int many = 0;
  std::string kind_;
  std::string path_;
};

}  // namespace

TEST_CASE("Open MPI's rules in text: the last ones that are not above a call count, and 0 is Open MPI's own choice") {
  const File rules(
      "2  # collectives\n2 2 4 2  # allreduce\n0 3 0 0\n1024 4 0 0\n16 1\n0 0 0 0\n"
      "7 1 1 2  # bcast\n0 6 0 0\n65536 3 0 16384\n");
  CHECK(rules.says(Collective::allreduce, 8, 1020) == "it takes recursive_doubling");
  CHECK(rules.says(Collective::allreduce, 8, 1024) == "it takes ring");
  CHECK(rules.says(Collective::allreduce, 2, 1024) == "it takes ring");  // fewer than the first have its rules
  CHECK(rules.says(Collective::allreduce, 16, 1024) == "Open MPI decides by itself: recursive_doubling");
  CHECK(rules.says(Collective::broadcast, 8, 65536) == "it takes chain:segments=4");
  CHECK(rules.says(Collective::broadcast, 8, 65540) == "it takes chain:segments=5");
  CHECK(rules.says(Collective::reduce, 64, 65536) == "Open MPI decides by itself: binomial_halving");
  const File second("rule-file-version-2\n1\n3 1\n1 1\n0 1 0 0 32\n");
  CHECK(second.says(Collective::alltoall, 8, 1024) == "it takes linear");
  // Where there are fewer elements than ranks, its ring is recursive doubling.
  CHECK(rules.says(Collective::allreduce, 8, 1024) == "it takes ring");
  CHECK(File("1\n2 1 1 1\n0 4 0 0\n").says(Collective::allreduce, 8, 16) ==
        "Open MPI takes recursive_doubling for ring where there are fewer than p elements");
}

TEST_CASE("Open MPI's rules in JSON: the first that fits counts, by number or by name") {
  const File rules(R"({"rule_file_version": 3, "module": "tuned", "collectives": {
    "allreduce": [{"comm_size_min": 4, "comm_size_max": 8, "rules": [
                     {"msg_size_max": 1024, "alg": "recursive_doubling"}, {"msg_size_max": "inf", "alg": 4}]},
                  {"rules": [{"msg_size_min": 65536, "alg": "knomial"}]}], "exscan": []}})");
  CHECK(rules.says(Collective::allreduce, 8, 1024) == "file:4: 'knomial': no algorithm of Open MPI's allreduce");
  const File good(R"({"collectives": {"allreduce": [{"comm_size_min": 4, "comm_size_max": 8, "rules": [
                     {"msg_size_max": 1024, "alg": "recursive_doubling"}, {"msg_size_max": "inf", "alg": 4}]}],
                     "bcast": [{"rules": [{"alg": "knomial"}]}]}})");
  CHECK(good.says(Collective::allreduce, 8, 1024) == "it takes recursive_doubling");
  CHECK(good.says(Collective::allreduce, 8, 1028) == "it takes ring");
  CHECK(good.says(Collective::allreduce, 12, 8192) == "Open MPI decides by itself: rabenseifner");
  CHECK(good.says(Collective::broadcast, 8, 64) ==
        "the file takes Open MPI's knomial (7) there, which heddle does not have; the nearest is binomial_doubling");
  CHECK(File(R"({"collectives": {"bcast": [{"comm_rank_distribution": "single-node", "rules": []}]}})")
            .says(Collective::broadcast, 8, 64) ==
        "file:1: 'single-node': rules that depend on where ranks sit are not taken, \"any\" alone");
}

TEST_CASE("broken rules of Open MPI are refused with their line") {
  const auto refusal = [](const char* text) { return File(text).says(Collective::allreduce, 8, 64); };
  CHECK(refusal("1\n2 1\n4 1\n") == "file:3: the file ends before a rule's bytes");
  CHECK(refusal("1\n2 1\n4 1\n8 3 0 0\n") == "file:4: the first rule of a communicator is at 0 bytes");
  CHECK(refusal("1\n2 1\n4 2\n0 3 0 0\n0 4 0 0\n") == "file:5: bytes must grow from one rule to the next");
  CHECK(refusal("1\n2 1\n4 1\n0 three 0 0\n") == "file:4: 'three': the rules are of whole numbers; # begins a comment");
  CHECK(refusal("0\n1\n") == "file:2: more numbers than the counts before them say");
  CHECK(refusal("") == "file:1: the file ends before how many collectives there are");
}

TEST_CASE("MPICH's tree of conditions: the first true one counts") {
  const File tree(
      R"({"collective=allreduce": {"comm_type=intra": {"comm_size<=4": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}},
           "comm_size=pow2": {"avg_msg_size<1024": {"is_commutative=no": {"algorithm=x": {}},
             "is_commutative=yes": {"algorithm=MPIR_Allreduce_intra_ring": {}}}}}}})",
      "mpich");
  CHECK(tree.says(Collective::allreduce, 3, 4096) == "it takes recursive_doubling");
  CHECK(tree.says(Collective::allreduce, 8, 1020) == "it takes ring");
  CHECK(tree.says(Collective::allreduce, 8, 1024) ==
        "file: below collective=allreduce, comm_type=intra, comm_size=pow2: no condition is true, and MPICH ends the program "
        "there");
  CHECK(tree.says(Collective::reduce, 8, 64) == "file: has no \"collective=reduce\": MPICH ends the program at its first call");
  CHECK(File(R"({"collective=allreduce": {"moon=full": {"algorithm=MPIR_Allreduce_intra_ring": {}}}})", "mpich")
            .says(Collective::allreduce, 8, 64) ==
        "file: below collective=allreduce: \"moon=full\" is no condition that heddle knows");
}

TEST_CASE("MPICH's tree of conditions: what later versions ask for") {
  const File tree(
      R"({"collective=allreduce": {"is_multi_threaded=yes": {"algorithm=x": {}}, "comm_hierarchy=node": {"algorithm=x": {}},
           "comm_avg_ppn<=4": {"algorithm=MPIR_Allreduce_intra_ring": {}}, "comm_avg_ppn<8": {"algorithm=x": {}},
           "comm_avg_ppn=any": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}}},
          "collective=bcast": {"composition=MPIDI_Bcast_intra_composition_alpha": {}},
          "collective=reduce": {"comm_avg_ppn<=many": {"algorithm=x": {}}}})",
      "mpich");
  const Algorithm entry = decisions::decision_algorithm(Collective::allreduce, tree.name());
  const auto on_nodes = [&](int nodes, int of_node) {
    Shape shape{.ranks = nodes * of_node, .count = 1024, .bytes = 4096};
    std::vector<int>& group = shape.tiers.group.emplace_back();
    for (int rank = 0; rank < shape.ranks; ++rank) group.push_back(rank / of_node);
    shape.tiers.group.emplace_back(group.size(), 0);
    return entry.remark(shape);
  };
  CHECK(on_nodes(2, 4) == "it takes ring");
  CHECK(on_nodes(2, 8) == "it takes recursive_doubling");
  CHECK(tree.says(Collective::allreduce, 8, 4096) == "it takes recursive_doubling");  // nobody knows of nodes
  CHECK(tree.says(Collective::broadcast, 8, 64).find("MPIDI_Bcast_intra_composition_alpha") != std::string::npos);
  CHECK(tree.says(Collective::reduce, 8, 64) ==
        "file: below collective=reduce: \"comm_avg_ppn<=many\" is no condition that heddle knows");
}

TEST_CASE("NCCL's tuner: the first line that fits counts, and no line is not known") {
  const File tuner("# mine\nallreduce,0,1023,tree,ll,-1,-1,8\nallreduce,1024,65536,ring,simple,2,-1,-1\n", "nccl");
  CHECK(tuner.says(Collective::allreduce, 8, 512) == "it takes double_binary_tree");
  CHECK(tuner.says(Collective::allreduce, 16, 4096) == "it takes ring:channels=2");
  CHECK(tuner.says(Collective::allreduce, 8, 1 << 20) == "NCCL decides by itself there, and how is not known");
  // Nodes are the innermost groups; a fabric without any is one node.
  const File by_nodes("allreduce,0,65536,tree,ll,-1,2,-1\nallreduce,0,65536,ring,simple,-1,1,-1\n", "nccl");
  const Algorithm entry = decisions::decision_algorithm(Collective::allreduce, by_nodes.name());
  Shape shape{.ranks = 4, .count = 128, .bytes = 512};
  CHECK(entry.remark(shape) == "it takes ring");
  shape.tiers.group = {{0, 0, 1, 1}, {0, 0, 0, 0}};
  CHECK(entry.remark(shape) == "it takes double_binary_tree");
  CHECK(File("allreduce,0,1,ring\n", "nccl").says(Collective::allreduce, 8, 512) ==
        "file:1: 4 fields; a line has collective, min_bytes, max_bytes, algorithm, protocol, channels, nNodes, nRanks");
  CHECK(File("allreduce,0,1,star,simple,-1,-1,-1\n", "nccl").says(Collective::allreduce, 8, 512) ==
        "file:1: 'star': no algorithm of NCCL; there are tree, ring, collnet_direct, collnet_chain, nvls, nvls_tree, pat");
}

TEST_CASE("libraries' own decisions: what their sources say at the edges of their tables") {
  const std::string ompi = "openmpi:builtin";
  CHECK(said(Collective::allreduce, ompi, 8, 8188) == "Open MPI decides by itself: recursive_doubling");
  CHECK(said(Collective::allreduce, ompi, 8, 8192) == "Open MPI decides by itself: rabenseifner");
  CHECK(said(Collective::allgather, ompi, 32, 32 * 1020) == "Open MPI decides by itself: recursive_doubling");
  CHECK(said(Collective::allgather, ompi, 32, 32 * 1024) == "Open MPI decides by itself: neighbor_exchange");
  CHECK(said(Collective::allgather, ompi, 12, 1200) ==
        "Open MPI takes bruck for recursive_doubling where p is no power of two");
  CHECK(said(Collective::broadcast, ompi, 16, 4096) == "Open MPI decides by itself: binomial_doubling");
  CHECK(said(Collective::broadcast, ompi, 16, 64) ==
        "Open MPI decides by itself and takes its knomial (7) there, which heddle does not have; the nearest is "
        "binomial_doubling");
  CHECK(said(Collective::reduce, ompi, 16, 8192) == "Open MPI decides by itself: binomial_halving");
  CHECK(said(Collective::reduce_scatter, ompi, 8, 262144) == "Open MPI decides by itself: ring");
  CHECK(said(Collective::alltoall, ompi, 128, 128 * 2048) == "Open MPI decides by itself: linear");
  CHECK(said(Collective::alltoall, ompi, 2, 2 * 2048) == "Open MPI decides by itself: pairwise");
  const std::string mpich = "mpich:builtin";
  CHECK(said(Collective::allreduce, mpich, 8, 8) == "MPICH decides by itself: recursive_doubling");
  CHECK(said(Collective::allreduce, mpich, 8, 32) == "MPICH decides by itself: rabenseifner");
  CHECK(said(Collective::broadcast, mpich, 12, 16384) == "MPICH decides by itself: scatter_allgather");
  CHECK(said(Collective::reduce_scatter, mpich, 8, 524288) == "MPICH decides by itself: pairwise");
  CHECK(said(Collective::alltoall, mpich, 8, 8 * 256) == "MPICH decides by itself: bruck");
  CHECK(said(Collective::alltoall, mpich, 8, 8 * 260) == "MPICH decides by itself: linear");
  CHECK(said(Collective::reduce, mpich, 8, 2052) == "MPICH decides by itself: reduce_scatter_gather");
  CHECK_THROWS_WITH(decisions::decision_algorithm(Collective::allreduce, "nccl:builtin"),
                    "NCCL decides by a model of its own, which is no table");
}

TEST_CASE("a call by decisions takes what the chosen algorithm takes, at sizes that are held in part too") {
  for (const char* size : {"4KiB", "64MiB"}) {
    Experiment call = Experiment::parse(fmt::format(
        "allreduce --algo openmpi:builtin --topo star:8 --bw 10GB/s --latency 1us --data-memory 1MiB --size {}", size));
    const Outcome chosen = call.run();
    call.algorithm = std::string_view(size) == "4KiB" ? "recursive_doubling" : "rabenseifner";
    const Outcome named = call.run();
    REQUIRE(chosen.report() != nullptr);
    CHECK(chosen.report()->completion == named.report()->completion);
    CHECK(chosen.report()->messages_digest == named.report()->messages_digest);
  }
}

TEST_CASE("what heddle exports is read back to the same choices") {
  using test::sweep_of;
  const std::vector<decisions::NamedSweep> sweeps = {
      sweep_of("allreduce",
               {{8, 1024, "recursive_doubling", 3},
                {8, 1024, "ring", 9},
                {8, 65536, "rabenseifner", 20},
                {8, 65536, "ring", 30},
                {8, 1 << 20, "ring", 90},
                {8, 1 << 20, "rabenseifner", 99},
                {16, 1024, "ring", 9},
                {16, 1024, "rabenseifner", 10}},
               "sweep.json", "star:16"),
      sweep_of("broadcast", {{8, 1024, "binomial_doubling", 3},
                             {8, 1024, "chain", 9},
                             {8, 1 << 20, "chain", 30, 14},
                             {8, 1 << 20, "binomial_doubling", 90}}),
      sweep_of("reduce", {{8, 4096, "binomial_pipelined", 3, 10}, {8, 4096, "chain", 9, 8}}),
      sweep_of("alltoall",
               {{8, 4096, "bruck", 3}, {8, 4096, "linear", 9}, {8, 1 << 20, "pairwise", 9}, {8, 1 << 20, "bruck", 30}})};
  const auto require_same = [](const decisions::Decisions& decided, const std::string& text, const char* kind) {
    const File file(text, kind);
    int compared = 0;
    for (const decisions::CollectiveDecisions& of : decided.collectives)
      for (const decisions::RankDecisions& at : of.ranks)
        for (const std::vector<decisions::Decision>& sizes : {at.sizes, at.between})
          for (const decisions::Decision& decision : sizes) {
            if (!decision.choice) continue;
            const bool is_cut =
                decision.choice->mapping->segments != decisions::Segments::none && std::string_view(kind) != "nccl";
            INFO(kind << ' ' << of.collective->name << " p=" << at.ranks << ' ' << decision.bytes << " bytes");
            std::string expected = "it takes " + decision.choice->algorithm;
            if (is_cut && decision.choice->segment > Bytes(0)) expected += ":segments=8";
            if (is_cut && decision.choice->segment == Bytes(0)) expected += ":segments=1";
            CHECK(file.says(of.collective->collective, at.ranks, decision.bytes) == expected);
            ++compared;
          }
    return compared;
  };
  const decisions::Decisions openmpi = decisions::decide(decisions::openmpi_target(), sweeps);
  CHECK(require_same(openmpi, decisions::openmpi_rules(openmpi), "openmpi") >= 8);
  const decisions::Decisions nccl = decisions::decide(decisions::nccl_target(), {sweeps[0]});
  CHECK(require_same(nccl, decisions::nccl_csv(nccl), "nccl") >= 2);
  const nlohmann::ordered_json base = nlohmann::ordered_json::parse(
      R"({"collective=allreduce": {"comm_type=intra": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}}},
          "collective=bcast": {"comm_type=intra": {"algorithm=MPIR_Bcast_intra_binomial": {}}},
          "collective=alltoall": {"comm_type=intra": {"algorithm=MPIR_Alltoall_intra_pairwise": {}}}})");
  const decisions::Decisions mpich = decisions::decide(decisions::mpich_target(), {sweeps[0], sweeps[3]});
  CHECK(require_same(mpich, decisions::mpich_json(mpich, base, "base.json"), "mpich") >= 4);
}

}  // namespace heddle
