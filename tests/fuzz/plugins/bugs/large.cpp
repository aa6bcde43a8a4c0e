// SPDX-License-Identifier: Apache-2.0
// Wrong where there is much, or where there are many.
#include <algorithm>

#include "tests/fuzz/plugins/bugs/planted_row.hpp"

namespace heddle::testing::bugs {

namespace {

void only_4096_elements(Communicator& comm, const Args& args) {
  broadcast_of(comm, args, std::min<std::int64_t>(args.output.count(), 4096));
}

void count_of_16_bits(Communicator& comm, const Args& args) {
  broadcast_of(comm, args, static_cast<std::uint16_t>(args.output.count()));
}

/// Beyond 8,192 elements in pieces, of which the third is left out.
void third_piece_left_out(Communicator& comm, const Args& args) {
  constexpr std::int64_t kPiece = 4096;
  const std::int64_t count = args.output.count();
  if (count <= 2 * kPiece) return broadcast_of(comm, args, count);
  for (std::int64_t first = 0; first < count; first += kPiece) {
    if (first == 2 * kPiece) continue;
    const VectorView piece = args.output.slice(first, std::min(kPiece, count - first));
    if (comm.rank() == args.root && !args.in_place()) comm.copy(piece, args.input.slice(first, piece.count()));
    for (int r = 0; comm.rank() == args.root && r < comm.size(); ++r) {
      if (Rank(r) != args.root) comm.send(Rank(r), piece);
    }
    if (comm.rank() != args.root) comm.recv(args.root, piece);
  }
}

/// Who has it is a word of 64 bits.
void mask_of_64_ranks(Communicator& comm, const Args& args) {
  std::uint64_t with_it = 0;
  for (int r = 0; r < std::min(comm.size(), 64); ++r) with_it |= std::uint64_t{1} << r;
  from_root(
      comm, args,
      [&](Rank to) {
        if (to.value() < 64 && (with_it >> to.value() & 1) != 0) comm.send(to, args.output);
      },
      [&] {
        if (comm.rank().value() < 64) comm.recv(args.root, args.output);
      });
}

void not_on_100_ranks(Communicator& comm, const Args& args) {
  const bool is_wrong = comm.size() == 100 && comm.rank() == Rank(99) && !args.output.empty();
  right_allreduce(comm, args);
  if (is_wrong) args.output.data()[0] ^= std::byte{4};
}

/// A table of seven rounds.
void barrier_of_seven_rounds(Communicator& comm, const Args&) {
  for (int round = 0, step = 1; step < comm.size() && round < 7; ++round, step *= 2) {
    const int p = comm.size();
    const int me = comm.rank().value();
    comm.sendrecv(Rank((me + step) % p), ConstVectorView(), Rank((me - step % p + p) % p), VectorView(), Tag(round));
  }
}

}  // namespace

void plant_large(Rows& rows) {
  plant(rows, Collective::broadcast, "only_4096_elements", only_4096_elements);
  plant(rows, Collective::broadcast, "count_of_16_bits", count_of_16_bits);
  plant(rows, Collective::broadcast, "third_piece_left_out", third_piece_left_out);
  plant(rows, Collective::broadcast, "mask_of_64_ranks", mask_of_64_ranks);
  plant(rows, Collective::allreduce, "not_on_100_ranks", not_on_100_ranks);
  plant(rows, Collective::barrier, "barrier_of_seven_rounds", barrier_of_seven_rounds);
}

}  // namespace heddle::testing::bugs
