// SPDX-License-Identifier: Apache-2.0
#include "mpi/collectives/between_groups.hpp"

#include <cstddef>
#include <utility>

#include "mpi/types/packing.hpp"

namespace heddle::mpi::between_groups {

namespace {

/// Ranks of the communicator over both groups.
Rank peer(const CommunicatorObject& on, int rank) { return on.peer_rank(rank); }
Rank own(const CommunicatorObject& on, int rank) { return Rank(on.local_is_first ? rank : on.remote->size() + rank); }

/// One block to, or from, each rank of the other group.
std::vector<TypedMessage> with_each(const CommunicatorObject& on, const TypedBlocks& blocks) {
  std::vector<TypedMessage> all;
  for (int rank = 0; rank < on.remote->size(); ++rank) all.push_back({peer(on, rank), blocks.block(rank)});
  return all;
}
std::vector<TypedMessage> with_each(const CommunicatorObject& on, const TypedBuffer& buffer) {
  std::vector<TypedMessage> all;
  for (int rank = 0; rank < on.remote->size(); ++rank) all.push_back({peer(on, rank), buffer});
  return all;
}

/// The sum of a group's summands at its first rank: each receives from the ranks above it in a chain, so that their order is kept.
class GroupSum {
 public:
  GroupSum(const TypedBuffer& input, const Reducer& by) : by_(by), summand_(input, by.type, Staged::Fill::contents) {}

  /// At rank 0 of the group: the sum.
  VectorView at_first(const CommunicatorObject& on, Communicator& over) {
    const VectorView sum = summand_.view();
    // A copy, as what goes in is not changed.
    const std::size_t bytes = static_cast<std::size_t>(sum.count()) * by_.type.size();
    held_.assign(sum.data(), sum.data() + bytes);
    incoming_.resize(bytes);
    const VectorView held(held_.data(), sum.count(), by_.type);
    if (on.rank + 1 < on.local.size()) {
      over.recv(own(on, on.rank + 1), VectorView(incoming_.data(), sum.count(), by_.type));
      over.reduce_into(held, ConstVectorView(incoming_.data(), sum.count(), by_.type), by_.op);
    }
    if (on.rank > 0) over.send(own(on, on.rank - 1), held);
    return held;
  }

 private:
  Reducer by_;
  Reducible summand_;
  std::vector<std::byte> held_;
  std::vector<std::byte> incoming_;
};

/// Writes elements in their own layout to a program's buffer.
void write(const std::vector<std::byte>& elements, const TypedBuffer& to) {
  const Type& type = *to.type;
  copy_elements(type, to.count, elements.data() - type.lower_bound(), type, to.count, to.base);
}

}  // namespace

CollectiveWork broadcast(Process& process, const CommunicatorPtr& on, const TypedBuffer& buffer, int root) {
  if (root == MPI_PROC_NULL) return exchange(process, on, {}, {});
  if (root == MPI_ROOT) return exchange(process, on, with_each(*on, buffer), {});
  return exchange(process, on, {}, {{peer(*on, root), buffer}});
}

CollectiveWork gather(Process& process, const CommunicatorPtr& on, const TypedBuffer* own_block, const TypedBlocks* all,
                      int root) {
  if (all != nullptr) return exchange(process, on, {}, with_each(*on, *all));
  if (own_block != nullptr) return exchange(process, on, {{peer(*on, root), *own_block}}, {});
  return exchange(process, on, {}, {});
}

CollectiveWork scatter(Process& process, const CommunicatorPtr& on, const TypedBlocks* all, const TypedBuffer* own_block,
                       int root) {
  if (all != nullptr) return exchange(process, on, with_each(*on, *all), {});
  if (own_block != nullptr) return exchange(process, on, {}, {{peer(*on, root), *own_block}});
  return exchange(process, on, {}, {});
}

CollectiveWork allgather(Process& process, const CommunicatorPtr& on, const TypedBuffer& own_block, const TypedBlocks& all) {
  return exchange(process, on, with_each(*on, own_block), with_each(*on, all));
}

CollectiveWork alltoall(Process& process, const CommunicatorPtr& on, const TypedBlocks& sent, const TypedBlocks& received) {
  return exchange(process, on, with_each(*on, sent), with_each(*on, received));
}

CollectiveWork alltoallw(Process& process, const CommunicatorPtr& on, std::vector<TypedBuffer> sent,
                         std::vector<TypedBuffer> received) {
  std::vector<TypedMessage> out;
  std::vector<TypedMessage> in;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    out.push_back({peer(*on, static_cast<int>(i)), sent[i]});
    in.push_back({peer(*on, static_cast<int>(i)), received[i]});
  }
  return exchange(process, on, std::move(out), std::move(in));
}

