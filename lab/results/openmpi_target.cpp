// SPDX-License-Identifier: Apache-2.0
// Open MPI's component coll_tuned: collectives by the numbers of its rules files (COLLTYPE), algorithms by those of
// coll_tuned_<collective>_algorithm. Version 4.1 has all that stands here, version 5 has kept their numbers.
#include "lab/results/target.hpp"

namespace heddle::decisions {

namespace {

constexpr TargetCollective kOpenmpiCollectives[] = {
    {Collective::broadcast, "bcast", 7},
    {Collective::reduce, "reduce", 11},
    {Collective::allreduce, "allreduce", 2},
    {Collective::reduce_scatter, "reduce_scatter", 12},
    {Collective::reduce_scatter, "reduce_scatter_block", 13},
    {Collective::allgather, "allgather", 0},
    {Collective::gather, "gather", 9},
    {Collective::scatter, "scatter", 15},
    {Collective::alltoall, "alltoall", 3},
    {Collective::barrier, "barrier", 6},
};

// Where p is no power of two, Open MPI has other ranks send first what they hold, and other parts of it.
constexpr std::string_view kOtherFold = "other ranks fold where p is no power of two";
constexpr std::string_view kOtherBlocks = "other blocks are longer where p does not divide the elements";

constexpr Mapping kOpenmpiMappings[] = {
    {.collective = "bcast", .row = "chain", .algorithm = "pipeline", .id = 3, .segments = Segments::on_chain},
    {.collective = "bcast", .row = "binomial_doubling", .algorithm = "binomial", .id = 6},
    {.collective = "bcast",
     .row = "scatter_allgather",
     .algorithm = "scatter_allgather_ring",
     .id = 9,
     .limit = Limit::element_for_each_rank,
     .instead = "basic_linear",
     .note = kOtherBlocks},
    {.collective = "reduce", .row = "chain", .algorithm = "pipeline", .id = 3, .segments = Segments::on_chain},
    {.collective = "reduce", .row = "binomial_halving", .algorithm = "binomial", .id = 5},
    {.collective = "reduce",
     .row = "binomial_pipelined",
     .algorithm = "binomial",
     .id = 5,
     .segments = Segments::on_binomial_tree},
    {.collective = "reduce",
     .row = "reduce_scatter_gather",
     .algorithm = "rabenseifner",
     .id = 7,
     .limit = Limit::element_for_each_of_power_of_two,
     .instead = "linear",
     .note = kOtherFold},
    {.collective = "allreduce", .row = "recursive_doubling", .algorithm = "recursive_doubling", .id = 3, .note = kOtherFold},
    {.collective = "allreduce",
     .row = "ring",
     .algorithm = "ring",
     .id = 4,
     .limit = Limit::element_for_each_rank,
     .instead = "recursive_doubling",
     .note = kOtherBlocks},
    {.collective = "allreduce",
     .row = "rabenseifner",
     .algorithm = "rabenseifner",
     .id = 6,
     .limit = Limit::element_for_each_of_power_of_two,
     .instead = "basic_linear",
     .note = kOtherFold},
    {.collective = "reduce_scatter", .row = "recursive_halving", .algorithm = "recursive_halving", .id = 2, .note = kOtherFold},
    {.collective = "reduce_scatter", .row = "ring", .algorithm = "ring", .id = 3},
    {.collective = "reduce_scatter_block",
     .row = "recursive_halving",
     .algorithm = "recursive_halving",
     .id = 3,
     .note = kOtherFold},
    {.collective = "allgather", .row = "bruck", .algorithm = "bruck", .id = 2},
    {.collective = "allgather",
     .row = "recursive_doubling",
     .algorithm = "recursive_doubling",
     .id = 3,
     .limit = Limit::power_of_two_ranks,
     .instead = "bruck"},
    {.collective = "allgather", .row = "ring", .algorithm = "ring", .id = 4},
    {.collective = "allgather",
     .row = "neighbor_exchange",
     .algorithm = "neighbor",
     .id = 5,
     .limit = Limit::even_ranks,
     .instead = "ring"},
    {.collective = "gather", .row = "linear", .algorithm = "basic_linear", .id = 1},
    {.collective = "gather", .row = "binomial", .algorithm = "binomial", .id = 2},
    {.collective = "scatter", .row = "linear", .algorithm = "basic_linear", .id = 1},
    {.collective = "scatter", .row = "binomial", .algorithm = "binomial", .id = 2},
    {.collective = "alltoall", .row = "linear", .algorithm = "linear", .id = 1},
    {.collective = "alltoall", .row = "pairwise", .algorithm = "pairwise", .id = 2},
    {.collective = "alltoall", .row = "bruck", .algorithm = "modified_bruck", .id = 3},
    {.collective = "barrier", .row = "dissemination", .algorithm = "bruck", .id = 4},
    {.collective = "barrier", .row = "binomial", .algorithm = "tree", .id = 6},
};

constexpr Absence kOpenmpiAbsences[] = {
    {"binomial_halving", "broadcast", "begins its binomial tree with the neighbour, as binomial_doubling does"},
    {"binomial_doubling", "reduce", "takes neighbours first in its binomial tree, as binomial_halving does"},
    {"binomial_pipelined", "broadcast", "begins its binomial tree with the neighbour, and cuts segments for no other"},
    {"reduce_broadcast", "", "has it as nonoverlapping, whose reduce and broadcast are those decided for these two"},
    {"ring", "reduce_scatter", "has a ring for reduce_scatter, and none for reduce_scatter_block"},
    {"pairwise", "reduce_scatter", "has no pairwise reduce_scatter"},
    {"pairwise", "allgather", "has no pairwise allgather"},
    {"sparbit", "", "has it from version 5 on, and 4.1 fails at a number that it does not know"},
    {"pat", "", "has no PAT"},
    {"double_binary_tree", "", "has no double binary tree"},
    {"ring_bidirectional", "", "has no ring in both directions"},
    {"ring_relay", "", "has no alltoall that passes blocks on"},
    {"census", "", "has no allreduce over windows of ranks"},
    {"circulant", "", "has no circulants"},
    {"bruck*", "", "has Bruck's algorithm for allgather and alltoall alone"},
    {"bine*", "", "has no Bine trees"},
    {"swing*", "", "has no Swing"},
    {"trivance*", "", "has no Trivance"},
    {"torus_*", "", "does not know a grid's dimensions"},
    {"bucket", "", "does not know a grid's dimensions"},
    {"hamiltonian_rings", "", "does not know a grid's dimensions"},
    {"hierarchical", "", "has levels in coll_han, which these rules do not reach"},
    {"in_network", "", "does not ask switches in coll_tuned"},
};

constexpr Target kOpenmpiTarget = {"openmpi",           "Open MPI",       "4.1 and 5, coll_tuned",
                                   kOpenmpiCollectives, kOpenmpiMappings, kOpenmpiAbsences};

}  // namespace

const Target& openmpi_target() { return kOpenmpiTarget; }

}  // namespace heddle::decisions
