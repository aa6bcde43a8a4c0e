// SPDX-License-Identifier: Apache-2.0
#include "mpi/collectives/work.hpp"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/call_shape.hpp"
#include "mpi/collectives/overlaps.hpp"
#include "mpi/types/packing.hpp"

namespace heddle::mpi {

Communicator& collective_communicator(Process&, CommunicatorObject& communicator) {
  if (!communicator.collectives) communicator.collectives = communicator.messages->form({}, 0);
  return *communicator.collectives;
}

void compare_calls(Process& process, CommunicatorObject& communicator, const ComparedCall& call) {
  process.require_communication(communicator);
  process.note_collective();
  if (communicator.is_beside)
    process.refuse(
        MPI_ERR_COMM,
        "it is called on MPI_COMM_WORLD, and the function was given another communicator: where that has fewer ranks, "
        "the others do not call it");
  if (communicator.is_of_request) return;
  const int ranks = communicator.local.size() + (communicator.remote ? communicator.remote->size() : 0);
  const std::uint64_t label = call.type ? process.world().labels().label(*call.type, call.count) : 0;
  CollectiveCall made{.function = process.site().function,
                      .root = call.root,
                      .operation = call.operation,
                      .label = label,
                      .site = process.site(),
                      .rank = process.run_rank(),
                      .counts = call.counts,
                      .counts_are_bytes = call.counts_are_bytes,
                      .sent_to = call.sent_to,
                      .received_from = call.received_from,
                      .is_in_place = call.is_in_place,
                      .is_of_first_group = communicator.local_is_first,
                      .elements = call.elements ? only_basic(*call.elements) : std::nullopt,
                      .arguments = call.arguments,
                      .is_between_groups = communicator.is_intercommunicator(),
                      .rank_in_group = communicator.rank};
  process.has_sent = true;
  if (const auto difference = process.world().compare(communicator.id, communicator.collective_calls++, ranks, std::move(made)))
    throw MpiError(difference->error_class, difference->text);
}

namespace {

constexpr Datatype kBytes = Datatype::user(1);
using Fill = Staged::Fill;

/// What a rank's part of a collective keeps until it is done.
struct Parts {
  Staged in;
  Staged out;
  Reducible summands;
  Reducible sums;
};

/// Runs heddle's algorithm for this call.
void run_algorithm(Process& process, Communicator& over, Collective collective, const CollectiveArguments& arguments,
                   Datatype type) {
  const Shape shape = shape_of_call(over, collective, arguments, type);
  const Algorithm& algorithm = process.world().settings().algorithm(collective, shape, arguments.op);
  process.note_algorithm(algorithm.name);
  algorithm.run(over, arguments);
}

/// Blocks of one size, in bytes.
BlockPartition even_blocks(const Communicator& over, std::int64_t bytes) {
  return BlockPartition(over.size() * bytes, over.size());
}

}  // namespace

void carry_out(Process& process, const std::function<void(Communicator&)>& run, Communicator& over) {
  if (process.world().settings().synchronizes_collectives) {
    const Shape shape = shape_of_call(over, Collective::barrier, {}, kBytes);
    process.world().settings().algorithm(Collective::barrier, shape, nullptr).run(over, {});
  }
  run(over);
}

// ---- what moves ----

CollectiveWork broadcast(Process& process, const CommunicatorPtr& on, const TypedBuffer& buffer, int root) {
  const bool gives = on->rank == root;
  auto parts = std::make_shared<Parts>();
  parts->out = Staged(buffer, gives ? Fill::contents : Fill::nothing);
  return {[&process, parts, gives, root](Communicator& over) {
            const VectorView view = parts->out.view();
            run_algorithm(process, over, Collective::broadcast,
                          {.input = gives ? view : VectorView(), .output = view, .root = Rank(root)}, kBytes);
          },
          [parts, gives] {
            if (!gives) parts->out.give_back();
          }};
}

CollectiveWork gather(Process& process, const TypedBuffer* own, const TypedBlocks* all, std::int64_t block_bytes, int root) {
  auto parts = std::make_shared<Parts>();
  if (own != nullptr) parts->in = Staged(*own, Fill::contents);
  if (all != nullptr) parts->out = Staged(*all, own == nullptr ? Fill::contents : Fill::nothing);
  const bool in_place = own == nullptr;
  return {[&process, parts, in_place, block_bytes, root](Communicator& over) {
            const VectorView out = parts->out.view();
            run_algorithm(process, over, Collective::gather,
                          {.input = in_place ? out : parts->in.view(),
                           .output = out,
                           .root = Rank(root),
                           .blocks = even_blocks(over, block_bytes)},
                          kBytes);
          },
          [parts] { parts->out.give_back(); }};
}

CollectiveWork scatter(Process& process, const TypedBlocks* all, const TypedBuffer* own, std::int64_t block_bytes, int root) {
  auto parts = std::make_shared<Parts>();
  if (all != nullptr) parts->in = Staged(*all, Fill::contents);
  if (own != nullptr) parts->out = Staged(*own, Fill::nothing);
  const bool in_place = own == nullptr;
  return {[&process, parts, in_place, block_bytes, root](Communicator& over) {
            const VectorView in = parts->in.view();
            run_algorithm(process, over, Collective::scatter,
                          {.input = in,
                           .output = in_place ? in : parts->out.view(),
                           .root = Rank(root),
                           .blocks = even_blocks(over, block_bytes)},
                          kBytes);
          },
          [parts] { parts->out.give_back(); }};
}

CollectiveWork allgather(Process& process, const TypedBuffer* own, const TypedBlocks& all) {
  auto parts = std::make_shared<Parts>();
  if (own != nullptr) parts->in = Staged(*own, Fill::contents);
  const bool in_place = own == nullptr;
  parts->out = Staged(all, in_place ? Fill::contents : Fill::nothing);
  return {[&process, parts, in_place, blocks = all.partition()](Communicator& over) {
            const VectorView out = parts->out.view();
            run_algorithm(process, over, Collective::allgather,
                          {.input = in_place ? out : parts->in.view(), .output = out, .blocks = blocks}, kBytes);
          },
          [parts] { parts->out.give_back(); }};
}

CollectiveWork alltoall(Process& process, const TypedBlocks* sent, const TypedBlocks& received) {
  auto parts = std::make_shared<Parts>();
  if (sent != nullptr) parts->in = Staged(*sent, Fill::contents);
  const bool in_place = sent == nullptr;
  parts->out = Staged(received, in_place ? Fill::contents : Fill::nothing);
  return {[&process, parts, in_place, out_blocks = sent ? sent->partition() : received.partition(),
           in_blocks = received.partition()](Communicator& over) {
            const VectorView out = parts->out.view();
            run_algorithm(
                process, over, Collective::alltoall,
                {.input = in_place ? out : parts->in.view(), .output = out, .blocks = out_blocks, .received = in_blocks},
                kBytes);
          },
          [parts] { parts->out.give_back(); }};
}

CollectiveWork barrier(Process& process) {
  return {[&process](Communicator& over) { run_algorithm(process, over, Collective::barrier, {}, kBytes); }};
}

// ---- what combines ----

namespace {

/// Both ends of a reduction: `input` null is in place.
std::shared_ptr<Parts> reduction(const TypedBuffer* input, const TypedBuffer* output, Datatype type) {
  auto parts = std::make_shared<Parts>();
  if (input != nullptr) parts->summands = Reducible(*input, type, Fill::contents);
  if (output != nullptr) parts->sums = Reducible(*output, type, input == nullptr ? Fill::contents : Fill::nothing);
  return parts;
}

}  // namespace

CollectiveWork reduce(Process& process, const TypedBuffer* input, const TypedBuffer* output, const Reducer& by, int root) {
  const std::shared_ptr<Parts> parts = reduction(input, output, by.type);
  const bool in_place = input == nullptr;
  return {[&process, parts, by, in_place, root, gets = output != nullptr](Communicator& over) {
            // Of those that get nothing, too, elements are of the type that all have.
            const VectorView sums = gets ? parts->sums.view() : VectorView(nullptr, 0, by.type);
            run_algorithm(process, over, Collective::reduce,
                          {.input = in_place ? sums : parts->summands.view(), .output = sums, .op = &by.op, .root = Rank(root)},
                          by.type);
          },
          [parts, gets = output != nullptr] {
            if (gets) parts->sums.give_back();
          }};
}

CollectiveWork allreduce(Process& process, const TypedBuffer* input, const TypedBuffer& output, const Reducer& by) {
  const std::shared_ptr<Parts> parts = reduction(input, &output, by.type);
  const bool in_place = input == nullptr;
  return {[&process, parts, by, in_place](Communicator& over) {
            const VectorView sums = parts->sums.view();
            run_algorithm(process, over, Collective::allreduce,
                          {.input = in_place ? sums : parts->summands.view(), .output = sums, .op = &by.op}, by.type);
          },
          [parts] { parts->sums.give_back(); }};
}

CollectiveWork reduce_scatter(Process& process, const CommunicatorPtr& on, const TypedBuffer* input, const TypedBuffer& output,
                              const BlockPartition& blocks, const Reducer& by) {
  const std::int64_t own = blocks.size(on->rank);
  const TypedBuffer whole = input ? *input : TypedBuffer{output.base, blocks.count(), output.type};
  // In place MPI wants the block at the beginning, where others' summands are: it is made elsewhere.
  auto parts = std::make_shared<Parts>();
  parts->summands = Reducible(whole, by.type, Fill::contents);
  auto block = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(own) * by.type.size());
  return {[&process, parts, by, block, own, blocks](Communicator& over) {
            run_algorithm(process, over, Collective::reduce_scatter,
                          {.input = parts->summands.view(),
                           .output = VectorView(block->data(), own, by.type),
                           .op = &by.op,
                           .blocks = blocks},
                          by.type);
          },
          [block, own, output] {
            const Type& type = *output.type;
            copy_elements(type, own, block->data() - type.lower_bound(), type, own, output.base);
          }};
}

