// SPDX-License-Identifier: Apache-2.0
// Neighbourhood collectives (MPI 5.0, §8.7): each rank exchanges blocks with its neighbours in the communicator's topology.
#include <utility>
#include <variant>
#include <vector>

#include "mpi/calls/calls.hpp"
#include "mpi/calls/three_forms.hpp"

namespace heddle::mpi {

namespace {

/// Whom a rank gets from and sends to, in the order of the blocks. On a grid MPI_PROC_NULL keeps its place.
struct Neighbours {
  std::vector<int> sources;
  std::vector<int> destinations;
};

Neighbours neighbours_of(Process& process, const CommunicatorObject& on) {
  if (const auto* const grid = std::get_if<CartTopology>(&on.topology)) {
    const std::vector<int> all = grid->neighbours(on.rank);
    return {all, all};
  }
  if (const auto* const graph = std::get_if<GraphTopology>(&on.topology)) {
    const std::span<const int> all = graph->neighbours(on.rank);
    return {{all.begin(), all.end()}, {all.begin(), all.end()}};
  }
  if (const auto* const graph = std::get_if<DistGraphTopology>(&on.topology)) return {graph->sources, graph->destinations};
  process.refuse(MPI_ERR_TOPOLOGY, "the communicator has no topology, so that no rank has neighbours");
}

/// On a grid of one or two ranks along a dimension a rank is the neighbour below and above of the same one. Each message goes the way
/// of its direction: what is sent down arrives from above. So the two are told apart by tags; elsewhere by their order.
int tag_of_sent(const CommunicatorObject& on, std::size_t block) {
  return std::holds_alternative<CartTopology>(on.topology) ? static_cast<int>(block ^ 1) : 0;
}
int tag_of_received(const CommunicatorObject& on, std::size_t block) {
  return std::holds_alternative<CartTopology>(on.topology) ? static_cast<int>(block) : 0;
}

/// The exchange of one block with each neighbour.
CollectiveWork exchange_blocks(Process& process, const CommunicatorPtr& on, const Neighbours& with,
                               const std::vector<TypedBuffer>& sent, const std::vector<TypedBuffer>& received) {
  std::vector<TypedMessage> in;
  std::vector<TypedMessage> out;
  for (std::size_t i = 0; i < received.size(); ++i) {
    if (with.sources[i] != MPI_PROC_NULL) in.push_back({Rank(with.sources[i]), received[i], tag_of_received(*on, i)});
  }
  for (std::size_t i = 0; i < sent.size(); ++i) {
    if (with.destinations[i] != MPI_PROC_NULL) out.push_back({Rank(with.destinations[i]), sent[i], tag_of_sent(*on, i)});
  }
  return exchange(process, on, std::move(out), std::move(in));
}

int count_of(const std::vector<int>& ranks) { return static_cast<int>(ranks.size()); }

template <class Count>
auto neighbour_allgather_of(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                            MPI_Datatype recvtype) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const Neighbours with = neighbours_of(process, *on);
    const TypedBuffer own = buffer(process, sendbuf, sendcount, sendtype, kSendBuffer);
    const TypedBlocks all = blocks(process, recvbuf, recvcount, recvtype, count_of(with.sources), kReceiveBuffer);
    check_blocks(process, std::span(&own, 1), each_block(all));
    compare_calls(process, *on, {});
    return exchange_blocks(process, on, with, std::vector<TypedBuffer>(with.destinations.size(), own), each_block(all));
  };
}

template <class Count, class Displacement>
auto neighbour_allgatherv_of(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const Count* recvcounts, const Displacement* displs, MPI_Datatype recvtype) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const Neighbours with = neighbours_of(process, *on);
    const TypedBuffer own = buffer(process, sendbuf, sendcount, sendtype, kSendBuffer);
    const TypedBlocks all =
        blocks(process, recvbuf, recvcounts, displs, recvtype, count_of(with.sources), kReceiveBuffer, with.sources);
    check_blocks(process, std::span(&own, 1), each_block(all));
    compare_calls(process, *on, {});
    return exchange_blocks(process, on, with, std::vector<TypedBuffer>(with.destinations.size(), own), each_block(all));
  };
}

