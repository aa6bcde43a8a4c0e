// SPDX-License-Identifier: Apache-2.0
// Träff's circulant algorithms: in each round one peer, as far away as the round's skip. First the skips and the plan that
// follows from them, then the algorithms on blocks; those along trees are in circulant_trees.cpp.
#include "algorithms/families/circulant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <iterator>
#include <utility>

#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

namespace {

constexpr std::array<std::string_view, 4> kNames{"halving", "power_of_two", "sqrt", "linear"};

constexpr int halved_up(int n) { return n / 2 + n % 2; }

void append_halving(int n, std::vector<int>& skips) {
  while (n > 1) skips.push_back(n = halved_up(n));
}

int square_root_up(int n) {
  int root = 1;
  while (root * root < n) ++root;
  return root;
}

/// Algorithm 1's choice of rounds: when a round begins, only offsets below the skip before it are left.
Horizons falling_horizons(int ranks, const std::vector<int>& skips) {
  Horizons horizons{ranks};
  horizons.insert(horizons.end(), skips.begin(), skips.end());
  horizons.resize(skips.size());
  return horizons;
}

SkipRounds one_per_round(const std::vector<int>& skips) {
  SkipRounds rounds;
  for (const int skip : skips) rounds.push_back({skip});
  return rounds;
}

std::vector<int> parse_list(std::string_view text) {
  std::vector<int> list;
  for (const char* at = text.data();; ++at) {
    int skip = 0;
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), skip);
    const bool at_end = end == text.data() + text.size();
    if (error != std::errc() || skip < 1 || (!at_end && *end != '+'))
      throw InputError(fmt::format("skips '{}': whole numbers from 1 on are needed, as in 5+3+2+1", text));
    list.push_back(skip);
    if (at_end) return list;
    at = end;
  }
}

}  // namespace

CirculantSkips CirculantSkips::parse(std::string_view text) {
  const auto found = std::find(kNames.begin(), kNames.end(), text);
  if (found != kNames.end()) return CirculantSkips(static_cast<Kind>(found - kNames.begin()));
  const bool is_word =
      !text.empty() && ((text.front() >= 'a' && text.front() <= 'z') || (text.front() >= 'A' && text.front() <= 'Z'));
  if (is_word) throw InputError(unknown_name_message("choice of skips", text, kNames) + ", or a list such as 5+3+2+1");
  CirculantSkips skips(Kind::list);
  skips.list_ = parse_list(text);
  return skips;
}

std::string CirculantSkips::name() const {
  return kind_ == Kind::list ? fmt::format("{}", fmt::join(list_, "+"))
                             : std::string(kNames.at(static_cast<std::size_t>(kind_)));
}

std::vector<int> CirculantSkips::for_ranks(int ranks) const {
  std::vector<int> skips;
  switch (kind_) {
    case Kind::halving:
      append_halving(ranks, skips);
      break;
    case Kind::power_of_two:
      for (int rest = ranks; rest > 1;)
        skips.push_back(rest = static_cast<int>(std::bit_floor(static_cast<unsigned>(rest - 1))));
      break;
    case Kind::sqrt: {
      const int stride = square_root_up(ranks);
      int rest = ranks;
      while (rest - stride > stride) skips.push_back(rest -= stride);
      append_halving(rest, skips);
      break;
    }
    case Kind::linear:
      for (int skip = ranks - 1; skip >= 1; --skip) skips.push_back(skip);
      break;
    case Kind::list:
      std::copy_if(list_.begin(), list_.end(), std::back_inserter(skips), [ranks](int skip) { return skip < ranks; });
      break;
  }
  return skips;
}

bool CirculantSkips::reach_everyone(int ranks) const {
  return kind_ != Kind::list || reaches_everyone(ranks, one_per_round(for_ranks(ranks)));
}

int CirculantSkips::rounds(int ranks) const { return reach_everyone(ranks) ? circulant_plan(ranks, *this).steps() : 0; }