CollectiveWork barrier(Process& process, const CommunicatorPtr& on) {
  return exchange(process, on, with_each(*on, TypedBuffer{nullptr, 0, predefined_type(0x247)}),
                  with_each(*on, TypedBuffer{nullptr, 0, predefined_type(0x247)}));
}

CollectiveWork reduce(Process&, const CommunicatorPtr& on, const TypedBuffer* input, const TypedBuffer* output,
                      const Reducer& by, int root) {
  if (input != nullptr) {
    auto sum = std::make_shared<GroupSum>(*input, by);
    return {[on, sum, root](Communicator& over) {
      const VectorView all = sum->at_first(*on, over);
      if (on->rank == 0) over.send(peer(*on, root), all);
    }};
  }
  if (output == nullptr) return {[](Communicator&) {}};
  auto result = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(output->count) * by.type.size());
  return {[on, result, by, count = output->count](Communicator& over) {
            over.recv(peer(*on, 0), VectorView(result->data(), count, by.type));
          },
          [result, to = *output] { write(*result, to); }};
}

CollectiveWork allreduce(Process&, const CommunicatorPtr& on, const TypedBuffer& input, const TypedBuffer& output,
                         const Reducer& by) {
  auto sum = std::make_shared<GroupSum>(input, by);
  auto result = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(output.count) * by.type.size());
  return {[on, sum, result, by, count = output.count](Communicator& over) {
            const VectorView all = sum->at_first(*on, over);
            const VectorView into(result->data(), count, by.type);
            // The first ranks exchange the sums, and tell their own groups.
            if (on->rank == 0) {
              over.sendrecv(peer(*on, 0), all, peer(*on, 0), into);
              std::vector<Request> requests;
              for (int rank = 1; rank < on->local.size(); ++rank) requests.push_back(over.isend(own(*on, rank), into));
              over.wait_all(requests);
            } else {
              over.recv(own(*on, 0), into);
            }
          },
          [result, output] { write(*result, output); }};
}

CollectiveWork reduce_scatter(Process&, const CommunicatorPtr& on, const TypedBuffer& input, const TypedBuffer& output,
                              const BlockPartition& blocks, const Reducer& by) {
  auto sum = std::make_shared<GroupSum>(input, by);
  auto result = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(output.count) * by.type.size());
  return {[on, sum, result, by, blocks](Communicator& over) {
            const VectorView all = sum->at_first(*on, over);
            const VectorView into(result->data(), blocks.size(on->rank), by.type);
            if (on->rank != 0) {
              over.recv(own(*on, 0), into);
              return;
            }
            std::vector<std::byte> theirs(static_cast<std::size_t>(blocks.count()) * by.type.size());
            const VectorView sums(theirs.data(), blocks.count(), by.type);
            over.sendrecv(peer(*on, 0), all, peer(*on, 0), sums);
            std::vector<Request> requests;
            for (int rank = 0; rank < on->local.size(); ++rank) {
              const VectorView block = blocks.block(sums, rank);
              if (rank == 0)
                over.copy(into, block);
              else
                requests.push_back(over.isend(own(*on, rank), block));
            }
            over.wait_all(requests);
          },
          [result, output] { write(*result, output); }};
}

}  // namespace heddle::mpi::between_groups