template <class Count>
auto neighbour_alltoall_of(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                           MPI_Datatype recvtype) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const Neighbours with = neighbours_of(process, *on);
    const TypedBlocks sent = blocks(process, sendbuf, sendcount, sendtype, count_of(with.destinations), kSendBuffer);
    const TypedBlocks all = blocks(process, recvbuf, recvcount, recvtype, count_of(with.sources), kReceiveBuffer);
    check_blocks(process, each_block(sent), each_block(all));
    compare_calls(process, *on, {});
    return exchange_blocks(process, on, with, each_block(sent), each_block(all));
  };
}

template <class Count, class Displacement>
auto neighbour_alltoallv_of(const void* sendbuf, const Count* sendcounts, const Displacement* sdispls, MPI_Datatype sendtype,
                            void* recvbuf, const Count* recvcounts, const Displacement* rdispls, MPI_Datatype recvtype) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const Neighbours with = neighbours_of(process, *on);
    const TypedBlocks sent =
        blocks(process, sendbuf, sendcounts, sdispls, sendtype, count_of(with.destinations), kSendBuffer, with.destinations);
    const TypedBlocks all =
        blocks(process, recvbuf, recvcounts, rdispls, recvtype, count_of(with.sources), kReceiveBuffer, with.sources);
    check_exchanged(process, each_block(sent), each_block(all));
    compare_calls(process, *on, {});
    return exchange_blocks(process, on, with, each_block(sent), each_block(all));
  };
}

template <class Count>
auto neighbour_alltoallw_of(const void* sendbuf, const Count* sendcounts, const MPI_Aint* sdispls,
                            const MPI_Datatype* sendtypes, void* recvbuf, const Count* recvcounts, const MPI_Aint* rdispls,
                            const MPI_Datatype* recvtypes) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const Neighbours with = neighbours_of(process, *on);
    const std::vector<TypedBuffer> sent = typed_blocks(process, sendbuf, sendcounts, sdispls, sendtypes,
                                                       count_of(with.destinations), kSendBuffer, with.destinations);
    const std::vector<TypedBuffer> all =
        typed_blocks(process, recvbuf, recvcounts, rdispls, recvtypes, count_of(with.sources), kReceiveBuffer, with.sources);
    check_exchanged(process, sent, all);
    compare_calls(process, *on, {});
    return exchange_blocks(process, on, with, sent, all);
  };
}

template <class Count>
using NeighbourAllgather = Forms<name_of<"Neighbor_allgather">, neighbour_allgather_of<Count>, const void*, Count, MPI_Datatype,
                                 void*, Count, MPI_Datatype>;
template <class C, class D>
using NeighbourAllgatherv = Forms<name_of<"Neighbor_allgatherv">, neighbour_allgatherv_of<C, D>, const void*, C, MPI_Datatype,
                                  void*, const C*, const D*, MPI_Datatype>;
template <class Count>
using NeighbourAlltoall = Forms<name_of<"Neighbor_alltoall">, neighbour_alltoall_of<Count>, const void*, Count, MPI_Datatype,
                                void*, Count, MPI_Datatype>;
template <class C, class D>
using NeighbourAlltoallv = Forms<name_of<"Neighbor_alltoallv">, neighbour_alltoallv_of<C, D>, const void*, const C*, const D*,
                                 MPI_Datatype, void*, const C*, const D*, MPI_Datatype>;
template <class C>
using NeighbourAlltoallw = Forms<name_of<"Neighbor_alltoallw">, neighbour_alltoallw_of<C>, const void*, const C*,
                                 const MPI_Aint*, const MPI_Datatype*, void*, const C*, const MPI_Aint*, const MPI_Datatype*>;

}  // namespace

void add_neighbour_calls(heddle_mpi_functions& table) {
  HEDDLE_SIX_FORMS(Neighbor_allgather, Ineighbor_allgather, NeighbourAllgather);
  HEDDLE_SIX_FORMS_AT(Neighbor_allgatherv, Ineighbor_allgatherv, NeighbourAllgatherv);
  HEDDLE_SIX_FORMS(Neighbor_alltoall, Ineighbor_alltoall, NeighbourAlltoall);
  HEDDLE_SIX_FORMS_AT(Neighbor_alltoallv, Ineighbor_alltoallv, NeighbourAlltoallv);
  HEDDLE_SIX_FORMS(Neighbor_alltoallw, Ineighbor_alltoallw, NeighbourAlltoallw);
}

}  // namespace heddle::mpi
