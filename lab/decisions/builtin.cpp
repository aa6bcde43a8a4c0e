// SPDX-License-Identifier: Apache-2.0
// What libraries decide by themselves, as tables. Facts of Open MPI 4.1: coll_tuned_decision_fixed.c; of MPICH 4.0:
// maint/tuning/coll/mpir/generic.json (docs/exports.md, "Sources").
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

#include "heddle/errors.hpp"
#include "lab/decisions/decision_file.hpp"
#include "lab/decisions/mpich_tree.hpp"

namespace heddle::decisions {

namespace {

/// What Open MPI compares with a table's bytes.
enum class Measure : std::uint8_t { whole, block };

/// "below 4 ranks: algorithm 4; from 8 bytes on 3; …": the number before a colon is the least bytes of what stands behind it.
struct Steps {
  int below;  ///< ranks; 0: all others
  std::string_view algorithms;
};

struct OpenmpiTable {
  std::string_view collective;
  Measure measure;
  std::span<const Steps> steps;
};

constexpr Steps kAllreduce[] = {
    {4, "0:4 8:3 4096:4 8192:3 16384:4 65536:5 262144:6"},
    {8, "0:4 16:3 8192:6"},
    {16, "0:3 8192:6"},
    {32, "0:5 64:3 4096:6"},
    {64, "0:5 128:6"},
    {128, "0:3 262144:6"},
    {256, "0:2 131072:3 262144:6"},
    {512, "0:2 4096:6"},
    {2048, "0:2 2048:3 16384:6"},
    {4096, "0:2 2048:5 4096:3 16384:6"},
    {0, "0:2 2048:5 16384:3 32768:6"},
};

constexpr Steps kAlltoall[] = {
    {3, "0:2 2:5 4:2 16:5 64:2 256:5 4096:2 32768:4 262144:5 1048576:2"},
    {8, "0:4 8192:1 16384:4 65536:1 524288:2 1048576:1"},
    {16, "0:4 262144:1"},
    {32, "0:4 4:3 512:4 8192:1 32768:4 262144:1 524288:4"},
    {64, "0:3 512:1 524288:4"},
    {128, "0:3 1024:1 2048:4 4096:1 262144:2"},
    {256, "0:3 1024:4 2048:1 262144:2"},
    {512, "0:3 1024:4 8192:1 32768:2"},
    {1024, "0:3 512:4 8192:1 16384:4 131072:1 262144:2"},
    {2048, "0:3 512:4 1024:1 2048:4 16384:1 262144:4"},
    {4096, "0:3 1024:4 4096:1 8192:4 131072:1"},
    {0, "0:3 2048:4 8192:1 16384:4 32768:1 65536:4"},
};

constexpr Steps kBarrier[] = {
    {4, "0:3"}, {8, "0:1"}, {64, "0:3"}, {256, "0:4"}, {512, "0:6"}, {1024, "0:4"}, {4096, "0:6"}, {0, "0:4"},
};

constexpr Steps kBcast[] = {
    {4, "0:3 32:5 256:3 512:7 1024:1 32768:5 131072:2 262144:1 524288:6 1048576:5"},
    {8, "0:5 64:6 128:5 2048:6 8192:1 1048576:2"},
    {16, "0:7 8:5 64:7 4096:5 16384:6 32768:1"},
    {32, "0:7 4096:6 1048576:8"},
    {64, "0:6 2048:7"},
    {128, "0:7"},
    {256, "0:6 2:5 16384:1 32768:5 65536:7"},
    {1024, "0:7 16384:4 32768:7"},
    {2048, "0:7 524288:8"},
    {4096, "0:7 262144:8"},
    {0, "0:7 8192:5 16384:7 262144:8"},
};

constexpr Steps kReduce[] = {
    {4, "0:7 8:4 16:3 32:1 262144:3 524288:2 1048576:3"},
    {8, "0:4 4096:2 65536:5 262144:1 524288:5 1048576:1"},
    {16, "0:4 8192:5"},
    {32, "0:4 4096:5"},
    {256, "0:5"},
    {512, "0:5 8192:6 16384:5"},
    {2048, "0:5"},
    {4096, "0:5 512:6 1024:5 8192:6 16384:5"},
    {0, "0:5 16:6 32:5 1024:6 2048:5 8192:6 16384:5"},
};

constexpr Steps kReduceScatter[] = {
    {4, "0:3 65536:4 131072:3"},
    {8, "0:1 8:2 262144:3"},
    {32, "0:2 262144:3"},
    {64, "0:1 64:2 2048:4 524288:3"},
    {128, "0:1 256:2 512:4 2048:2 4096:4"},
    {256, "0:1 256:2 512:4"},
    {512, "0:1 256:2 1024:4"},
    {1024, "0:1 512:2 2048:4 8192:2 16384:4"},
    {2048, "0:1 512:2 4096:4 16384:2 32768:4"},
    {4096, "0:1 512:2 4096:4"},
    {0, "0:1 1024:2 8192:4"},
};

constexpr Steps kAllgather[] = {
    {3, "0:6"},
    {32, "0:3"},
    {64, "0:3 1024:5 65536:4"},
    {128, "0:3 512:5 65536:4"},
    {256, "0:3 512:5 131072:4 524288:5 1048576:4"},
    {512, "0:3 32:2 128:3 1024:5 131072:4 524288:5 1048576:4"},
    {1024, "0:3 64:2 256:3 2048:5"},
    {2048, "0:3 4:2 8:3 16:2 32:3 256:2 512:3 4096:5"},
    {4096, "0:2 32:3 128:2 512:3 4096:5"},
    {0, "0:3 2:2 8:3 16:2 512:3 4096:5"},
};

constexpr Steps kGather[] = {
    {4, "0:3 2:1 4:2 32768:1 65536:2 131072:3"},
    {8, "0:2 1024:1 8192:2 32768:1 262144:3"},
    {256, "0:2"},
    {512, "0:2 2048:1 8192:2"},
    {0, "0:2"},
};

constexpr Steps kScatter[] = {
    {4, "0:3 2:1 131072:3 262144:1"}, {8, "0:2 2048:1 4096:2 8192:1 32768:3 1048576:1"},
    {16, "0:2 16384:3 1048576:1"},    {32, "0:2 16384:1 32768:3"},
    {64, "0:2 512:3 8192:2 16384:3"}, {0, "0:2 512:3"},
};

constexpr OpenmpiTable kOpenmpi[] = {
    {"bcast", Measure::whole, kBcast},         {"reduce", Measure::whole, kReduce},
    {"allreduce", Measure::whole, kAllreduce}, {"reduce_scatter", Measure::whole, kReduceScatter},
    {"allgather", Measure::block, kAllgather}, {"gather", Measure::block, kGather},
    {"scatter", Measure::block, kScatter},     {"alltoall", Measure::block, kAlltoall},
    {"barrier", Measure::whole, kBarrier},
};

/// Of "0:4 8:3": what stands behind the greatest number that is not above `bytes`.
int algorithm_at(std::string_view steps, std::int64_t bytes) {
  int algorithm = 0;
  while (!steps.empty()) {
    std::int64_t from = 0;
    const char* const end = steps.data() + steps.size();
    const auto number = std::from_chars(steps.data(), end, from);
    if (from > bytes) break;
    const auto id = std::from_chars(number.ptr + 1, end, algorithm);
    steps.remove_prefix(std::min(steps.size(), static_cast<std::size_t>(id.ptr - steps.data()) + 1));
  }
  return algorithm;
}

class OpenmpiFixed : public DecisionFile {
 public:
  const Target& target() const override { return openmpi_target(); }

