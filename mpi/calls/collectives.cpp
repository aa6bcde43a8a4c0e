// SPDX-License-Identifier: Apache-2.0
// Collectives (MPI 5.0, chapter 6): the blocking call, the one that returns a request, and the persistent one of each.
#include <algorithm>
#include <utility>
#include <vector>

#include "mpi/calls/calls.hpp"
#include "mpi/calls/three_forms.hpp"
#include "mpi/collectives/between_groups.hpp"
#include "mpi/collectives/work.hpp"

namespace heddle::mpi {

namespace {

// ---- chapter 6, call by call ----

template <class Count>
auto broadcast_of(void* base, Count count, MPI_Datatype type, int root) {
  return [=](Process& process, const CommunicatorPtr& on) {
    check_root(process, *on, root);
    if (on->is_intercommunicator()) {
      const TypedBuffer data = root == MPI_PROC_NULL
                                   ? TypedBuffer{nullptr, 0, predefined_type(0x247)}
                                   : buffer(process, base, count, type, root == MPI_ROOT ? kSendBuffer : kReceiveBuffer);
      compare_calls(process, *on, {.root = root});
      return between_groups::broadcast(process, on, data, root);
    }
    const TypedBuffer data = buffer(process, base, count, type, on->rank == root ? kSendBuffer : kReceiveBuffer);
    compare_calls(process, *on, {.root = root, .type = data.type, .count = data.count});
    return broadcast(process, on, data, root);
  };
}

template <class Count>
auto gather_of(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
               MPI_Datatype recvtype, int root) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const auto [gets, gives] = part_of(process, *on, root);
    std::optional<TypedBuffer> own;
    std::optional<TypedBlocks> all;
    if (gets) all = blocks(process, recvbuf, recvcount, recvtype, on->peers().size(), kReceiveBuffer);
    if (gives && !(gets && sendbuf == MPI_IN_PLACE)) own = buffer(process, sendbuf, sendcount, sendtype, kSendBuffer);
    const std::int64_t bytes = all ? all->block(0).bytes() : own ? own->bytes() : 0;
    if (on->is_intercommunicator()) {
      compare_calls(process, *on, {.root = root});
      return between_groups::gather(process, on, pointer(own), pointer(all), root);
    }
    if (gets && own) {
      check_same(process, *own, all->block(0));
      check_apart(process, *own, all->whole());
    }
    const TypedBuffer& compared = own ? *own : all->block(0);
    compare_calls(process, *on, {.root = root, .type = compared.type, .count = compared.count});
    return gather(process, pointer(own), pointer(all), bytes, root);
  };
}

template <class Count>
auto scatter_of(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                MPI_Datatype recvtype, int root) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const auto [gives, gets] = part_of(process, *on, root);
    std::optional<TypedBuffer> own;
    std::optional<TypedBlocks> all;
    if (gives) all = blocks(process, sendbuf, sendcount, sendtype, on->peers().size(), kSendBuffer);
    if (gets && !(gives && recvbuf == MPI_IN_PLACE)) own = buffer(process, recvbuf, recvcount, recvtype, kReceiveBuffer);
    const std::int64_t bytes = all ? all->block(0).bytes() : own ? own->bytes() : 0;
    if (on->is_intercommunicator()) {
      compare_calls(process, *on, {.root = root});
      return between_groups::scatter(process, on, pointer(all), pointer(own), root);
    }
    if (gives && own) {
      check_same(process, all->block(0), *own);
      check_apart(process, all->whole(), *own);
    }
    const TypedBuffer& compared = own ? *own : all->block(0);
    compare_calls(process, *on, {.root = root, .type = compared.type, .count = compared.count});
    return scatter(process, pointer(all), pointer(own), bytes, root);
  };
}

/// In bytes.
std::vector<std::int64_t> block_sizes(std::span<const TypedBuffer> blocks) {
  std::vector<std::int64_t> all;
  for (const TypedBuffer& block : blocks) all.push_back(block.bytes());
  return all;
}

std::span<const TypedBuffer> as_list(const std::optional<TypedBuffer>& buffer) {
  return buffer ? std::span(&*buffer, 1) : std::span<const TypedBuffer>();
}

template <class Count, class Displacement>
auto gatherv_of(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, const Count* recvcounts,
                const Displacement* displs, MPI_Datatype recvtype, int root) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const auto [gets, gives] = part_of(process, *on, root);
    std::optional<TypedBuffer> own;
    std::optional<TypedBlocks> all;
    if (gets) all = blocks(process, recvbuf, recvcounts, displs, recvtype, on->peers().size(), kReceiveBuffer);
    if (gives && !(gets && sendbuf == MPI_IN_PLACE)) own = buffer(process, sendbuf, sendcount, sendtype, kSendBuffer);
    if (all) check_blocks(process, as_list(own), each_block(*all));
    compare_calls(process, *on, {.root = root});
    if (on->is_intercommunicator()) return between_groups::gather(process, on, pointer(own), pointer(all), root);
    if (gets && own) check_same(process, *own, all->block(root));
    return gatherv(process, on, pointer(own), pointer(all), root);
  };
}