// ---- the MPI layer's own ----

namespace {

/// What has come is what was to be received: in a collective it is not less either.
void check_came(const World& world, const CallSite& site, const CommunicatorObject& on, const TypedMessage& message,
                std::uint64_t label, const heddle::Status& came) {
  if (came.count == message.buffer.bytes() && world.labels().may_receive(came.label, label)) return;
  throw MpiError(
      came.count == message.buffer.bytes() ? MPI_ERR_TYPE : MPI_ERR_TRUNCATE,
      fmt::format("{}: rank {}{} has sent {}, and the block for it is of {}: in a collective, what is sent is what is "
                  "received",
                  world.call_text(site), on.rank_in_peers(message.peer), on.is_intercommunicator() ? " of the other group" : "",
                  world.labels().text(came.label), world.labels().text(label)));
}

}  // namespace

CollectiveWork exchange(Process& process, const CommunicatorPtr& on, std::vector<TypedMessage> sent,
                        std::vector<TypedMessage> received) {
  return {[&world = process.world(), site = process.site(), on, sent = std::move(sent),
           received = std::move(received)](Communicator& over) {
    std::vector<Request> requests;
    std::vector<Staged> in;
    std::vector<Staged> out;
    std::vector<std::uint64_t> labels;
    in.reserve(received.size());
    out.reserve(sent.size());
    // Of blocks that overlap the last one stays, whichever message comes first.
    std::vector<TypedBuffer> blocks;
    for (const TypedMessage& message : received) blocks.push_back(message.buffer);
    const bool is_apart = overlapping_blocks(blocks).has_value();
    for (const TypedMessage& message : received) {
      const VectorView into = in.emplace_back(message.buffer, Fill::nothing, is_apart).view();
      labels.push_back(world.labels().label(*message.buffer.type, message.buffer.count));
      requests.push_back(over.irecv(message.peer, std::span(&into, 1), Tag(message.tag), {.label = labels.back()}));
    }
    for (const TypedMessage& message : sent) {
      const ConstVectorView from = out.emplace_back(message.buffer, Fill::contents).view();
      const std::uint64_t label = world.labels().label(*message.buffer.type, message.buffer.count);
      requests.push_back(over.isend(message.peer, std::span(&from, 1), Tag(message.tag), {.label = label}));
    }
    std::vector<heddle::Status> statuses(requests.size());
    over.wait_all(requests, statuses);
    for (std::size_t i = 0; i < received.size(); ++i) {
      check_came(world, site, *on, received[i], labels[i], statuses[i]);
      in[i].give_back();
    }
  }};
}