  std::optional<LibraryChoice> choose(const TargetCollective& collective, const Call& call) const override {
    const auto table = std::ranges::find(kOpenmpi, collective.name, &OpenmpiTable::collective);
    if (table == std::ranges::end(kOpenmpi)) return std::nullopt;
    const std::int64_t bytes = table->measure == Measure::block ? call.bytes() / call.ranks : call.bytes();
    const auto steps =
        std::ranges::find_if(table->steps, [&](const Steps& of) { return of.below == 0 || call.ranks < of.below; });
    return LibraryChoice{.id = algorithm_at(steps->algorithms, bytes), .is_builtin = true};
  }
};

/// Within a communicator whose ranks are not parted into nodes.
constexpr const char* kMpich = R"({
"collective=bcast": {
  "comm_size<8": {"algorithm=MPIR_Bcast_intra_binomial": {}},
  "comm_size=pow2": {
    "avg_msg_size<=12288": {"algorithm=MPIR_Bcast_intra_binomial": {}},
    "avg_msg_size<=524288": {"algorithm=MPIR_Bcast_intra_scatter_recursive_doubling_allgather": {}},
    "avg_msg_size=any": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}},
  "comm_size=any": {
    "avg_msg_size<=12288": {"algorithm=MPIR_Bcast_intra_binomial": {}},
    "avg_msg_size=any": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}}},