template <class Count, class Displacement>
auto scatterv_of(const void* sendbuf, const Count* sendcounts, const Displacement* displs, MPI_Datatype sendtype, void* recvbuf,
                 Count recvcount, MPI_Datatype recvtype, int root) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const auto [gives, gets] = part_of(process, *on, root);
    std::optional<TypedBuffer> own;
    std::optional<TypedBlocks> all;
    if (gives) all = blocks(process, sendbuf, sendcounts, displs, sendtype, on->peers().size(), kSendBuffer);
    if (gets && !(gives && recvbuf == MPI_IN_PLACE)) own = buffer(process, recvbuf, recvcount, recvtype, kReceiveBuffer);
    if (all) check_apart(process, each_block(*all), as_list(own));
    compare_calls(process, *on, {.root = root});
    if (on->is_intercommunicator()) return between_groups::scatter(process, on, pointer(all), pointer(own), root);
    if (gives && own) check_same(process, all->block(root), *own);
    return scatterv(process, on, pointer(all), pointer(own), root);
  };
}

template <class Count>
auto allgather_of(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                  MPI_Datatype recvtype) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const TypedBlocks all = blocks(process, recvbuf, recvcount, recvtype, on->peers().size(), kReceiveBuffer);
    std::optional<TypedBuffer> own;
    if (sendbuf != MPI_IN_PLACE || on->is_intercommunicator()) own = buffer(process, sendbuf, sendcount, sendtype, kSendBuffer);
    if (on->is_intercommunicator()) {
      compare_calls(process, *on, {});
      return between_groups::allgather(process, on, *own, all);
    }
    if (own) {
      check_same(process, *own, all.block(0));
      check_apart(process, *own, all.whole());
    }
    compare_calls(process, *on, {.type = all.type, .count = all.each});
    return allgather(process, pointer(own), all);
  };
}

template <class Count, class Displacement>
auto allgatherv_of(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, const Count* recvcounts,
                   const Displacement* displs, MPI_Datatype recvtype) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const TypedBlocks all = blocks(process, recvbuf, recvcounts, displs, recvtype, on->peers().size(), kReceiveBuffer);
    std::optional<TypedBuffer> own;
    if (sendbuf != MPI_IN_PLACE || on->is_intercommunicator()) own = buffer(process, sendbuf, sendcount, sendtype, kSendBuffer);
    check_blocks(process, as_list(own), each_block(all));
    if (on->is_intercommunicator()) {
      compare_calls(process, *on, {});
      return between_groups::allgather(process, on, *own, all);
    }
    compare_calls(
        process, *on,
        {.counts = block_sizes(each_block(all)), .counts_are_bytes = true, .elements = all.bytes() > 0 ? all.type : nullptr});
    if (own) check_same(process, *own, all.block(on->rank));
    return allgather(process, pointer(own), all);
  };
}

template <class Count>
auto alltoall_of(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,
                 MPI_Datatype recvtype) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const int ranks = on->peers().size();
    const TypedBlocks received = blocks(process, recvbuf, recvcount, recvtype, ranks, kReceiveBuffer);
    std::optional<TypedBlocks> sent;
    if (sendbuf != MPI_IN_PLACE || on->is_intercommunicator())
      sent = blocks(process, sendbuf, sendcount, sendtype, ranks, kSendBuffer);
    if (on->is_intercommunicator()) {
      compare_calls(process, *on, {});
      return between_groups::alltoall(process, on, *sent, received);
    }
    if (sent) {
      check_same(process, sent->block(0), received.block(0));
      check_apart(process, sent->whole(), received.whole());
    }
    compare_calls(process, *on, {.type = received.type, .count = received.each, .is_in_place = !sent});
    return alltoall(process, pointer(sent), received);
  };
}

template <class Count, class Displacement>
auto alltoallv_of(const void* sendbuf, const Count* sendcounts, const Displacement* sdispls, MPI_Datatype sendtype,
                  void* recvbuf, const Count* recvcounts, const Displacement* rdispls, MPI_Datatype recvtype) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const int ranks = on->peers().size();
    const TypedBlocks received = blocks(process, recvbuf, recvcounts, rdispls, recvtype, ranks, kReceiveBuffer);
    std::optional<TypedBlocks> sent;
    if (sendbuf != MPI_IN_PLACE || on->is_intercommunicator())
      sent = blocks(process, sendbuf, sendcounts, sdispls, sendtype, ranks, kSendBuffer);
    check_exchanged(process, sent ? each_block(*sent) : std::vector<TypedBuffer>(), each_block(received));
    // Where a rank gets nothing from another, their types may differ.
    const bool is_one_type = std::ranges::all_of(received.counts, [](auto n) { return n > 0; });
    if (on->is_intercommunicator()) {
      compare_calls(process, *on, {});
      return between_groups::alltoall(process, on, *sent, received);
    }
    const std::vector<std::int64_t> from = block_sizes(each_block(received));
    compare_calls(process, *on,
                  {.sent_to = sent ? block_sizes(each_block(*sent)) : from,
                   .received_from = from,
                   .is_in_place = !sent,
                   .elements = is_one_type ? received.type : nullptr});
    if (sent) check_same(process, sent->block(on->rank), received.block(on->rank));
    return alltoall(process, pointer(sent), received);
  };
}

