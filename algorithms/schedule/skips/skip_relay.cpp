// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/skips/skip_relay.hpp"

#include <algorithm>

#include "core/block_partition.hpp"

namespace heddle::schedule {

SkipRelay::SkipRelay(const SkipSchedule& skips) : ranks_(skips.ranks()), rounds_(static_cast<std::size_t>(skips.steps())) {
  for (int round = 0; round < skips.steps(); ++round) {
    for (const SkipSend& send : skips.round(round)) rounds_[static_cast<std::size_t>(round)].push_back({send.skip, {}});
  }
  const std::vector<SkipHop> hops = first_hops(skips);
  std::vector<SkipHop> way;
  for (int offset = 1; offset < ranks_; ++offset) {
    way.clear();
    for (int rest = offset; rest != 0; rest = moved_by(rest, -way.back().skip, ranks_))
      way.push_back(hops[static_cast<std::size_t>(rest)]);
    int to_go = static_cast<int>(way.size());
    bool sets_out = true;
    for (const SkipHop& hop : way) {
      rounds_[static_cast<std::size_t>(hop.round)][static_cast<std::size_t>(hop.send)].blocks.push_back(
          {offset, to_go--, sets_out});
      sets_out = false;
    }
  }
}

std::int64_t SkipRelay::blocks_sent() const {
  std::int64_t sent = 0;
  for (const auto& round : rounds_) {
    for (const Send& send : round) sent += static_cast<std::int64_t>(send.blocks.size());
  }
  return sent;
}

namespace {

/// Appends a piece, or makes the last one longer where it goes on in memory.
template <class View>
void append_piece(std::vector<View>& pieces, View piece) {
  if (!pieces.empty() && pieces.back().data() + pieces.back().size_bytes() == piece.data())
    pieces.back() = View(pieces.back().data(), pieces.back().count() + piece.count(), piece.type());
  else
    pieces.push_back(piece);
}

}  // namespace

void relay_alltoall(Communicator& comm, const SkipRelay& relay, ConstVectorView outgoing, VectorView incoming) {
  const int p = relay.ranks();
  const int rank = comm.rank().value();
  const BlockPartition blocks(outgoing.count(), p);
  Buffer scratch(outgoing.type(), outgoing.count());
  // Where a block lies that has `hops` to go still: at the end in its place, on the way there by turns elsewhere.
  const auto place = [&](int offset, int hops) {
    return hops % 2 == 0 ? blocks.block(incoming, moved_by(rank, -offset, p)) : blocks.block(scratch.view(), offset);
  };

  comm.copy(blocks.block(incoming, rank), blocks.block(outgoing, rank));
  std::vector<Request> requests;
  std::vector<ConstVectorView> sent;
  std::vector<VectorView> received;
  for (const auto& round : relay.rounds()) {
    requests.clear();
    for (const SkipRelay::Send& send : round) {
      sent.clear();
      received.clear();
      for (const SkipRelay::Block& block : send.blocks) {
        append_piece<ConstVectorView>(sent, block.sets_out ? blocks.block(outgoing, moved_by(rank, block.offset, p))
                                                           : ConstVectorView(place(block.offset, block.hops)));
        append_piece(received, place(block.offset, block.hops - 1));
      }
      requests.push_back(comm.irecv(Rank(moved_by(rank, -send.skip, p)), received));
      requests.push_back(comm.isend(Rank(moved_by(rank, send.skip, p)), sent));
    }
    comm.wait_all(requests);
  }
}

}  // namespace heddle::schedule
