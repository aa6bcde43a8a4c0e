// SPDX-License-Identifier: Apache-2.0
// A collective's schedule as data: for each rank, what its threads do one after the other. Nobody's code is in it, so it can be read
// from a file, written to one, checked before it runs (schedules/program/analysis.hpp) and run on any Communicator (schedules/run).
//
// The vector is cut into chunks; each rank has three buffers of chunks:
//
//   collective               chunks of the whole vector   input of rank r             output of rank r
//   broadcast, allreduce,    c                            0 … c-1                     0 … c-1
//   reduce
//   allgather, gather        c = p·b                      b: r·b … r·b+b-1            c
//   reduce_scatter, scatter  c = p·b                      c                           b: r·b … r·b+b-1
//   alltoall                 c = p·b                      c: b for each destination   c: b from each source
//
// and scratch, as many as the rank asks for. In place (`in_place`), input and output are one vector, as Collective has it.
//
// The model is that of MSCCL (Cowan et al., MSCCLang, ASPLOS '23): a strand is a thread block. It runs its steps in order, sends to
// at most one rank and receives from at most one, on one channel; the messages of two ranks on one channel arrive in order. A step
// may wait for a step of another strand of its rank.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/collective.hpp"

namespace heddle {

enum class StepKind : std::uint8_t {
  send,                      ///< source -> the strand's send peer
  receive,                   ///< from the receive peer -> target
  copy,                      ///< target = source
  reduce,                    ///< target = target ∘ source
  receive_reduce_copy,       ///< target = source ∘ what comes
  receive_reduce_send,       ///< source ∘ what comes -> the send peer; nothing is kept
  receive_copy_send,         ///< target = what comes, which goes on to the send peer
  receive_reduce_copy_send,  ///< target = source ∘ what comes, which goes on to the send peer
  nop                        ///< waits for another strand, and does nothing
};

bool sends(StepKind kind);
bool receives(StepKind kind);
/// Both, in one step.
inline bool is_fused(StepKind kind) { return receives(kind) && sends(kind); }
bool reduces(StepKind kind);
/// Whether it uses the chunks that `source`, or `target`, names.
bool reads_source(StepKind kind);
bool writes_target(StepKind kind);

enum class ChunkBuffer : std::uint8_t { input, output, scratch };

/// Chunks first … first + Step::chunks - 1 of a buffer.
struct ChunkPlace {
  ChunkBuffer buffer = ChunkBuffer::input;
  std::int32_t first = 0;

  bool operator==(const ChunkPlace&) const = default;
};

struct Step {
  StepKind kind = StepKind::nop;
  ChunkPlace source = {};
  ChunkPlace target = {};
  std::int32_t chunks = 1;
  std::int32_t after_strand = -1;  ///< it begins when step `after_step` of this strand (by place) has ended; -1: at once
  std::int32_t after_step = -1;
  std::int32_t line = 0;  ///< of the file that it was read from; 0: of none
};

struct Strand {
  std::int32_t id = 0;        ///< as it is called in texts
  std::int32_t send_to = -1;  ///< rank; -1: it does not send
  std::int32_t receive_from = -1;
  std::int32_t channel = 0;
  std::vector<Step> steps = {};
};

/// A chunk of the input that is in the output as well when the schedule begins, at no cost: what a library does before its kernel runs.
struct StartCopy {
  std::int32_t input = 0;
  std::int32_t output = 0;
  std::int32_t line = 0;  ///< as Step::line
};

struct RankSchedule {
  std::int32_t scratch_chunks = 0;
  std::vector<StartCopy> copies = {};
  std::vector<Strand> strands = {};
};

/// Which calls a schedule was made for. One that serves only the other kind gets a vector of its own to work on.
struct PlaceModes {
  bool in_place = true;
  bool out_of_place = true;
};

/// Which calls the file says it is for, in bytes, as MSCCL's scheduler counts them: of the whole vector, of a gather and a scatter of one
/// rank's block.
struct SizeRange {
  std::int64_t least = 0;
  std::int64_t most = 0;  ///< 0: no bound

  bool holds(std::int64_t bytes) const { return bytes >= least && (most == 0 || bytes <= most); }
};

/// Where a step is: rank, strand by place, step by place.
struct StepPlace {
  std::int32_t rank = 0;
  std::int32_t strand = 0;
  std::int32_t step = 0;

