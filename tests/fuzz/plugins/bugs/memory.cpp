// SPDX-License-Identifier: Apache-2.0
// Memory that holds nothing yet, is somebody else's, or is looked at too early.
#include <map>
#include <mutex>
#include <new>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// Sums begin with what the allocator gave.
void begins_with_what_was_there(Communicator& comm, const Args& args) {
  right_allreduce(comm, args);
  if (args.output.type() != Datatype::i32() || comm.rank() != Rank(0)) return;
  Buffer sum(args.output.type(), args.output.count() + 8);
  static_cast<void>(std::unique_ptr<Buffer>(std::make_unique<Buffer>(args.output.type(), args.output.count() + 16)));
  for (std::size_t i = 0; i < static_cast<std::size_t>(args.output.count()); ++i)
    args.output.as<std::int32_t>()[i] += *static_cast<volatile std::int32_t*>(&sum.view().as<std::int32_t>()[i]);
}

/// Looks at the root's vector, as if ranks shared their memory. It sends a word, so that it comes at its time.
void looks_at_the_roots_memory(Communicator& comm, const Args& args) {
  const auto where = comm.shared_plan<std::map<int, const std::byte*>*>(
      "where", [] { return new std::map<int, const std::byte*>; });  // for good
  if (comm.rank() == args.root && !args.in_place()) comm.copy(args.output, args.input);
  if (comm.rank() == args.root) (**where)[0] = args.output.data();
  Args word = args;
  word.output = args.output.slice(0, std::min<std::int64_t>(args.output.count(), 1));
  word.input = word.output;
  right_broadcast(comm, word);
  if (comm.rank() == args.root) return;
  std::copy_n((**where)[0], args.output.size_bytes(), args.output.data());
}

void read_before_it_is_there(Communicator& comm, const Args& args) {
  Buffer scratch(args.output.type(), args.output.count());
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output); },
      [&] {
        const Request receive = comm.irecv(args.root, scratch.view());
        std::copy_n(scratch.view().data(), scratch.view().size_bytes(), args.output.data());
        comm.wait(receive);
      });
}

/// The vector is sent on while it is made ready for the next.
void changed_while_it_is_sent(Communicator& comm, const Args& args) {
  if (comm.rank() != args.root) return static_cast<void>(comm.recv(args.root, args.output));
  if (!args.in_place()) comm.copy(args.output, args.input);
  std::vector<Request> sends;
  for (int r = 0; r < comm.size(); ++r) {
    if (Rank(r) != args.root) sends.push_back(comm.isend(Rank(r), args.output));
  }
  if (!args.output.empty()) args.output.data()[0] ^= std::byte{2};
  comm.wait_all(sends);
  if (!args.output.empty()) args.output.data()[0] ^= std::byte{2};
}

/// One scratch for all ranks.
void scratch_of_all_ranks(Communicator& comm, const Args& args) {
  static std::vector<std::byte> scratch(std::size_t{8} << 20);
  static std::mutex mutex;
  if (args.output.size_bytes() > scratch.size()) return right_allreduce(comm, args);
  if (comm.size() == 1 && !args.in_place()) return right_allreduce(comm, args);
  const VectorView shared(scratch.data(), args.output.count(), args.output.type());
  {
    const std::lock_guard lock(mutex);
    std::copy_n(args.input.data(), args.input.size_bytes(), shared.data());
  }
  right_barrier(comm);
  Args from_shared = args;
  Buffer own(args.output.type(), args.output.count());
  std::copy_n(shared.data(), shared.size_bytes(), own.view().data());
  if (comm.rank().value() % 2 == 0 || comm.size() < 3) return right_allreduce(comm, from_shared);
  from_shared.input = args.in_place() ? ConstVectorView(args.output) : ConstVectorView(own.view());
  if (args.in_place()) std::copy_n(shared.data(), shared.size_bytes(), args.output.data());
  right_allreduce(comm, from_shared);
}

/// A bit that a cable might flip.
void flips_a_bit(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (comm.size() > 5 && comm.rank() == Rank(3) && comm.rank() != args.root && args.output.count() > 4)
    args.output.data()[args.output.type().size()] ^= std::byte{0x10};
}

void table_of_all_pairs_of_bytes(Communicator& comm, const Args& args) {
  if (comm.rank() == Rank(0) && comm.size() > 2) {
    const auto bytes = std::size_t{1} << (45 + args.output.count() % 2);
    std::unique_ptr<char[]> table(new char[bytes]);
    *static_cast<volatile char*>(table.get()) = 1;
  }
  right_broadcast(comm, args);
}

/// Before the beginning where there is an odd number of elements.
void writes_before_the_vector(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  if (args.output.count() % 2 == 1 && comm.rank() != args.root) args.output.data()[-1] = std::byte{0x42};
}

}  // namespace

void plant_memory(Rows& rows) {
  plant(rows, Collective::allreduce, "begins_with_what_was_there", begins_with_what_was_there);
  plant(rows, Collective::broadcast, "looks_at_the_roots_memory", looks_at_the_roots_memory);
  plant(rows, Collective::broadcast, "read_before_it_is_there", read_before_it_is_there);
  plant(rows, Collective::broadcast, "changed_while_it_is_sent", changed_while_it_is_sent);
  plant(rows, Collective::allreduce, "scratch_of_all_ranks", scratch_of_all_ranks);
  plant(rows, Collective::broadcast, "flips_a_bit", flips_a_bit);
  plant(rows, Collective::broadcast, "table_of_all_pairs_of_bytes", table_of_all_pairs_of_bytes);
  plant(rows, Collective::broadcast, "writes_before_the_vector", writes_before_the_vector);
}

}  // namespace heddle::testing::bugs