SkipPlan circulant_plan(int ranks, const CirculantSkips& skips) {
  const std::vector<int> falling = skips.for_ranks(ranks);
  const SkipRounds rounds = one_per_round(falling);
  const Horizons horizons = falling_horizons(ranks, falling);
  return reaches_everyone(ranks, rounds, horizons) ? SkipPlan(ranks, rounds, horizons) : SkipPlan(ranks, rounds);
}

std::shared_ptr<const SkipPlan> shared_circulant_plan(Communicator& comm, const CirculantSkips& skips) {
  const int p = comm.size();
  return comm.shared_plan<SkipPlan>("circulant, skips " + skips.name(), [&] {
    if (!skips.reach_everyone(p))
      throw UsageError(fmt::format("circulant: it needs skips that reach every rank, and {} do not reach {}", skips.name(), p));
    return circulant_plan(p, skips);
  });
}

SkipRelay::SkipRelay(const SkipPlan& skips) : ranks_(skips.ranks()), rounds_(static_cast<std::size_t>(skips.steps())) {
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
        append_part<ConstVectorView>(sent, block.sets_out ? blocks.block(outgoing, moved_by(rank, block.offset, p))
                                                          : ConstVectorView(place(block.offset, block.hops)));
        append_part(received, place(block.offset, block.hops - 1));
      }
      requests.push_back(comm.irecv(Rank(moved_by(rank, -send.skip, p)), received));
      requests.push_back(comm.isend(Rank(moved_by(rank, send.skip, p)), sent));
    }
    comm.wait_all(requests);
  }
}

}  // namespace heddle::plans

namespace heddle {

namespace {

using plans::CirculantSkips;

std::string_view rounds_text(CirculantSkips::Kind kind, bool twice) {
  switch (kind) {
    case CirculantSkips::Kind::halving:
    case CirculantSkips::Kind::power_of_two:
      return twice ? "2⌈log2 p⌉" : "⌈log2 p⌉";
    case CirculantSkips::Kind::sqrt:
      return twice ? "about 2√p + log2 p" : "about √p + ½·log2 p";
    case CirculantSkips::Kind::linear:
      return twice ? "2(p-1)" : "p-1";
    case CirculantSkips::Kind::list:
      return twice ? "twice as many as skips" : "as many as skips";
  }
  return {};
}

CirculantSkips skips_of(const Options& options) { return CirculantSkips::parse(options.text("skips")); }

/// What the entries of reduce_scatter, allgather and allreduce say. `phases` is 1 for once through the skips, 2 for forwards and
/// backwards.
Algorithm circulant_facts(const CirculantSkips& skips, Collective collective, int phases, std::string_view summary,
                          std::string_view source) {
  Needs needs{.commutative = reduces(collective) && skips.kind() != CirculantSkips::Kind::linear};
  if (skips.kind() == CirculantSkips::Kind::list) {
    needs.more = "skips of which every distance between ranks is a sum";
    needs.has_more = [skips](const Shape& shape) { return skips.reach_everyone(shape.ranks); };
  }
  return {.name = "circulant",
          .summary = summary,
          .source = source,
          .needs = std::move(needs),
          .rounds = {rounds_text(skips.kind(), phases == 2),
                     [skips, phases](const Shape& shape) { return phases * skips.rounds(shape.ranks); }},
          .bytes = phases == 2 ? formulas::all_blocks_twice() : formulas::other_blocks_once(),
          .block_count = formulas::block_per_rank};
}

std::vector<Parameter> circulant_parameters() {
  return {{.name = "skips",
           .default_value = "halving",
           .meaning = "by how much messages go round in each round: halving, power_of_two, sqrt, linear (keeps rank "
                      "order), or a list such as 5+3+2+1",
           .examples = {"power_of_two", "sqrt", "linear", "5+3+2+1", "1+1+1+1+1+1"},
           .candidates = candidates_anywhere({"power_of_two", "sqrt", "linear"})}};
}

}  // namespace

}  // namespace heddle

