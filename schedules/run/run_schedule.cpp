// SPDX-License-Identifier: Apache-2.0
#include "schedules/run/run_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "heddle/errors.hpp"

namespace heddle {

namespace {

/// Tags from here on are signals between the strands of a rank; below are channels.
constexpr int kFirstSignal = 1 << 24;

using Pieces = std::vector<VectorView>;

std::int64_t elements(const Pieces& pieces) {
  std::int64_t count = 0;
  for (const VectorView& piece : pieces) count += piece.count();
  return count;
}

/// Calls `use(a, b)` for parts of two lists of pieces that are as long as each other, cut where either is.
template <class Use>
void for_each_part(const Pieces& as, const Pieces& bs, const Use& use) {
  std::size_t b = 0;
  std::int64_t used = 0;  // of bs[b]
  for (const VectorView& whole : as) {
    for (std::int64_t done = 0; done < whole.count();) {
      const std::int64_t count = std::min(whole.count() - done, bs[b].count() - used);
      use(whole.slice(done, count), bs[b].slice(used, count));
      done += count;
      used += count;
      if (used == bs[b].count()) ++b, used = 0;
    }
  }
}

/// One strand of a rank, on a task of its own.
class StrandRunner {
 public:
  StrandRunner(const CompiledSchedule& schedule, int rank, int strand, const ChunkGeometry& geometry,
               const Workspace& workspace, const CollectiveArguments& call, Communicator& comm)
      : schedule_(schedule),
        strand_(schedule.program().strand(rank, strand)),
        awaited_(schedule.signals(rank).awaited[static_cast<std::size_t>(strand)]),
        raised_(schedule.signals(rank).raised[static_cast<std::size_t>(strand)]),
        geometry_(geometry),
        workspace_(workspace),
        op_(call.op),
        in_place_(call.in_place()),
        comm_(comm),
        place_{rank, strand, 0} {}

  void run() {
    const auto steps = static_cast<std::int32_t>(strand_.steps.size());
    for (place_.step = 0; place_.step < steps; ++place_.step) {
      const Step& step = strand_.steps[static_cast<std::size_t>(place_.step)];
      if (const std::int32_t signal = awaited_[static_cast<std::size_t>(place_.step)]; signal >= 0) await(signal);
      if (step.kind != StepKind::nop) make(step);
      raise_after(place_.step);
    }
    comm_.wait_all(signals_);
  }

 private:
  // ---- what strands tell each other ----

  void await(std::int32_t signal) { comm_.recv(comm_.rank(), VectorView(), Tag(kFirstSignal + signal)); }

  void raise_after(std::int32_t step) {
    for (; next_raised_ < raised_.size() && raised_[next_raised_].step == step; ++next_raised_)
      signals_.push_back(comm_.isend(comm_.rank(), ConstVectorView(), Tag(kFirstSignal + raised_[next_raised_].signal)));
  }

  // ---- steps ----

  void make(const Step& step) {
    const Pieces source =
        reads_source(step.kind) ? workspace_.pieces(step.source, step.chunks, schedule_.sizes().source_of(place_)) : Pieces();
    const Pieces target =
        writes_target(step.kind) ? workspace_.pieces(step.target, step.chunks, schedule_.sizes().target_of(place_)) : Pieces();
    switch (step.kind) {
      case StepKind::send:
        return send(source);
      case StepKind::receive:
        return receive_into(target, step);
      case StepKind::copy:
        return for_each_part(target, source, [this](VectorView into, VectorView from) { comm_.copy(into, from); });
      case StepKind::reduce:
        return for_each_part(target, source,
                             [this](VectorView into, VectorView from) { comm_.reduce_into(into, from, *op_, Side::right); });
      case StepKind::receive_copy_send:
        wait_for_room(target);
        receive_into(target, step);
        return send(target);
      case StepKind::receive_reduce_copy:
        return receive_reduced(source, target, step);
      case StepKind::receive_reduce_copy_send:
        wait_for_room(target);
        receive_reduced(source, target, step);
        return send(target);
      case StepKind::receive_reduce_send: {
        wait_for_room(source);
        const Pieces sum = receive_aside(elements(source), step.chunks);
        reduce_left(sum, source);
        return send(sum);
      }
      case StepKind::nop:
        return;
    }
  }

