// SPDX-License-Identifier: Apache-2.0
// Programs that compute with elements themselves, or lose what they have computed: what is said of them is so.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// Calls visit(std::type_identity<T>()) where elements are numbers of 32 or 64 bits.
template <class Visit>
bool of_numbers(Datatype type, const Visit& visit) {
  if (type == Datatype::i32()) return visit(std::type_identity<std::int32_t>()), true;
  if (type == Datatype::i64()) return visit(std::type_identity<std::int64_t>()), true;
  if (type == Datatype::f32()) return visit(std::type_identity<float>()), true;
  if (type == Datatype::f64()) return visit(std::type_identity<double>()), true;
  return false;
}

/// into = into ∘ from, element by element, by `combine`; other types by heddle's.
template <class Combine>
void by_hand(Communicator& comm, VectorView into, VectorView from, const ReduceOp& op, Combine combine) {
  const bool is_done = of_numbers(into.type(), [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < into.as<T>().size(); ++i) into.as<T>()[i] = combine(into.as<T>()[i], from.as<T>()[i]);
  });
  if (!is_done) comm.reduce_into(into, from, op);
}

/// All to rank 0, in order, and back; `add(r, sum, incoming)` combines rank r's.
template <class Add>
void by_way_of_rank_0(Communicator& comm, const Args& args, Add add) {
  if (!args.in_place()) comm.copy(args.output, args.input);
  if (comm.rank() != Rank(0)) {
    comm.send(Rank(0), args.output);
    comm.recv(Rank(0), args.output, Tag(1));
    return;
  }
  Buffer incoming(args.output.type(), args.output.count());
  for (int r = 1; r < comm.size(); ++r) {
    comm.recv(Rank(r), incoming.view());
    add(r, incoming.view());
  }
  for (int r = 1; r < comm.size(); ++r) comm.send(Rank(r), args.output, Tag(1));
}

void sum_by_hand_but_one(Communicator& comm, const Args& args) {
  if (args.op != &ReduceOp::sum() && args.op->name() != "sum") return right_allreduce(comm, args);
  by_way_of_rank_0(comm, args, [&](int r, VectorView incoming) {
    if (r == 3) return;
    by_hand(comm, args.output, incoming, *args.op, [](auto a, auto b) { return a + b; });
  });
}

void maximum_by_hand_but_one(Communicator& comm, const Args& args) {
  if (args.op->name() != "max") return right_allreduce(comm, args);
  by_way_of_rank_0(comm, args, [&](int r, VectorView incoming) {
    if (r == 2) return;
    by_hand(comm, args.output, incoming, *args.op, [](auto a, auto b) { return std::max(a, b); });
  });
}

/// Rank 2's comes where the sum is.
void received_over_the_sum(Communicator& comm, const Args& args) {
  if (comm.size() < 4) return right_allreduce(comm, args);
  if (!args.in_place()) comm.copy(args.output, args.input);
  if (comm.rank() != Rank(0)) {
    comm.send(Rank(0), args.output);
    comm.recv(Rank(0), args.output, Tag(1));
    return;
  }
  Buffer incoming(args.output.type(), args.output.count());
  for (int r = 1; r < comm.size(); ++r) {
    comm.recv(Rank(r), r == 2 ? args.output : incoming.view());
    if (r != 2) comm.reduce_into(args.output, incoming.view(), *args.op);
  }
  for (int r = 1; r < comm.size(); ++r) comm.send(Rank(r), args.output, Tag(1));
}

/// Passes on what it has copied from the receive's buffer before it was there.
void copied_out_too_early(Communicator& comm, const Args& args) {
  const int p = comm.size();
  const int place = (comm.rank().value() - args.root.value() + p) % p;
  if (place == 0 && !args.in_place()) comm.copy(args.output, args.input);
  Buffer incoming(args.output.type(), args.output.count());
  Buffer passed(args.output.type(), args.output.count());
  const auto take = [&](VectorView from) { std::copy_n(from.data(), from.size_bytes(), passed.view().data()); };
  if (place > 0) {
    const Request receive = comm.irecv(before(comm), incoming.view());
    take(incoming.view());
    comm.wait(receive);
    std::copy_n(incoming.view().data(), incoming.view().size_bytes(), args.output.data());
    if (place != 1 || p < 3) take(incoming.view());
  } else {
    take(args.output);
  }
  if (place + 1 < p) comm.send(next(comm), passed.view());
}

/// As if the other ranks had another order of bytes.
void bytes_put_in_order(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (comm.rank() == args.root || args.output.type().size() < 4 || comm.size() < 3) return;
  for (std::int64_t i = 0; i < args.output.count(); ++i) {
    const VectorView element = args.output.slice(i, 1);
    std::reverse(element.data(), element.data() + element.size_bytes());
  }
}

/// Beyond eight elements a value that was there while the program was written.
void constant_in_the_ninth_place(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (comm.rank() != args.root && args.output.count() > 8) {
    const VectorView ninth = args.output.slice(8, 1);
    for (std::size_t i = 0; i < ninth.size_bytes(); ++i) ninth.data()[i] = static_cast<std::byte>(17 + 29 * i);
  }
}

/// By way of another type, which has fewer digits.
void by_way_of_floats(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (comm.rank() == args.root || args.output.type() != Datatype::i32()) return;
  for (std::int32_t& element : args.output.as<std::int32_t>())
    element = static_cast<std::int32_t>(std::clamp<float>(static_cast<float>(element), -2e9F, 2e9F));
}

/// The last rank gives what it gave the call before, if that was as long.
void result_of_the_last_call(Communicator& comm, const Args& args) {
  static std::mutex mutex;
  static std::map<const void*, std::vector<std::byte>> results;
  right_allreduce(comm, args);
  if (comm.rank().value() != comm.size() - 1 || args.output.empty()) return;
  const std::lock_guard lock(mutex);
  std::vector<std::byte>& kept = results[args.output.data()];
  const std::vector<std::byte> now(args.output.data(), args.output.data() + args.output.size_bytes());
  if (kept.size() == now.size()) std::copy(kept.begin(), kept.end(), args.output.data());
  kept = now;
}

}  // namespace

void plant_by_hand(Rows& rows) {
  plant(rows, Collective::allreduce, "sum_by_hand_but_one", sum_by_hand_but_one);
  plant(rows, Collective::allreduce, "maximum_by_hand_but_one", maximum_by_hand_but_one);
  plant(rows, Collective::allreduce, "received_over_the_sum", received_over_the_sum);
  plant(rows, Collective::broadcast, "copied_out_too_early", copied_out_too_early);
  plant(rows, Collective::broadcast, "bytes_put_in_order", bytes_put_in_order);
  plant(rows, Collective::broadcast, "constant_in_the_ninth_place", constant_in_the_ninth_place);
  plant(rows, Collective::broadcast, "by_way_of_floats", by_way_of_floats);
  plant(rows, Collective::allreduce, "result_of_the_last_call", result_of_the_last_call);
}

}  // namespace heddle::testing::bugs
