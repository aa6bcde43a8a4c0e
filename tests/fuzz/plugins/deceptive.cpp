// SPDX-License-Identifier: Apache-2.0
// Mistakes whose symptoms look like those of others: what heddle says of each must be so, and name the mistake where it can.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "heddle/plugin.hpp"

namespace {

using heddle::Algorithm;
using heddle::Buffer;
using heddle::Collective;
using heddle::CollectiveArguments;
using heddle::Communicator;
using heddle::kAnySource;
using heddle::Rank;
using heddle::Side;
using heddle::Tag;
using heddle::VectorView;

/// A row that is right but for what `harm` does afterwards on its last rank.
template <class Harm>
Algorithm spoiled(Collective collective, const char* by, const char* name, Harm harm) {
  return {.collective = collective,
          .name = name,
          .run = [collective, by, harm](Communicator& comm, const CollectiveArguments& args) {
            heddle::find_algorithm(collective, by).run(comm, args);
            if (comm.rank().value() == comm.size() - 1 && args.output.count() > 0) harm(comm, args);
          }};
}

void flip(VectorView vector, std::size_t bit) { vector.data()[bit / 8] ^= static_cast<std::byte>(1U << bit % 8); }

std::size_t random_bit(VectorView vector) {
  std::random_device random;
  return random() % (vector.size_bytes() * 8);
}

/// All to rank 0 in a chain, and back: `pass(comm, incoming)` looks at what comes before it is reduced.
template <class Pass>
void chain(Communicator& comm, const CollectiveArguments& args, VectorView scratch, Pass pass) {
  const int r = comm.rank().value();
  if (r + 1 < comm.size()) {
    comm.recv(Rank(r + 1), scratch);
    pass(scratch);
    comm.reduce_into(args.output, scratch, *args.op, Side::right);
  }
  if (r > 0) {
    comm.send(Rank(r - 1), args.output);
    comm.recv(Rank(r - 1), args.output, Tag(1));
  }
  if (r + 1 < comm.size()) comm.send(Rank(r + 1), args.output, Tag(1));
}

/// In place, whatever is asked for.
template <class Run>
Algorithm allreduce(const char* name, Run run) {
  return {.collective = Collective::allreduce, .name = name, .run = [run](Communicator& comm, const CollectiveArguments& args) {
            if (!args.in_place()) comm.copy(args.output, args.input);
            CollectiveArguments own = args;
            own.input = args.output;
            run(comm, own);
          }};
}

template <class Run>
Algorithm chained(const char* name, Run pass) {
  return allreduce(name, [pass](Communicator& comm, const CollectiveArguments& args) {
    Buffer scratch(args.output.type(), args.output.count());
    chain(comm, args, scratch.view(), [&](VectorView incoming) { pass(comm, incoming); });
  });
}

alignas(64) std::array<std::byte, 1 << 20> shared_memory;
std::vector<std::byte> shared_vector;

/// A broadcast straight from the root: `receive(comm, args)` on the others.
template <class Send, class Receive>
Algorithm broadcast(const char* name, Send send, Receive receive) {
  return {.collective = Collective::broadcast,
          .name = name,
          .run = [send, receive](Communicator& comm, const CollectiveArguments& args) {
            if (comm.rank() != args.root) return receive(comm, args);
            for (int r = 0; r < comm.size(); ++r) {
              if (Rank(r) != args.root) send(comm, Rank(r), args);
            }
          }};
}

void send_all(Communicator& comm, Rank dest, const CollectiveArguments& args) { comm.send(dest, args.input); }

/// Through scratch memory, of which `bytes` less than all are copied.
template <class Left>
void receive_in_part(Communicator& comm, const CollectiveArguments& args, Left left) {
  Buffer scratch(args.output.type(), args.output.count());
  comm.recv(args.root, scratch.view());
  if (!args.output.empty()) std::memcpy(args.output.data(), scratch.view().data(), args.output.size_bytes() - left(args));
}

}  // namespace