template <class Count, class Displacement>
auto alltoallw_of(const void* sendbuf, const Count* sendcounts, const Displacement* sdispls, const MPI_Datatype* sendtypes,
                  void* recvbuf, const Count* recvcounts, const Displacement* rdispls, const MPI_Datatype* recvtypes) {
  return [=](Process& process, const CommunicatorPtr& on) {
    const int ranks = on->peers().size();
    std::vector<TypedBuffer> sent;
    if (sendbuf != MPI_IN_PLACE || on->is_intercommunicator())
      sent = typed_blocks(process, sendbuf, sendcounts, sdispls, sendtypes, ranks, kSendBuffer);
    std::vector<TypedBuffer> received = typed_blocks(process, recvbuf, recvcounts, rdispls, recvtypes, ranks, kReceiveBuffer);
    check_exchanged(process, sent, received);
    if (on->is_intercommunicator()) {
      compare_calls(process, *on, {});
      return between_groups::alltoallw(process, on, std::move(sent), std::move(received));
    }
    const std::vector<std::int64_t> from = block_sizes(received);
    compare_calls(process, *on,
                  {.sent_to = sendbuf == MPI_IN_PLACE ? from : block_sizes(sent),
                   .received_from = from,
                   .is_in_place = sendbuf == MPI_IN_PLACE});
    return alltoallw(process, on, std::move(sent), std::move(received));
  };
}

auto barrier_of() {
  return [](Process& process, const CommunicatorPtr& on) {
    compare_calls(process, *on, {});
    return on->is_intercommunicator() ? between_groups::barrier(process, on) : barrier(process);
  };
}

template <class Count>
using Broadcast = Forms<name_of<"Bcast">, broadcast_of<Count>, void*, Count, MPI_Datatype, int>;
template <class Count>
using Gather = Forms<name_of<"Gather">, gather_of<Count>, const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype, int>;
template <class Count>
using Scatter = Forms<name_of<"Scatter">, scatter_of<Count>, const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype, int>;
template <class C, class D>
using Gatherv =
    Forms<name_of<"Gatherv">, gatherv_of<C, D>, const void*, C, MPI_Datatype, void*, const C*, const D*, MPI_Datatype, int>;
template <class C, class D>
using Scatterv =
    Forms<name_of<"Scatterv">, scatterv_of<C, D>, const void*, const C*, const D*, MPI_Datatype, void*, C, MPI_Datatype, int>;
template <class Count>
using Allgather =
    Forms<name_of<"Allgather">, allgather_of<Count>, const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype>;
template <class C, class D>
using Allgatherv =
    Forms<name_of<"Allgatherv">, allgatherv_of<C, D>, const void*, C, MPI_Datatype, void*, const C*, const D*, MPI_Datatype>;
template <class Count>
using Alltoall = Forms<name_of<"Alltoall">, alltoall_of<Count>, const void*, Count, MPI_Datatype, void*, Count, MPI_Datatype>;
template <class C, class D>
using Alltoallv = Forms<name_of<"Alltoallv">, alltoallv_of<C, D>, const void*, const C*, const D*, MPI_Datatype, void*,
                        const C*, const D*, MPI_Datatype>;
template <class C, class D>
using Alltoallw = Forms<name_of<"Alltoallw">, alltoallw_of<C, D>, const void*, const C*, const D*, const MPI_Datatype*, void*,
                        const C*, const D*, const MPI_Datatype*>;
using Barrier = Forms<name_of<"Barrier">, barrier_of>;

}  // namespace

void add_collective_calls(heddle_mpi_functions& table) {
  HEDDLE_THREE_FORMS(Barrier, Ibarrier, Barrier);
  HEDDLE_SIX_FORMS(Bcast, Ibcast, Broadcast);
  HEDDLE_SIX_FORMS(Gather, Igather, Gather);
  HEDDLE_SIX_FORMS(Scatter, Iscatter, Scatter);
  HEDDLE_SIX_FORMS_AT(Gatherv, Igatherv, Gatherv);
  HEDDLE_SIX_FORMS_AT(Scatterv, Iscatterv, Scatterv);
  HEDDLE_SIX_FORMS(Allgather, Iallgather, Allgather);
  HEDDLE_SIX_FORMS_AT(Allgatherv, Iallgatherv, Allgatherv);
  HEDDLE_SIX_FORMS(Alltoall, Ialltoall, Alltoall);
  HEDDLE_SIX_FORMS_AT(Alltoallv, Ialltoallv, Alltoallv);
  HEDDLE_SIX_FORMS_AT(Alltoallw, Ialltoallw, Alltoallw);
}

}  // namespace heddle::mpi