"collective=reduce": {
  "avg_msg_size<=2048": {"algorithm=MPIR_Reduce_intra_binomial": {}},
  "count<pow2": {"algorithm=MPIR_Reduce_intra_binomial": {}},
  "count=any": {"algorithm=MPIR_Reduce_intra_reduce_scatter_gather": {}}},
"collective=allreduce": {
  "avg_msg_size<=8": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}},
  "count<pow2": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}},
  "count=any": {"algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather": {}}},
"collective=reduce_scatter": {
  "total_msg_size<524288": {"algorithm=MPIR_Reduce_scatter_intra_recursive_halving": {}},
  "total_msg_size=any": {"algorithm=MPIR_Reduce_scatter_intra_pairwise": {}}},
"collective=allgather": {
  "comm_size=pow2": {
    "total_msg_size<524288": {"algorithm=MPIR_Allgather_intra_recursive_doubling": {}},
    "total_msg_size=any": {"algorithm=MPIR_Allgather_intra_ring": {}}},
  "comm_size=any": {
    "total_msg_size<81920": {"algorithm=MPIR_Allgather_intra_brucks": {}},
    "total_msg_size=any": {"algorithm=MPIR_Allgather_intra_ring": {}}}},
"collective=gather": {"algorithm=MPIR_Gather_intra_binomial": {}},
"collective=scatter": {"algorithm=MPIR_Scatter_intra_binomial": {}},
"collective=alltoall": {
  "comm_size<8": {
    "avg_msg_size<=32768": {"algorithm=MPIR_Alltoall_intra_scattered": {}},
    "avg_msg_size=any": {"algorithm=MPIR_Alltoall_intra_pairwise": {}}},
  "comm_size=any": {
    "avg_msg_size<=256": {"algorithm=MPIR_Alltoall_intra_brucks": {}},
    "avg_msg_size<=32768": {"algorithm=MPIR_Alltoall_intra_scattered": {}},
    "avg_msg_size=any": {"algorithm=MPIR_Alltoall_intra_pairwise": {}}}},
"collective=barrier": {"algorithm=MPIR_Barrier_intra_dissemination": {}}
})";

}  // namespace

std::shared_ptr<const DecisionFile> builtin_decisions(const Target& target) {
  if (&target == &openmpi_target()) {
    static const auto kFixed = std::make_shared<const OpenmpiFixed>();
    return kFixed;
  }
  if (&target == &mpich_target()) {
    static const auto kTree = mpich_tree("mpich:builtin", nlohmann::ordered_json::parse(kMpich), true);
    return kTree;
  }
  throw InputError(fmt::format("{} decides by a model of its own, which is no table", target.title));
}

}  // namespace heddle::decisions
