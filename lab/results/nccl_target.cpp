// SPDX-License-Identifier: Apache-2.0
// NCCL's algorithms by the names that the CSV of its example tuner has. It cuts vectors into chunks and channels by rules of its
// own, so a row's number of segments is not asked for.
#include "lab/results/target.hpp"

namespace heddle::decisions {

namespace {

constexpr TargetCollective kNcclCollectives[] = {
    {Collective::broadcast, "broadcast"},          {Collective::reduce, "reduce"},       {Collective::allreduce, "allreduce"},
    {Collective::reduce_scatter, "reducescatter"}, {Collective::allgather, "allgather"},
};

constexpr std::string_view kOtherSwitches = "another way through switches";
constexpr std::string_view kAllNics = "rings and trees over all NICs";

constexpr Mapping kNcclMappings[] = {
    {.collective = "broadcast",
     .row = "chain",
     .algorithm = "ring",
     .segments = Segments::own,
     .limit = Limit::every_nic,
     .instead = kAllNics,
     .note = "its ring without the last link"},
    {.collective = "reduce",
     .row = "chain",
     .algorithm = "ring",
     .segments = Segments::own,
     .limit = Limit::every_nic,
     .instead = kAllNics,
     .note = "its ring without the first link"},
    {.collective = "allreduce", .row = "ring", .algorithm = "ring", .limit = Limit::every_nic, .instead = kAllNics},
    {.collective = "allreduce",
     .row = "double_binary_tree",
     .algorithm = "tree",
     .segments = Segments::own,
     .limit = Limit::every_nic,
     .instead = kAllNics,
     .note = "over channels its trees are of nodes, whose GPUs are a chain, as NCCL's"},
    {.collective = "allreduce",
     .row = "in_network",
     .algorithm = "nvls",
     .limit = Limit::one_switch,
     .instead = kOtherSwitches},
    {.collective = "reducescatter", .row = "ring", .algorithm = "ring", .limit = Limit::every_nic, .instead = kAllNics},
    {.collective = "reducescatter",
     .row = "pat",
     .algorithm = "pat",
     .note = "it chooses the aggregation by its buffers, and may refuse several GPUs to a node"},
    {.collective = "reducescatter",
     .row = "in_network",
     .algorithm = "nvls",
     .limit = Limit::one_switch,
     .instead = kOtherSwitches},
    {.collective = "allgather", .row = "ring", .algorithm = "ring", .limit = Limit::every_nic, .instead = kAllNics},
    {.collective = "allgather",
     .row = "pat",
     .algorithm = "pat",
     .note = "it chooses the aggregation by its buffers, and may refuse several GPUs to a node"},
    {.collective = "allgather",
     .row = "in_network",
     .algorithm = "nvls",
     .limit = Limit::one_switch,
     .instead = kOtherSwitches},
};

constexpr Absence kNcclAbsences[] = {
    {"ring_bidirectional", "", "runs its rings in one direction"},
    {"double_binary_tree", "", "has its trees for allreduce alone"},
    {"in_network", "", "asks switches for allreduce, allgather and reduce_scatter alone"},
    {"hierarchical", "", "builds its rings and trees over nodes itself, and takes no levels from a file"},
    {"binomial*", "", "has no binomial trees"},
    {"scatter_allgather", "", "broadcasts along its ring alone"},
    {"reduce_scatter_gather", "", "reduces along its ring alone"},
    {"reduce_broadcast", "", "has no reduce and broadcast as one allreduce"},
    {"recursive_doubling", "", "has no recursive doubling"},
    {"recursive_halving", "", "has no recursive halving"},
    {"rabenseifner", "", "has no recursive halving"},
    {"pairwise", "", "sends to all others directly in no algorithm that the file can name"},
    {"neighbor_exchange", "", "has no neighbour exchange"},
    {"sparbit", "", "has no Sparbit"},
    {"census", "", "has no allreduce over windows of ranks"},
    {"circulant", "", "has no circulants"},
    {"bruck*", "", "has no Bruck"},
    {"bine*", "", "has no Bine trees"},
    {"swing*", "", "has no Swing"},
    {"trivance*", "", "has no Trivance"},
    {"torus_*", "", "does not know a grid's dimensions"},
    {"bucket", "", "does not know a grid's dimensions"},
    {"hamiltonian_rings", "", "does not know a grid's dimensions"},
};

constexpr Target kNcclTarget = {"nccl", "NCCL", "the CSV of ext-tuner/example", kNcclCollectives, kNcclMappings, kNcclAbsences};

}  // namespace

const Target& nccl_target() { return kNcclTarget; }

}  // namespace heddle::decisions