  bool operator==(const StepPlace&) const = default;
};

struct ScheduleProgram {
  std::string name = {};
  std::string file = {};  ///< that it was read from; empty: none
  Collective collective = Collective::allreduce;
  std::int32_t chunks = 1;  ///< of the whole vector
  PlaceModes modes = {};
  SizeRange sizes = {};
  int root = 0;  ///< that it was made for, of a collective that has one; another root turns the ranks round
  std::vector<RankSchedule> ranks = {};

  int size() const { return static_cast<int>(ranks.size()); }
  /// Of one rank's block, of a collective that has blocks; else all.
  std::int32_t chunks_of_block() const;
  /// How many chunks a buffer of rank r has.
  std::int32_t chunks_in(int rank, ChunkBuffer buffer) const;
  /// How many chunks of its input rank r's caller gives it: none where only the root gives some.
  std::int32_t given_chunks(int rank) const;
  /// Whether the collective gives rank r both an input and an output: a leaf of a gather has no output. Only such a rank sees whether
  /// a call is in place.
  bool has_both(int rank) const;
  /// Whether input and output of rank r are one memory in a call that is in place, or not: i[0] and o[0] are then two names of it.
  bool is_one_vector(int rank, bool in_place) const;
  std::int64_t steps() const;
  const Strand& strand(int rank, std::int32_t strand) const {
    return ranks[static_cast<std::size_t>(rank)].strands[static_cast<std::size_t>(strand)];
  }
  const Step& step(StepPlace place) const {
    return strand(place.rank, place.strand).steps[static_cast<std::size_t>(place.step)];
  }
};

/// "ring.xml:17: gpu 0, tb 1, step 3", without the file where there is none: how messages name a step.
std::string step_text(const ScheduleProgram& program, StepPlace place);
/// "taccl.xml:3: gpu 0, copy 1".
std::string copy_text(const ScheduleProgram& program, std::int32_t rank, std::int32_t copy);
/// "i[3]", "s[0..7]".
std::string chunks_text(ChunkPlace place, std::int32_t chunks);
/// MSCCL's letters: "s", "r", "cpy", "re", "rrc", "rrs", "rcs", "rrcs", "nop".
std::string_view code_of(StepKind kind);
/// 'i', 'o', 's'.
char letter_of(ChunkBuffer buffer);

/// Throws InputError, with the step's place, for what no run can be right with: a peer, a strand, a step or chunks that there are not, a
/// channel that two strands of a rank send or receive on, a step that needs a peer that its strand has not, a reduction in a
/// collective that has none, messages of two ranks that do not pair or differ in chunks, a copy from or to a chunk that there is not, two
/// copies to one chunk, and a copy that moves something in a call where input and output are one vector.
void require_valid(const ScheduleProgram& program);

// Who sends to whom in a schedule: a connection is what one strand sends and another receives, in order.

class Connections {
 public:
  static constexpr std::int32_t kNone = -1;

  struct Ends {
    std::int32_t sender = kNone;  ///< strand, numbered through all ranks; none: nobody sends
    std::int32_t receiver = kNone;
  };

  /// Throws InputError where two strands of a rank send to one rank on one channel, or receive so.
  explicit Connections(const ScheduleProgram& program);

  /// Strands are numbered through all ranks, in their order.
  std::int32_t strands() const { return static_cast<std::int32_t>(rank_of_.size()); }
  std::int32_t strand(std::int32_t rank, std::int32_t strand) const { return first_[static_cast<std::size_t>(rank)] + strand; }
  std::int32_t rank_of(std::int32_t strand) const { return rank_of_[static_cast<std::size_t>(strand)]; }
  std::int32_t place_in_rank(std::int32_t strand) const { return strand - first_[static_cast<std::size_t>(rank_of(strand))]; }

  /// The connection that a strand sends on, or receives on; kNone.
  std::int32_t sends_on(std::int32_t strand) const { return sends_on_[static_cast<std::size_t>(strand)]; }
  std::int32_t receives_on(std::int32_t strand) const { return receives_on_[static_cast<std::size_t>(strand)]; }

  const std::vector<Ends>& all() const { return connections_; }

 private:
  std::vector<std::int32_t> first_;  ///< by rank
  std::vector<std::int32_t> rank_of_;
  std::vector<std::int32_t> sends_on_;
  std::vector<std::int32_t> receives_on_;
  std::vector<Ends> connections_;
};

}  // namespace heddle