namespace heddle::reduce_scatter {

// circulant: a reduce-scatter in ⌈log2 p⌉ rounds, for any p, with the fewest blocks that there can be.
//
// A rank names blocks by their offset, the way that they have to go: R[i] is its partial sum of block rank + i (modulo p, as
// all here). In a round with skip s every rank sends to rank + s all R[i] with i ≥ s that it still holds. There block rank + i
// has offset i - s, so what comes in from rank - s is added to R[0], R[1], …. The next skip is s halved, rounded up. After skip
// 1 only R[0] is left: the rank's own block, complete.
//
// The rounds, for rank r, all ranks and blocks modulo p. What runs has the skips from CirculantSkips and derives the offsets
// from them; a test holds that they are those of Algorithm 1.
//
//   s = p
//   while s > 1:   s', s = s, ⌈s/2⌉                                                                Algorithm 1
//                  R[s … s'-1] goes to r + s: blocks r + s … r + s'-1
//                  what comes from r - s is added to R[0 … s'-s-1]
//
// Picture, p = 7, the offsets that every rank holds and sends:
//
//   skip 4   holds 0 1 2 3 4 5 6   sends 4 5 6 to rank + 4, adds three blocks to 0 1 2
//   skip 2   holds 0 1 2 3         sends   2 3 to rank + 2, adds two to 0 1
//   skip 1   holds 0 1             sends     1 to rank + 1, adds one to 0
//   done     holds 0
//
// For each block the messages are a tree to its owner. At p = 22 the owner, rank 21, hears from 10, 15, 18, 19 and 20, which
// have added up 1, 2, 4, 6 and 8 contributions.
//
// Skips need not halve: those of any other list will do of which every offset is a sum (families/circulant.hpp).
// The rule above, the source's, needs a skip of at least half of what is held, because R[s] cannot be sent and added to at
// once; for other lists executors/skips.hpp finds which offsets go in which round.
//
// With linear skips, p-1 … 1, every rank sends each contribution straight to its owner, who hears from rank + 1, rank + 2, …,
// p-1, 0, …, rank - 1. Summed up in two parts, from its own on and from 0 on, they keep rank order.
//
// Rounds:  ⌈log2 p⌉ for halving and power_of_two; as many as skips.
// Bytes:   (p-1)/p · M sent by each rank, as many received and reduced.
// Time:    ⌈log2 p⌉ · α + (p-1)/p · M·β where routes share no links. If one block has all elements: up to ⌈log2 p⌉(α + M·β).
// Limits:  the op must be commutative but for linear skips. On a ring or torus long skips share links.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, Algorithm 1, Theorem 1, Corollaries 1 to 3.

namespace {

/// Linear skips: p-1 rounds, each with one contribution in it, straight from where it is.
void in_rank_order(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  const VectorView own = blocks.block(inout, rank);  // becomes the sum of rank … p-1
  Buffer from_below(own.type(), own.count());        // becomes the sum of 0 … rank-1
  Buffer incoming(own.type(), own.count());
  for (int skip = p - 1; skip >= 1; --skip) {
    const int to = plans::moved_by(rank, skip, p);
    const int from = plans::moved_by(rank, -skip, p);
    const VectorView into = from == 0 ? from_below.view() : incoming.view();
    std::vector<Request> requests;
    if (!own.empty()) requests.push_back(comm.irecv(Rank(from), into));
    if (const VectorView sent = blocks.block(inout, to); !sent.empty()) requests.push_back(comm.isend(Rank(to), sent));
    comm.wait_all(requests);
    if (own.empty() || from == 0) continue;
    comm.reduce_into(from > rank ? own : from_below.view(), into, op, Side::right);
  }
  if (rank > 0 && !own.empty()) comm.reduce_into(own, from_below.view(), op, Side::left);
}

}  // namespace

void circulant(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op,
               const plans::CirculantSkips& skips) {
  const bool linear = skips.kind() == plans::CirculantSkips::Kind::linear;
  if (linear) return in_rank_order(comm, inout, blocks, op);
  const auto plan = plans::shared_circulant_plan(comm, skips);
  plans::BlockExchange(comm, *plan, inout, blocks).reduce_scatter(op);
}

namespace {

Algorithm circulant_entry(const Options& options) {
  const plans::CirculantSkips skips = skips_of(options);
  return entry(
      circulant_facts(
          skips, Collective::reduce_scatter, 1,
          "Partial sums of half of the offsets after the other, on skips that halve from p to 1; any p in fewest rounds.",
          "[traeff] §2.1, Algorithm 1"),
      with(circulant, skips));
}

}  // namespace

std::vector<Algorithm> circulant_entries() { return {configurable(circulant_parameters(), circulant_entry)}; }

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

// circulant: an allgather in ⌈log2 p⌉ rounds, for any p: the circulant reduce-scatter backwards.
//
// There, blocks went to their owner by skips that fell from ⌈p/2⌉ to 1, and sums met on the way. Here the skips rise from 1,
// and copies part where sums met: a rank holds the blocks rank, rank + 1, … up to the skip (modulo p), asks rank + skip for as
// many behind them as it needs, and passes its own first ones to rank - skip.
//
// Picture, p = 7, the offsets of the blocks that every rank holds and gets:
//
//   skip 1   holds 0               gets 1 from rank + 1
//   skip 2   holds 0 1             gets 2 3 from rank + 2
//   skip 4   holds 0 1 2 3         gets 4 5 6 from rank + 4
//   done     holds 0 1 2 3 4 5 6
//
// The other lists of skips (families/circulant.hpp) work backwards, too; power_of_two is Bruck's allgather.
//
// Rounds:  ⌈log2 p⌉ for halving and power_of_two; as many as skips.
// Bytes:   (p-1)/p · M sent by each rank and as many received.
// Time:    ⌈log2 p⌉ · α + (p-1)/p · M·β where routes share no links.
// Limits:  on a ring or torus long skips share links, and they come last, with the most blocks.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §2.2, Algorithm 2's second phase.

namespace {

void circulant(Communicator& comm, VectorView vector, const BlockPartition& blocks, const plans::CirculantSkips& skips) {
  const auto plan = plans::shared_circulant_plan(comm, skips);
  plans::BlockExchange(comm, *plan, vector, blocks).allgather();
}

Algorithm circulant_entry(const Options& options) {
  const plans::CirculantSkips skips = skips_of(options);
  return entry(circulant_facts(skips, Collective::allgather, 1,
                               "The circulant reduce-scatter backwards, on skips that double up to p; any p in fewest rounds.",
                               "[traeff] §2.2, Algorithm 2"),
               with(circulant, skips));
}

}  // namespace

std::vector<Algorithm> circulant_entries() { return {configurable(circulant_parameters(), circulant_entry)}; }

}  // namespace heddle::allgather

