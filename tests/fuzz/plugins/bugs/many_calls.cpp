// SPDX-License-Identifier: Apache-2.0
// What goes wrong after many calls, and with data that are alike.
#include <algorithm>
#include <cstring>
#include <memory>
#include <set>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

/// Of each rank of a communicator, for good.
template <class State>
State& state_of(Communicator& comm, std::string_view name) {
  const auto states = comm.shared_plan<std::shared_ptr<std::vector<State>>>(
      name, [&] { return std::make_shared<std::vector<State>>(static_cast<std::size_t>(comm.size())); });
  return (**states)[static_cast<std::size_t>(comm.rank().value())];
}

/// Calls are numbered in a few bits, and a number that a rank has seen is a message that came twice, it thinks.
struct Seen {
  std::uint32_t calls = 0;
  std::set<std::uint32_t> numbers;
};
template <int kBits>
void sequence_number(Communicator& comm, const Args& args) {
  Seen& seen = state_of<Seen>(comm, "seen");
  const std::uint32_t number = seen.calls++ & ((1U << kBits) - 1);
  const bool is_new = seen.numbers.insert(number).second;
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output, Tag(static_cast<int>(number))); },
      [&] {
        Buffer other(args.output.type(), args.output.count());
        comm.recv(args.root, is_new ? args.output : other.view(), Tag(static_cast<int>(number)));
      });
}

/// Slots of a ring of eight that nobody gives back: the tenth call finds none.
void slots_that_run_out(Communicator& comm, const Args& args) {
  int& used = state_of<int>(comm, "slots");
  right_allreduce(comm, args);
  if (++used > 9 && !args.output.empty() && comm.rank() == Rank(comm.size() - 1)) args.output.data()[0] ^= std::byte{1};
}

/// An acknowledgement of each call that nobody takes.
void acknowledged_to_nobody(Communicator& comm, const Args& args) {
  right_broadcast(comm, args);
  static const std::byte mark{1};
  if (comm.rank() != args.root) comm.send(args.root, std::span(&mark, 1), Tag(77));
}

/// What is 0 has not come yet.
void zero_is_not_there(Communicator& comm, const Args& args) {
  from_root(
      comm, args, [&](Rank to) { comm.send(to, args.output); },
      [&] {
        Buffer came(args.output.type(), args.output.count());
        comm.recv(args.root, came.view());
        const std::size_t size = args.output.type().size();
        const std::vector<std::byte> zero(size);
        for (std::int64_t i = 0; i < args.output.count(); ++i) {
          const VectorView element = came.view().slice(i, 1);
          if (std::memcmp(element.data(), zero.data(), size) != 0) comm.copy(args.output.slice(i, 1), element);
        }
      });
}

/// Sent as (length, byte), and a length has eight bits.
void lengths_in_a_byte(Communicator& comm, const Args& args) {
  const std::size_t bytes = args.output.size_bytes();
  std::vector<std::byte> packed;
  from_root(
      comm, args,
      [&](Rank to) {
        packed.clear();
        for (std::size_t at = 0; at < bytes;) {
          std::size_t end = at;
          while (end < bytes && args.output.data()[end] == args.output.data()[at]) ++end;
          packed.push_back(static_cast<std::byte>(end - at));
          packed.push_back(args.output.data()[at]);
          at = end;
        }
        comm.send(to, packed);
      },
      [&] {
        packed.resize(2 * bytes);
        const std::int64_t count = comm.recv(args.root, packed).count;
        std::size_t at = 0;
        for (std::int64_t i = 0; i + 1 < count; i += 2) {
          const auto length = std::min(std::to_integer<std::size_t>(packed[static_cast<std::size_t>(i)]), bytes - at);
          std::fill_n(args.output.data() + at, length, packed[static_cast<std::size_t>(i) + 1]);
          at += length;
        }
      });
}

}  // namespace

void plant_many_calls(Rows& rows) {
  plant(rows, Collective::broadcast, "sequence_of_four_bits", sequence_number<4>);
  plant(rows, Collective::allreduce, "slots_that_run_out", slots_that_run_out);
  plant(rows, Collective::broadcast, "acknowledged_to_nobody", acknowledged_to_nobody);
  plant(rows, Collective::broadcast, "zero_is_not_there", zero_is_not_there);
  plant(rows, Collective::broadcast, "lengths_in_a_byte", lengths_in_a_byte);
}

}  // namespace heddle::testing::bugs