CollectiveWork gatherv(Process& process, const CommunicatorPtr& on, const TypedBuffer* own, const TypedBlocks* all, int root) {
  std::vector<TypedMessage> sent;
  std::vector<TypedMessage> received;
  if (own != nullptr) sent.push_back({Rank(root), *own});
  for (int rank = 0; all != nullptr && rank < on->local.size(); ++rank) {
    if (rank != root || own != nullptr) received.push_back({Rank(rank), all->block(rank)});
  }
  return exchange(process, on, std::move(sent), std::move(received));
}

CollectiveWork scatterv(Process& process, const CommunicatorPtr& on, const TypedBlocks* all, const TypedBuffer* own, int root) {
  std::vector<TypedMessage> sent;
  std::vector<TypedMessage> received;
  if (own != nullptr) received.push_back({Rank(root), *own});
  for (int rank = 0; all != nullptr && rank < on->local.size(); ++rank) {
    if (rank != root || own != nullptr) sent.push_back({Rank(rank), all->block(rank)});
  }
  return exchange(process, on, std::move(sent), std::move(received));
}

CollectiveWork alltoallw(Process& process, const CommunicatorPtr& on, std::vector<TypedBuffer> sent,
                         std::vector<TypedBuffer> received) {
  // In place: what is sent is copied before anything comes in.
  const bool in_place = sent.empty();
  auto copies = std::make_shared<std::vector<std::vector<std::byte>>>();
  std::vector<TypedMessage> out;
  std::vector<TypedMessage> in;
  static const TypePtr bytes = predefined_type(0x247);
  for (std::size_t i = 0; i < received.size(); ++i) {
    const Rank peer(static_cast<int>(i));
    // Both ends know which blocks are empty: a call on many ranks is often for few of them.
    if (received[i].bytes() > 0) in.push_back({peer, received[i]});
    if (!in_place) {
      if (sent[i].bytes() > 0) out.push_back({peer, sent[i]});
      continue;
    }
    if (received[i].bytes() == 0) continue;
    std::vector<std::byte>& copy = copies->emplace_back(static_cast<std::size_t>(received[i].bytes()));
    pack(*received[i].type, received[i].count, received[i].base, received[i].bytes(), copy.data());
    out.push_back({peer, typed(copy.data(), received[i].bytes(), bytes)});
  }
  CollectiveWork work = exchange(process, on, std::move(out), std::move(in));
  work.run = [copies, run = std::move(work.run)](Communicator& over) { run(over); };
  return work;
}