namespace heddle::allreduce {

// circulant: the circulant reduce-scatter, then the circulant allgather, for any p with the fewest blocks that there can be.
//
// The vector is cut into p blocks. On skips that halve from p to 1 every rank sums up its own block,
// and on the same skips backwards it gets all others.
//
// The rounds, for rank r, all ranks and blocks modulo p. R[i] is block r + i; a test holds that what runs sends these.
//
//   s = p
//   while s > 1:   s', s = s, ⌈s/2⌉                                                                Algorithm 2
//                  R[s … s'-1] goes to r + s; what comes from r - s is added to R[0 … s'-s-1]
//   while s < p:   s' = the skip before s, p before the first
//                  R[0 … s'-s-1] goes to r - s; what comes from r + s is R[s … s'-1];   s = s'
//
// Picture, p = 5: the offsets of the blocks (block - rank, modulo p) that every rank holds.
//
//   start    0 1 2 3 4
//   skip 3   0 1 2         sends 3 4 to rank + 3
//   skip 2   0 1           sends   2 to rank + 2
//   skip 1   0             sends   1 to rank + 1
//   skip 1   0 1           gets    1 from rank + 1
//   skip 2   0 1 2         gets    2 from rank + 2
//   skip 3   0 1 2 3 4     gets  3 4 from rank + 3
//
// Rounds:  2⌈log2 p⌉ for halving and power_of_two; twice as many as skips.
// Bytes:   2(p-1)/p · M sent by each rank and as many received, (p-1)/p · M reduced: the least for any p.
// Time:    2⌈log2 p⌉ · α + 2(p-1)/p · M·β where routes share no links.
// Limits:  the op must be commutative but for linear skips. On a ring or torus long skips share links.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §2.2, Algorithm 2, Theorem 2.

namespace {

void circulant(Communicator& comm, VectorView inout, const ReduceOp& op, const plans::CirculantSkips& skips) {
  const BlockPartition blocks(inout.count(), comm.size());
  reduce_scatter::circulant(comm, inout, blocks, op, skips);
  allgather::circulant(comm, inout, blocks, skips);
}

Algorithm circulant_entry(const Options& options) {
  const plans::CirculantSkips skips = skips_of(options);
  return entry(
      circulant_facts(skips, Collective::allreduce, 2,
                      "Reduce-scatter and allgather on skips that halve from p to 1: fewest rounds and least bytes for any p.",
                      "[traeff] §2.2, Algorithm 2"),
      with(circulant, skips));
}

}  // namespace

std::vector<Algorithm> circulant_entries() { return {configurable(circulant_parameters(), circulant_entry)}; }

}  // namespace heddle::allreduce

