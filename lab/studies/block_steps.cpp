// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/block_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "emu/check/checked_calls.hpp"
#include "emu/explain/traced_run.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

using emu::CallLayout;
using emu::Contributions;
using emu::LoggedMessage;
using emu::Term;
using emu::ValueId;

constexpr int kMostFollowed = 256;
constexpr std::int64_t kMostBlocks = 1024;
constexpr std::int64_t kMostCells = 128 * 1024;  // ranks times blocks
constexpr int kNever = std::numeric_limits<int>::max();

/// The least that the algorithm tells apart, but no more than there is.
std::int64_t elements_of(const Setup& setup, const Algorithm& algorithm) {
  if (!setup.blocks.empty()) return setup.count;
  const Shape shape = setup.shape();
  std::int64_t block_count = std::lcm(setup.counts_block_count(), std::max<std::int64_t>(1, block_count_of(algorithm, shape)));
  if (has_blocks(setup.asked.collective) && setup.sends.empty()) block_count = std::lcm(block_count, std::int64_t{shape.ranks});
  return std::min(block_count, setup.count);
}

void require_possible(const Setup& setup, std::int64_t elements) {
  if (setup.asked.collective == Collective::barrier) throw InputError("a barrier moves no data");
  if (!setup.groups.empty()) throw InputError("several groups call at once; run one of them alone");
  if (setup.ranks() > kMostFollowed)
    throw InputError(fmt::format("{} ranks; at most {} are followed", setup.ranks(), kMostFollowed));
  if (elements == 0) throw InputError("there is no data");
  if (elements > kMostBlocks || elements * setup.ranks() > kMostCells)
    throw InputError(fmt::format("{} blocks on each of {} ranks; at most {} blocks, and {} in all, are followed", elements,
                                 setup.ranks(), kMostBlocks, kMostCells));
}

/// Which block of a rank's result a value belongs to, and how much of it there is.
class Blocks {
 public:
  Blocks(const Contributions& contributions, const CallLayout& layout) : contributions_(contributions), layout_(layout) {}

  struct Part {
    int block;
    int terms;
  };
  /// No value: to none, or what is in it is not known.
  std::optional<Part> part_of(ValueId value, int rank) const {
    const std::optional<Term> term = first_term(value);
    if (!term) return std::nullopt;
    if (layout_.collective() != Collective::alltoall) return Part{static_cast<int>(term->element), terms_of(value)};
    const Rank source(term->rank);
    const std::int64_t inside = term->element - layout_.offset(source, rank);
    if (inside < 0 || inside >= layout_.size(source, rank)) return std::nullopt;
    return Part{static_cast<int>(layout_.received_offset(Rank(rank), term->rank) + inside), 1};
  }
  /// As messages name it: of an alltoall by its source.
  std::optional<int> name_of(ValueId value) const {
    const std::optional<Term> term = first_term(value);
    if (!term) return std::nullopt;
    return layout_.collective() == Collective::alltoall ? term->rank : static_cast<int>(term->element);
  }

 private:
  std::optional<Term> first_term(ValueId value) const {
    if (value == Contributions::kUnknown) return std::nullopt;
    const std::vector<Term> terms = contributions_.sequence(value, 1);
    if (terms.empty() || terms.front().kind != Term::Kind::contribution) return std::nullopt;
    return terms.front();
  }
  int terms_of(ValueId value) const {
    if (!contributions_.is_sum(value)) return 1;
    const auto [known, is_new] = terms_.try_emplace(value, 0);
    if (is_new) known->second = static_cast<int>(contributions_.count_terms(value).size());
    return known->second;
  }

  const Contributions& contributions_;
  const CallLayout& layout_;
  mutable std::unordered_map<ValueId, int> terms_;
};

/// The values of one rank: from which round on it has them.
class Holdings {
 public:
  explicit Holdings(const Contributions& contributions) : contributions_(contributions) {}

  void begin_with(ValueId value) { since_[value] = 0; }
  void receive(ValueId value, int round) {
    const auto [known, is_new] = since_.try_emplace(value, round);
    if (!is_new) known->second = std::min(known->second, round);
  }
  /// It has been seen with it: made of what it had, or not to be explained.
  void make(ValueId value) { made_.push_back(value); }

  /// Once all is known.
  template <class Use>
  void for_each(const Use& use) {
    for (const ValueId value : made_) since(value);
    for (const auto& [value, round] : since_)
      if (round != kNever) use(value, round);
  }

 private:
  int since(ValueId value) {
    if (const auto known = since_.find(value); known != since_.end()) return known->second;
    int round = kNever;
    if (contributions_.is_sum(value)) {
      const Contributions::Parts parts = contributions_.parts(value);
      round = std::max(since(parts.left), since(parts.right));
    }
    since_[value] = round;
    return round;
  }

  const Contributions& contributions_;
  std::unordered_map<ValueId, int> since_;
  std::vector<ValueId> made_;
};

class Following {
 public:
  Following(const CallLayout& layout, const emu::TracedRun& run)
      : layout_(layout), run_(run), blocks_(run.contributions(), layout) {
    for (int r = 0; r < layout.ranks(); ++r) holdings_.emplace_back(run.contributions());
  }

