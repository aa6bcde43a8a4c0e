// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>

#include "schedules/program/analysis.hpp"

namespace heddle {

namespace {

constexpr std::int64_t kMostFollowed = std::int64_t{1} << 24;
constexpr std::size_t kMostRanksShown = 8;

/// The number of a content; 0: nothing.
using ContentId = std::int32_t;

struct Content {
  std::int64_t chunk = -1;           ///< of the whole vector; of an alltoall, of all that is sent
  std::vector<std::uint64_t> ranks;  ///< whose contributions, a bit each

  auto operator<=>(const Content&) const = default;
};

/// Each content once.
class Contents {
 public:
  Contents() { id_of({}); }

  ContentId id_of(Content content) {
    const auto [place, is_new] = ids_.try_emplace(std::move(content), static_cast<ContentId>(all_.size()));
    if (is_new) all_.push_back(&place->first);
    return place->second;
  }
  const Content& operator[](ContentId id) const { return *all_[static_cast<std::size_t>(id)]; }

 private:
  std::map<Content, ContentId> ids_;
  std::vector<const Content*> all_;
};

std::string ranks_text(const std::vector<std::uint64_t>& bits) {
  std::vector<std::size_t> ranks;
  for (std::size_t r = 0; r < bits.size() * 64; ++r) {
    if ((bits[r / 64] >> (r % 64) & 1) != 0) ranks.push_back(r);
  }
  const std::size_t shown = std::min(ranks.size(), kMostRanksShown);
  return fmt::format("{} {}{}", ranks.size() == 1 ? "gpu" : "gpus",
                     fmt::join(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     ranks.size() > shown ? fmt::format(" and {} more", ranks.size() - shown) : "");
}

class Follower {
 public:
  Follower(const ScheduleProgram& program, const Connections& connections, bool in_place)
      : program_(program),
        connections_(connections),
        memory_(program, in_place),
        in_place_(in_place),
        words_((static_cast<std::size_t>(program.size()) + 63) / 64),
        messages_(connections.all().size()) {
    for (std::int32_t rank = 0; rank < program.size(); ++rank) {
      chunks_.emplace_back(static_cast<std::size_t>(memory_.size(rank)), Chunk{});
      fill_input(rank);
      copy_at_start(rank);
    }
  }

  void take(StepPlace place) {
    const Step& step = program_.step(place);
    const std::int32_t number = connections_.strand(place.rank, place.strand);
    std::vector<ContentId> data;
    if (receives(step.kind)) {
      auto& waiting = messages_[static_cast<std::size_t>(connections_.receives_on(number))];
      data = std::move(waiting.front());
      waiting.pop_front();
    }
    for (std::int32_t i = 0; i < step.chunks && step.kind != StepKind::nop; ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (!receives(step.kind)) data.push_back(read(place.rank, step.source, i));
      if (step.kind == StepKind::reduce)
        data[at] = sum(place, read(place.rank, step.target, i), data[at]);
      else if (reduces(step.kind))
        data[at] = sum(place, read(place.rank, step.source, i), data[at]);
      if (writes_target(step.kind)) write(chunk(place.rank, step.target, i), {data[at], place});
    }
    if (sends(step.kind)) messages_[static_cast<std::size_t>(connections_.sends_on(number))].push_back(std::move(data));
  }

  std::string explanation() {
    std::string text = wrong_sum_;
    for (const std::string& more : {wrong_result(), changed_input()}) {
      if (!more.empty()) text += (text.empty() ? "" : "\n") + more;
    }
    return text;
  }

 private:
  /// The writer's place: a step, or, without a strand, a copy at the start; without a rank nobody.
  struct Chunk {
    ContentId content = 0;
    StepPlace writer = {-1, -1, -1};
    bool is_read = false;  ///< by a step
  };
  /// A content that a step has written over before any had read it.
  struct Lost {
    ContentId content;
    StepPlace by;
  };

  std::string writer_text(StepPlace writer) const {
    return writer.strand < 0 ? copy_text(program_, writer.rank, writer.step) : step_text(program_, writer);
  }

  Chunk& chunk(std::int32_t rank, ChunkPlace place, std::int32_t i) {
    return chunks_[static_cast<std::size_t>(rank)]
                  [static_cast<std::size_t>(memory_.index(rank, place.buffer, place.first + i))];
  }
  ContentId read(std::int32_t rank, ChunkPlace place, std::int32_t i) {
    Chunk& from = chunk(rank, place, i);
    from.is_read = true;
    return from.content;
  }
  void write(Chunk& into, const Chunk& what) {
    if (!into.is_read && into.content != 0 && into.content != what.content) lost_.push_back({into.content, what.writer});
    into = what;
  }

  std::vector<std::uint64_t> in_both(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) const {
    std::vector<std::uint64_t> both(words_, 0);
    for (std::size_t w = 0; w < words_; ++w) both[w] = a[w] & b[w];
    return both;
  }
  static bool is_any(const std::vector<std::uint64_t>& bits) {
    return std::ranges::any_of(bits, [](std::uint64_t word) { return word != 0; });
  }

  std::vector<std::uint64_t> bits_of(std::int32_t rank) const {
    std::vector<std::uint64_t> bits(words_, 0);
    bits[static_cast<std::size_t>(rank) / 64] = std::uint64_t{1} << (rank % 64);
    return bits;
  }
  std::vector<std::uint64_t> all_bits() const {
    std::vector<std::uint64_t> bits(words_, 0);
    for (std::int32_t r = 0; r < program_.size(); ++r) bits[static_cast<std::size_t>(r) / 64] |= std::uint64_t{1} << (r % 64);
    return bits;
  }

  /// What a chunk of a rank's input is called; of an alltoall, source, destination and place in the block.
  std::int64_t name_of_input(std::int32_t rank, std::int32_t index) const {
    if (program_.collective == Collective::alltoall) return std::int64_t{rank} * program_.chunks + index;
    return chunk_at(program_, rank, ChunkBuffer::input, index);
  }

  bool has_output(std::int32_t rank) const {
    const bool to_root = program_.collective == Collective::reduce || program_.collective == Collective::gather;
    return !to_root || rank == program_.root;
  }

  std::int32_t own_chunks(bool is_block) const { return is_block ? program_.chunks_of_block() : program_.chunks; }

  void fill_input(std::int32_t rank) {
    for (std::int32_t i = 0; i < program_.given_chunks(rank); ++i)
      chunk(rank, {ChunkBuffer::input, i}, 0).content = contents_.id_of({name_of_input(rank, i), bits_of(rank)});
  }

  /// In place, nothing moves (require_valid).
  void copy_at_start(std::int32_t rank) {
    if (program_.is_one_vector(rank, in_place_)) return;
    const std::vector<StartCopy>& copies = program_.ranks[static_cast<std::size_t>(rank)].copies;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const ContentId what = read(rank, {ChunkBuffer::input, copies[i].input}, 0);
      chunk(rank, {ChunkBuffer::output, copies[i].output}, 0) = {what, {rank, -1, static_cast<std::int32_t>(i)}};
    }
  }

  /// What a chunk of a rank's result has to hold.
  Content expected(std::int32_t rank, std::int32_t index) const {
    const std::int32_t block = program_.chunks_of_block();
    const std::int32_t chunk = chunk_at(program_, rank, ChunkBuffer::output, index);
    switch (program_.collective) {
      case Collective::broadcast:
      case Collective::scatter:
        return {chunk, bits_of(program_.root)};
      case Collective::allgather:
      case Collective::gather:
        return {chunk, bits_of(index / block)};
      case Collective::alltoall:
        return {std::int64_t{index / block} * program_.chunks + rank * block + index % block, bits_of(index / block)};
      default:
        return {chunk, all_bits()};
    }
  }

  ContentId sum(StepPlace place, ContentId one, ContentId other) {
    const Content& a = contents_[one];
    const Content& b = contents_[other];
    if (one == 0 || other == 0) {
      note(place, "reduces chunks into which nothing was put");
      return one == 0 ? other : one;
    }
    if (a.chunk != b.chunk) note(place, fmt::format("reduces chunk {} with chunk {}", a.chunk, b.chunk));
    Content both = a;
    const std::vector<std::uint64_t> twice = in_both(a.ranks, b.ranks);
    for (std::size_t w = 0; w < words_; ++w) both.ranks[w] |= b.ranks[w];
    if (a.chunk == b.chunk && is_any(twice))
      note(place, fmt::format("adds to chunk {} what {} gave, which is in it already", a.chunk, ranks_text(twice)));
    return contents_.id_of(std::move(both));
  }

  void note(StepPlace place, const std::string& text) {
    if (wrong_sum_.empty()) wrong_sum_ = fmt::format("{} {}", step_text(program_, place), text);
  }

  std::string wrong_result() {
    for (std::int32_t rank = 0; rank < program_.size(); ++rank) {
      if (!has_output(rank)) continue;
      const bool is_block = program_.collective == Collective::reduce_scatter || program_.collective == Collective::scatter;
      for (std::int32_t i = 0; i < own_chunks(is_block); ++i) {
        const Chunk& has = chunk(rank, {ChunkBuffer::output, i}, 0);
        const Content& is = contents_[has.content];
        const Content should = expected(rank, i);
        if (is == should) continue;
        return wrong_chunk(rank, i, is, should, has);
      }
    }
    return "";
  }

  std::string changed_input() {
    for (std::int32_t rank = 0; rank < program_.size(); ++rank) {
      if (program_.is_one_vector(rank, in_place_)) continue;
      for (std::int32_t i = 0; i < program_.given_chunks(rank); ++i) {
        const Chunk& has = chunk(rank, {ChunkBuffer::input, i}, 0);
        if (has.writer.rank < 0 || contents_[has.content] == Content{name_of_input(rank, i), bits_of(rank)}) continue;
        return fmt::format("{} writes {}, which stays as it was where input and output are two vectors",
                           writer_text(has.writer), chunks_text({ChunkBuffer::input, i}, 1));
      }
    }
    return "";
  }

  std::string wrong_chunk(std::int32_t rank, std::int32_t index, const Content& is, const Content& should,
                          const Chunk& has) const {
    std::string text = fmt::format("at the end {} of gpu {} holds ", chunks_text({ChunkBuffer::output, index}, 1), rank);
    if (is.chunk < 0) return text + "nothing: no step writes it";
    if (is.chunk != should.chunk) {
      text += fmt::format("chunk {} of {}, not chunk {}", is.chunk, ranks_text(is.ranks), should.chunk);
    } else {
      std::vector<std::uint64_t> missing(words_, 0);
      for (std::size_t w = 0; w < words_; ++w) missing[w] = should.ranks[w] & ~is.ranks[w];
      text += fmt::format("what {} gave, without {}", ranks_text(is.ranks), ranks_text(missing));
      return text + last_writer_text(has) + lost_text(should.chunk, missing);
    }
    return text + last_writer_text(has);
  }

  std::string last_writer_text(const Chunk& has) const {
    return has.writer.rank < 0 ? "; no step writes it" : fmt::format("; it was last written by {}", writer_text(has.writer));
  }

  /// The first step that has written over some of what is missing in a chunk's result; empty: none has.
  std::string lost_text(std::int64_t chunk, const std::vector<std::uint64_t>& missing) const {
    for (const Lost& lost : lost_) {
      const Content& content = contents_[lost.content];
      const std::vector<std::uint64_t> gone = in_both(content.ranks, missing);
      if (content.chunk != chunk || !is_any(gone)) continue;
      return fmt::format("\n{} writes over what {} gave to chunk {}, which no step had read", step_text(program_, lost.by),
                         ranks_text(gone), chunk);
    }
    return "";
  }

  const ScheduleProgram& program_;
  const Connections& connections_;
  const RankMemory memory_;
  const bool in_place_;
  const std::size_t words_;
  Contents contents_;
  std::vector<std::vector<Chunk>> chunks_;  ///< by rank
  std::vector<std::deque<std::vector<ContentId>>> messages_;
  std::string wrong_sum_;
  std::vector<Lost> lost_;  ///< in the order of the run
};

}  // namespace

bool is_content_known(const ScheduleProgram& program, const Execution& execution, bool in_place) {
  std::int64_t memory = 0;
  for (std::int32_t rank = 0; rank < program.size(); ++rank) memory += RankMemory(program, in_place).size(rank);
  const std::int64_t work = (static_cast<std::int64_t>(execution.order.size()) + memory) * (1 + program.size() / 64);
  return work <= kMostFollowed;
}

std::string explain_contents(const ScheduleProgram& program, const Connections& connections, const Execution& execution,
                             bool in_place) {
  if (!is_content_known(program, execution, in_place)) return "";
  Follower follower(program, connections, in_place);
  for (const StepPlace& place : execution.order) follower.take(place);
  return follower.explanation();
}

}  // namespace heddle