namespace heddle::alltoall {

// circulant: an alltoall in ⌈log2 p⌉ rounds for any p: the circulant reduce-scatter with blocks put side by side.
//
// There every rank's contribution to the block of rank + o went there by the skips that o is a sum of, and was added to others
// on the way. Here the contributions stay apart: each rank's block for rank + o takes the same way, and whoever goes the same
// way goes in the same message (families/circulant.hpp).
//
// Picture, p = 7, skips 4, 2, 1: how far the blocks that every rank sends have to go, from the rank they are of.
//
//   skip 4    4 5 6
//   skip 2    2 3 6
//   skip 1    1 3 5
//
// Rounds:  ⌈log2 p⌉.
// Bytes:   a block for each skip on the way of each distance: ½·log2 p · M at a power of two, less elsewhere.
// Time:    log2 p · (α + M/2·β) at a power of two, where routes share no links.
// Limits:  blocks must have one size, as ranks that pass them on know no others. For short blocks: on average each moves ½·log2
//          p times.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §1 and §4.

namespace {

void circulant(Communicator& comm, ConstVectorView outgoing, const BlockPartition&, VectorView incoming,
               const BlockPartition&) {
  const auto relay = comm.shared_plan<plans::SkipRelay>(
      "circulant", [&] { return plans::SkipRelay(plans::circulant_plan(comm.size(), plans::CirculantSkips())); });
  plans::relay_alltoall(comm, *relay, outgoing, incoming);
}

std::int64_t circulant_bytes(const Shape& shape) {
  const plans::SkipRelay relay(plans::circulant_plan(shape.ranks, plans::CirculantSkips()));
  return formulas::times(shape.bytes, relay.blocks_sent(), shape.ranks);
}

}  // namespace

std::vector<Algorithm> circulant_entries() {
  return {entry({.name = "circulant",
                 .summary = "Blocks go their ways by skips that halve from p to 1, together with others on the same skip.",
                 .source = "[traeff] §1, §4",
                 .needs = {.equal_blocks = true},
                 .rounds = formulas::log2_rounds(),
                 .bytes = {"skips on the ways 1 … p-1 · M/p; log2 p · M/2 at powers of two", circulant_bytes},
                 .block_count = formulas::block_per_rank},
                circulant)};
}

}  // namespace heddle::alltoall