CollectiveWork scan(Process&, const CommunicatorPtr& on, const TypedBuffer* input, const TypedBuffer* output, const Reducer& by,
                    bool is_exclusive) {
  auto parts = std::make_shared<Parts>();
  const TypedBuffer& summands = input ? *input : *output;
  parts->summands = Reducible(summands, by.type, Fill::contents);
  const std::int64_t count = summands.count;
  const std::size_t bytes = static_cast<std::size_t>(count) * by.type.size();
  auto sums = std::make_shared<std::vector<std::byte>>(bytes);    // of the ranks up to this one that have been met
  auto before = std::make_shared<std::vector<std::byte>>(bytes);  // the same without this one
  return {[parts, by, sums, before, count, bytes](Communicator& over) {
            const int rank = over.rank().value();
            const VectorView own(sums->data(), count, by.type);
            const VectorView earlier(before->data(), count, by.type);
            if (bytes > 0) std::memcpy(sums->data(), parts->summands.view().data(), bytes);
            std::vector<std::byte> incoming(bytes);
            const VectorView from(incoming.data(), count, by.type);
            bool has_earlier = false;
            for (int distance = 1; distance < over.size(); distance *= 2) {
              std::vector<Request> requests;
              const bool gets = rank - distance >= 0;
              std::vector<std::byte> outgoing(*sums);
              if (gets) requests.push_back(over.irecv(Rank(rank - distance), from));
              if (rank + distance < over.size())
                requests.push_back(over.isend(Rank(rank + distance), VectorView(outgoing.data(), count, by.type)));
              over.wait_all(requests);
              if (!gets) continue;
              over.reduce_into(own, from, by.op, Side::left);
              if (has_earlier)
                over.reduce_into(earlier, from, by.op, Side::left);
              else
                over.copy(earlier, from);
              has_earlier = true;
            }
          },
          [sums, before, to = output ? *output : TypedBuffer{}, is_exclusive, is_first = on->rank == 0] {
            if (is_exclusive && is_first) return;  // nobody is before it: its output is left as it is
            const Type& type = *to.type;
            const std::vector<std::byte>& result = is_exclusive ? *before : *sums;
            copy_elements(type, to.count, result.data() - type.lower_bound(), type, to.count, to.base);
          }};
}

}  // namespace heddle::mpi