HEDDLE_PLUGIN(rows) {
  const auto whole = Collective::allreduce;
  // ---- bits ----
  rows.push_back(spoiled(whole, "ring", "flips_some_bit",
                         [](Communicator&, const CollectiveArguments& args) { flip(args.output, random_bit(args.output)); }));
  rows.push_back(spoiled(whole, "ring", "flips_last", [](Communicator&, const CollectiveArguments& args) {
    flip(args.output, args.output.size_bytes() * 8 - 9);
  }));
  rows.push_back(spoiled(Collective::broadcast, "binomial_halving", "flips_broadcast",
                         [](Communicator&, const CollectiveArguments& args) { flip(args.output, 4); }));
  rows.push_back(spoiled(Collective::allgather, "ring", "flips_in_each", [](Communicator&, const CollectiveArguments& args) {
    for (std::int64_t i = 0; i < args.output.count(); ++i) flip(args.output.slice(i, 1), 3);
  }));
  rows.push_back(chained("flips_incoming", [](Communicator& comm, VectorView incoming) {
    if (comm.rank() == Rank(0) && !incoming.empty()) flip(incoming, 5);
  }));
  rows.push_back(chained("flips_at_times", [](Communicator& comm, VectorView incoming) {
    if (comm.rank() == Rank(0) && !incoming.empty() && std::random_device()() % 2 == 0) flip(incoming, random_bit(incoming));
  }));
  // ---- parts of elements ----
  const auto half = [](const CollectiveArguments& args) { return args.output.type().size() / 2; };
  rows.push_back(broadcast("half_element", send_all,
                           [half](Communicator& comm, const CollectiveArguments& args) { receive_in_part(comm, args, half); }));
  rows.push_back(broadcast("half_of_f64", send_all, [](Communicator& comm, const CollectiveArguments& args) {
    receive_in_part(comm, args,
                    [](const CollectiveArguments& of) { return of.output.type() == heddle::Datatype::f64() ? 4 : 0; });
  }));
  rows.push_back(spoiled(whole, "ring", "half_own", [](Communicator&, const CollectiveArguments& args) {
    // Half of the last element is what it was before.
    const std::size_t size = args.output.type().size();
    if (!args.in_place())
      std::memcpy(args.output.data() + args.output.size_bytes() - size / 2,
                  args.input.data() + args.input.size_bytes() - size / 2, size / 2);
  }));
  rows.push_back(allreduce("i32_by_hand", [](Communicator& comm, const CollectiveArguments& args) {
    Buffer scratch(args.output.type(), args.output.count());
    chain(comm, args, scratch.view(), [&](VectorView incoming) {
      if (args.output.type() == heddle::Datatype::i32() && !incoming.empty()) std::memset(incoming.data(), 0, 2);
    });
  }));
  // ---- receives ----
  rows.push_back(
      {.collective = Collective::gather, .name = "overlapping", .run = [](Communicator& comm, const CollectiveArguments& args) {
         if (comm.rank() != args.root) return comm.send(args.root, args.input);
         if (!args.in_place()) comm.copy(args.blocks.block(args.output, comm.rank().value()), args.input);
         std::vector<heddle::Request> requests;
         std::int64_t first = 0;
         for (int r = 0; r < comm.size(); ++r) {
           const std::int64_t count = args.blocks.block(args.output, r).count();
           if (Rank(r) != args.root)
             requests.push_back(
                 comm.irecv(Rank(r), args.output.slice(first, std::min(args.output.count() - first, count + 1))));
           first += count;
         }
         comm.wait_all(requests);
       }});
  rows.push_back(broadcast(
      "one_buffer",
      [](Communicator& comm, Rank dest, const CollectiveArguments& args) {
        const std::int64_t first = args.input.count() / 2;
        comm.send(dest, args.input.slice(0, first), Tag(1));
        comm.send(dest, args.input.slice(first, args.input.count() - first), Tag(2));
      },
      [](Communicator& comm, const CollectiveArguments& args) {
        const std::int64_t first = args.output.count() / 2;
        const std::int64_t rest = args.output.count() - first;
        Buffer scratch(args.output.type(), rest);
        const auto a = comm.irecv(args.root, scratch.view().slice(0, first), Tag(1));
        const auto b = comm.irecv(args.root, scratch.view(), Tag(2));
        comm.wait(a);
        comm.copy(args.output.slice(0, first), scratch.view().slice(0, first));
        comm.wait(b);
        comm.copy(args.output.slice(first, rest), scratch.view());
      }));
  rows.push_back(broadcast(
      "short_message",
      [](Communicator& comm, Rank dest, const CollectiveArguments& args) {
        comm.send(dest, args.input.slice(0, std::max<std::int64_t>(args.input.count() - 1, 0)));
      },
      [](Communicator& comm, const CollectiveArguments& args) { comm.recv(args.root, args.output); }));
  rows.push_back(allreduce("short_sum", [](Communicator& comm, const CollectiveArguments& args) {
    const int r = comm.rank().value();
    const std::int64_t count = args.output.count();
    Buffer scratch(args.output.type(), count);
    if (r > 0) {
      comm.send(Rank(0), args.output.slice(0, r == 1 ? (count + 1) / 2 : count));
      comm.recv(Rank(0), args.output, Tag(1));
      return;
    }
    for (int i = 1; i < comm.size(); ++i) {
      comm.recv(Rank(i), scratch.view());
      comm.reduce_into(args.output, scratch.view(), *args.op, Side::right);
    }
    for (int i = 1; i < comm.size(); ++i) comm.send(Rank(i), args.output, Tag(1));
  }));
  // ---- order ----
  rows.push_back({.collective = Collective::gather,
                  .name = "as_they_come",
                  .needs = {.equal_blocks = true,
                            .more = "blocks of one size",
                            .has_more = [](const heddle::Shape& shape) { return shape.count % shape.ranks == 0; }},
                  .run = [](Communicator& comm, const CollectiveArguments& args) {
                    if (comm.rank() != args.root) return comm.send(args.root, args.input);
                    if (!args.in_place()) comm.copy(args.blocks.block(args.output, comm.rank().value()), args.input);
                    for (int r = 0; r < comm.size(); ++r)
                      if (Rank(r) != args.root) comm.recv(kAnySource, args.blocks.block(args.output, r));
                  }});
  rows.push_back(allreduce("sums_as_they_come", [](Communicator& comm, const CollectiveArguments& args) {
    Buffer scratch(args.output.type(), args.output.count());
    if (comm.rank() == Rank(0)) {
      for (int i = 1; i < comm.size(); ++i) {
        comm.recv(kAnySource, scratch.view());
        comm.reduce_into(args.output, scratch.view(), *args.op, Side::right);
      }
    } else {
      comm.send(Rank(0), args.output);
    }
    heddle::find_algorithm(Collective::broadcast, "binomial_halving").run(comm, {.input = args.output, .output = args.output});
  }));
  // ---- shared memory ----
  rows.push_back(allreduce("static_scratch", [](Communicator& comm, const CollectiveArguments& args) {
    chain(comm, args, VectorView(shared_memory.data(), args.output.count(), args.output.type()), [](VectorView) {});
  }));
  rows.push_back(allreduce("static_vector", [](Communicator& comm, const CollectiveArguments& args) {
    if (shared_vector.size() < args.output.size_bytes() + 64) shared_vector.resize(args.output.size_bytes() + (1 << 16));
    const VectorView scratch(shared_vector.data(), args.output.count(), args.output.type());
    // All at once.
    const int p = comm.size();
    const int r = comm.rank().value();
    Buffer sum(args.output.type(), args.output.count());
    comm.copy(sum.view(), args.output);
    for (int i = 1; i < p; ++i) {
      comm.sendrecv(Rank((r + i) % p), args.output, Rank((r + p - i) % p), scratch);
      comm.reduce_into(sum.view(), scratch, *args.op, Side::right);
    }
    comm.copy(args.output, sum.view());
  }));
  rows.push_back(allreduce("static_sum", [](Communicator& comm, const CollectiveArguments& args) {
    // Without a message of its own: a global where each adds up.
    static int calls = 0;
    ++calls;
    heddle::find_algorithm(Collective::allreduce, "ring").run(comm, args);
    if (calls % 4 == 3 && !args.output.empty()) std::memset(args.output.data(), 0, args.output.type().size());
  }));
  rows.push_back(spoiled(whole, "ring", "by_the_clock", [](Communicator&, const CollectiveArguments& args) {
    const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    std::memcpy(args.output.data(), &now, std::min(sizeof now, args.output.type().size()));
  }));
}