  /// NCCL's primitives keep what has come where it is until there is room for what goes.
  void wait_for_room(const Pieces& data) {
    if (elements(data) > 0) comm_.wait_for_room(peer(strand_.send_to), Tag(strand_.channel));
  }

  void send(const Pieces& data) {
    if (elements(data) == 0) return;
    const std::vector<ConstVectorView> pieces(data.begin(), data.end());
    comm_.wait(comm_.isend(peer(strand_.send_to), pieces, Tag(strand_.channel)));
  }

  void receive(const Pieces& into) {
    if (elements(into) == 0) return;
    comm_.wait(comm_.irecv(peer(strand_.receive_from), into, Tag(strand_.channel)));
  }

  /// What comes, in memory of the strand's own.
  Pieces receive_aside(std::int64_t count, std::int32_t chunks) {
    if (count == 0) return {};
    if (!incoming_ || incoming_->view().count() < chunks * geometry_.longest()) incoming_.emplace(workspace_.incoming(chunks));
    Pieces pieces{incoming_->view().slice(0, count)};
    receive(pieces);
    return pieces;
  }

  /// An open receive poisons its memory. What others still use, and only the message comes after, is written once it is there: at no
  /// cost, as a machine writes it once as well.
  void receive_into(const Pieces& target, const Step& step) {
    if (!schedule_.is_early(place_, in_place_)) return receive(target);
    const Pieces incoming = receive_aside(elements(target), step.chunks);
    for_each_part(target, incoming,
                  [](VectorView into, VectorView from) { std::memcpy(into.data(), from.data(), from.size_bytes()); });
  }

  /// target = source ∘ what comes.
  void receive_reduced(const Pieces& source, const Pieces& target, const Step& step) {
    // Two names may be one memory. What lies there in part is a race, and does not come this far.
    if (!source.empty() && source.front().data() == target.front().data()) {
      const Pieces incoming = receive_aside(elements(source), step.chunks);
      return for_each_part(target, incoming,
                           [this](VectorView into, VectorView from) { comm_.reduce_into(into, from, *op_, Side::right); });
    }
    // Into place, and the source added to it: nothing is copied.
    receive_into(target, step);
    reduce_left(target, source);
  }

  /// into = from ∘ into.
  void reduce_left(const Pieces& into, const Pieces& from) {
    for_each_part(into, from, [this](VectorView sum, VectorView part) { comm_.reduce_into(sum, part, *op_, Side::left); });
  }

  Rank peer(std::int32_t scheduled) const { return Rank(geometry_.called_rank(scheduled)); }

  const CompiledSchedule& schedule_;
  const Strand& strand_;
  const std::vector<std::int32_t>& awaited_;
  const std::vector<Signals::Raised>& raised_;
  const ChunkGeometry& geometry_;
  const Workspace& workspace_;
  const ReduceOp* op_;
  const bool in_place_;
  Communicator& comm_;
  StepPlace place_;
  std::optional<Buffer> incoming_;
  std::size_t next_raised_ = 0;
  std::vector<Request> signals_;
};

}  // namespace

void run_schedule(const CompiledSchedule& schedule, Communicator& comm, const CollectiveArguments& call) {
  const ScheduleProgram& program = schedule.program();
  if (comm.size() != program.size())
    throw UsageError(fmt::format("{}: a schedule for {} ranks, called by {}", program.name, program.size(), comm.size()));
  const std::int64_t count = std::max(call.input.count(), call.output.count());
  const ChunkGeometry geometry(program, count, call.blocks, call.root.value());
  const int rank = geometry.scheduled_rank(comm.rank().value());
  // Whoever has one vector alone cannot see whether the call is in place: others say it where that makes the race.
  const std::string& race = schedule.race(call.in_place());
  if (!race.empty() && count > 0 && (program.has_both(rank) || race == schedule.race(!call.in_place()))) throw UsageError(race);
  if (!schedule.sizes().mixed().empty() && !geometry.are_equal())
    throw UsageError(fmt::format("{}, and here the two differ in length", schedule.sizes().mixed()));
  Workspace workspace(comm, schedule, geometry, call);
  const auto strands = static_cast<int>(program.ranks[static_cast<std::size_t>(rank)].strands.size());
  comm.concurrently_shared(strands, [&](int strand, Communicator& task) {
    StrandRunner(schedule, rank, strand, geometry, workspace, call, task).run();
  });
  workspace.finish(comm);
}

}  // namespace heddle