  BlockSteps follow() {
    BlockSteps steps{.ranks = layout_.ranks(),
                     .blocks = static_cast<int>(layout_.count()),
                     .whole = reduces(layout_.collective()) ? layout_.ranks() : 1,
                     .by_source = layout_.collective() == Collective::alltoall};
    for (int r = 0; r < layout_.ranks(); ++r) {
      const emu::Extent output = layout_.output(Rank(r));
      steps.needed.push_back({steps.by_source ? 0 : static_cast<int>(output.first), static_cast<int>(output.count)});
      steps.blocks =
          std::max(steps.blocks, static_cast<int>(output.count));  // a hot rank of an alltoall gets more than it sends
    }
    note_inputs();
    for (const LoggedMessage& message : run_.messages()) note(message, steps);
    note_outputs();
    for (int r = 0; r < layout_.ranks(); ++r) add_gains(r, steps);
    return steps;
  }

 private:
  Holdings& of(int rank) { return holdings_[static_cast<std::size_t>(rank)]; }

  void note_inputs() {
    for (int r = 0; r < layout_.ranks(); ++r) {
      const emu::Extent input = layout_.input(Rank(r));
      for (std::int64_t e = input.first; e < input.first + input.count; ++e)
        of(r).begin_with(run_.contributions().name_of({Term::Kind::contribution, 0, r, e}));
    }
  }

  void note(const LoggedMessage& message, BlockSteps& steps) {
    if (message.source == message.dest) return;
    const auto round = static_cast<std::size_t>(message.round);
    if (steps.steps.size() < round) steps.steps.resize(round);
    BlockSteps::Move move{message.source, message.dest};
    for (const LoggedMessage::Carried& carried : message.carried) {
      if (message.source >= 0) of(message.source).make(carried.value);
      if (message.dest >= 0 && message.received) of(message.dest).receive(carried.value, message.round);
      if (const std::optional<int> name = blocks_.name_of(carried.value)) move.blocks.push_back(*name);
    }
    std::ranges::sort(move.blocks);
    move.blocks.erase(std::unique(move.blocks.begin(), move.blocks.end()), move.blocks.end());
    steps.steps[round - 1].moves.push_back(std::move(move));
  }

  void note_outputs() {
    for (int r = 0; r < layout_.ranks(); ++r) {
      const ConstVectorView output = run_.output(0, Rank(r));
      for (std::int64_t i = 0; i < output.count(); ++i) of(r).make(run_.contributions().read(output.slice(i, 1).data()));
    }
  }

  /// Only what is more than the rank had of the block.
  void add_gains(int rank, BlockSteps& steps) {
    std::vector<std::pair<int, BlockSteps::Gain>> gains;  // by round
    of(rank).for_each([&](ValueId value, int round) {
      if (const auto part = blocks_.part_of(value, rank)) gains.push_back({round, {rank, part->block, part->terms}});
    });
    std::ranges::sort(gains, {}, [](const auto& gain) { return std::tuple(gain.first, gain.second.block, gain.second.terms); });
    std::vector<int> terms(static_cast<std::size_t>(steps.blocks));
    for (std::size_t i = 0; i < gains.size(); ++i) {
      const auto& [round, gain] = gains[i];
      const bool grows_at_once = i + 1 < gains.size() && gains[i + 1].first == round && gains[i + 1].second.block == gain.block;
      int& had = terms[static_cast<std::size_t>(gain.block)];
      if (grows_at_once || gain.terms <= had) continue;
      had = gain.terms;
      if (round == 0)
        steps.before.push_back(gain);
      else
        steps.steps[static_cast<std::size_t>(round) - 1].gains.push_back(gain);
    }
  }

  const CallLayout& layout_;
  const emu::TracedRun& run_;
  Blocks blocks_;
  std::vector<Holdings> holdings_;
};

}  // namespace

BlockSteps block_steps(const Setup& setup, const Algorithm& algorithm) {
  const std::int64_t elements = elements_of(setup, algorithm);
  require_possible(setup, elements);
  CollectiveCall call = setup.call(algorithm);
  call.count = call.sampled = elements;
  const std::vector<CallLayout> layouts{emu::layout_of(call, setup.ranks(), 0)};
  const emu::TracedCalls calls{.function = call.function,
                               .type = call.type,
                               .op = reduces(setup.asked.collective) ? setup.asked.op : nullptr,
                               .layouts = layouts,
                               .in_place = call.in_place};
  if (!Contributions::fits(calls.extent())) throw InputError("there are too many contributions to give each a name");
  EmulationSettings settings = setup.settings;
  settings.byte_scale = std::max(1.0, static_cast<double>(setup.count) / static_cast<double>(elements));
  settings.faults.worst.reset();  // it takes time alone
  emu::TracedRun run(calls, {.all = true});
  try {
    run.run(setup.fabric, setup.placement, settings);
  } catch (const CheckError& error) {
    throw InputError(fmt::format("a call of {} elements goes wrong: {}", elements, error.what()));
  }
  return Following(layouts.front(), run).follow();
}

}  // namespace heddle
