// SPDX-License-Identifier: Apache-2.0
#include "emu/check/result_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emu/data/element_text.hpp"
#include "emu/record/failure.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kMostLines = 8;
constexpr int kMostSearches = 64;         // each looks at all ranks
constexpr std::int64_t kElements = 4096;  // that are looked at between two questions whether to stop
constexpr std::int64_t kTogether = 256;   // of a block, in which elements are rarely of two kinds

/// Follows one rank's wrong elements in order and finds out where they came from.
class FailureProvenance {
 public:
  FailureProvenance(VectorFailure& failure, ConstVectorView output, const ExpectedCall& call, const ExpectedCall* previous)
      : failure_(failure), output_(output), call_(call), previous_(previous) {}

  /// The next one. What has not held for all before it need not be known of it.
  void note(std::int64_t i) {
    const Rank rank = failure_.rank;
    const ConstVectorView element = output_.slice(i, 1);
    const std::int64_t before = noted_++;
    if (is_poison(element)) ++failure_.unwritten;
    if (failure_.untouched == before && call_.is_own_contribution(element, rank, i)) ++failure_.untouched;
    if (failure_.stale == before && previous_ != nullptr && previous_->would_be_right(element, rank, call_.layout(), i))
      ++failure_.stale;
    if (failure_.misplaced == before) note_place(i);
  }

 private:
  static bool is_poison(ConstVectorView element) {
    return std::all_of(element.data(), element.data() + element.size_bytes(), [](std::byte b) { return b == kOutputPoison; });
  }

  /// A misplaced block is recognised by its first wrong element; the others must agree.
  void note_place(std::int64_t i) {
    if (i >= known_until_) {
      const auto place = call_.place_of(failure_.rank, i);
      if (!place) return;
      const ConstVectorView element = output_.slice(i, 1);
      if (block_ != place->block) {
        block_ = place->block;
        from_.reset();
        if (searches_ < kMostSearches) from_ = find(element, *place);
      }
      if (!from_ || !is_from(element, *place, *from_)) return;
      const std::int64_t together = std::min(kTogether, output_.count() - i);
      if (const auto last = call_.place_of(failure_.rank, i + together - 1);
          last->block == block_ && is_from(output_.slice(i, together), *place, *from_))
        known_until_ = i + together;
    }
    ++failure_.misplaced;
    if (!failure_.first_misplaced) failure_.first_misplaced = from_;
    if (*failure_.first_misplaced != *from_) failure_.one_misplacement = false;
  }

  std::optional<Misplaced> find(ConstVectorView element, ExpectedCall::Place place) {
    ++searches_;
    const bool has_destinations = call_.layout().collective() == Collective::alltoall;
    for (const bool is_destination : {false, true}) {
      if (is_destination && !has_destinations) break;
      for (int other = 0; other < call_.layout().ranks(); ++other) {
        const Misplaced guess{place.block, other, is_destination};
        if (is_from(element, place, guess)) return guess;
      }
    }
    return std::nullopt;
  }

  bool is_from(ConstVectorView element, ExpectedCall::Place place, const Misplaced& guess) const {
    if (guess.is_destination) return call_.is_sent_to(element, place, Rank(guess.got));
    return call_.is_of_block(element, failure_.rank, {guess.got, place.k});
  }

  VectorFailure& failure_;
  const ConstVectorView output_;
  const ExpectedCall& call_;
  const ExpectedCall* previous_;
  std::int64_t noted_ = 0;
  int block_ = -1;                 ///< that the last element belongs to
  std::optional<Misplaced> from_;  ///< what is in that block instead
  std::int64_t known_until_ = 0;   ///< so far as is known
  int searches_ = 0;
};

/// What is wrong with an element, if some of it is right.
std::string detail_of(ConstVectorView element, Rank rank, std::int64_t i, const ExpectedCall& call,
                      const ExpectedCall* previous) {
  const std::optional<Buffer> expected = call.exact_output(rank, i);
  if (!expected) return "";
  Buffer poison(element.type(), 1);
  std::fill_n(poison.view().data(), poison.view().size_bytes(), kOutputPoison);
  Buffer zeros(element.type(), 1);
  std::fill_n(zeros.view().data(), zeros.view().size_bytes(), std::byte{0});
  const std::optional<Buffer> own = call.own_contribution(rank, i);
  const std::optional<Buffer> before =
      previous != nullptr && i < previous->layout().output(rank).count ? previous->exact_output(rank, i) : std::nullopt;
  std::vector<OtherElement> others = {{"still the poison, never written", poison.view()}};
  if (own) others.push_back({"those of the rank's own contribution", own->view()});
  if (before) others.push_back({"those of the call before", before->view()});
  others.push_back({"zero", zeros.view()});
  return difference_text(element, expected->view(), others);
}

std::string elements_text(const WrongElements& wrong) {
  std::string text = wrong.count == 1 ? "element " : "elements ";
  for (std::size_t i = 0; i < wrong.runs.size(); ++i)
    text += (i == 0 ? "" : ", ") + range_text(wrong.runs[i].first, wrong.runs[i].last);
  return wrong.more_runs ? text + ", …" : text;
}

std::string misplaced_text(const VectorFailure& failure) {
  const Misplaced& first = *failure.first_misplaced;
  const std::string text = first.is_destination
                               ? fmt::format("what rank {} sends to rank {}", first.expected, first.got)
                               : fmt::format("{} of rank {} instead of rank {}",
                                             failure.one_misplacement ? "the block" : "that", first.got, first.expected);
  return failure.one_misplacement ? ": " + text : ": blocks of others, first " + text;
}

/// What the wrong elements are, where all of them are alike.
std::string nature_text(const VectorFailure& failure) {
  const std::int64_t all = failure.output.count;
  if (failure.unwritten == all) return ": still the poison: never written";
  if (failure.untouched == all) return ": still each rank's own contribution";
  if (failure.stale == all) return ": the result of the call before";
  if (failure.misplaced == all) return misplaced_text(failure);
  if (failure.unwritten > 0) return fmt::format(": {} of them never written", failure.unwritten);
  return "";
}

/// Ranks that have the same elements wrong, in the same way.
struct AlikeRanks {
  const WrongElements* elements;
  std::string nature;
  std::vector<Rank> ranks;
};

/// Groups the failures' `wrong` elements; failures that have none are skipped.
template <class Nature>
std::vector<AlikeRanks> group_by_elements(std::span<const VectorFailure> failures, WrongElements VectorFailure::*wrong,
                                          Nature nature_of) {
  std::vector<AlikeRanks> groups;
  for (const VectorFailure& failure : failures) {
    const WrongElements& elements = failure.*wrong;
    if (elements.count == 0) continue;
    const std::string nature = nature_of(failure);
    const auto alike = [&](const AlikeRanks& group) {
      return group.elements->runs == elements.runs && group.elements->count == elements.count && group.nature == nature;
    };
    // Beyond what is shown, only the last group grows: comparing each of many ranks with each would take too long.
    const auto group = std::find_if(groups.begin(), groups.end(), alike);
    if (group != groups.end())
      group->ranks.push_back(failure.rank);
    else if (groups.size() <= kMostLines)
      groups.push_back({&elements, nature, {failure.rank}});
    else
      groups.back().ranks.push_back(failure.rank);
  }
  return groups;
}

/// One line per group.
std::string groups_text(const std::vector<AlikeRanks>& groups) {
  std::string text;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i == kMostLines) return text + fmt::format("\n  … and others on {} more ranks", groups[i].ranks.size());
    text += fmt::format("\n  {} on {}{}", elements_text(*groups[i].elements), ranks_text(groups[i].ranks), groups[i].nature);
  }
  return text;
}

/// How many elements are wrong, on how many ranks.
struct Total {
  std::int64_t elements = 0;
  std::int64_t ranks = 0;
  const VectorFailure* first = nullptr;
};

Total total_of(std::span<const VectorFailure> failures, WrongElements VectorFailure::*wrong) {
  Total total;
  for (const VectorFailure& failure : failures) {
    if ((failure.*wrong).count == 0) continue;
    if (total.first == nullptr) total.first = &failure;
    total.elements += (failure.*wrong).count;
    ++total.ranks;
  }
  return total;
}

std::string wrong_outputs_text(std::span<const VectorFailure> failures, const CallLayout& layout) {
  const Total wrong = total_of(failures, &VectorFailure::output);
  if (wrong.elements == 0) return "";
  std::int64_t elements = 0;
  for (int r = 0; r < layout.ranks(); ++r) elements += layout.output(Rank(r)).count;
  const WrongElements& first = wrong.first->output;
  return fmt::format("\n  {} of {} elements are wrong, on {} of {} ranks", wrong.elements, elements, wrong.ranks,
                     layout.ranks()) +
         groups_text(group_by_elements(failures, &VectorFailure::output, nature_text)) +
         fmt::format("\n  first: rank {}, element {}: got {}, expected {}{}{}", wrong.first->rank.value(),
                     first.runs.front().first, first.got, first.expected, first.detail.empty() ? "" : ": ", first.detail);
}

/// Of inputs that were right again in the end.
std::string inputs_meanwhile_text(std::span<const VectorFailure> failures) {
  std::vector<Rank> ranks;
  const VectorFailure* first = nullptr;
  for (const VectorFailure& failure : failures) {
    if (!failure.input_meanwhile) continue;
    if (first == nullptr) first = &failure;
    ranks.push_back(failure.rank);
  }
  if (first == nullptr) return "";
  const InputWatch::Change& change = *first->input_meanwhile;
  return fmt::format(
      "\n  the input of {} was changed while the call went on, and put back\n  first: the input of rank {}, element {}: it was "
      "{}, "
      "and {} when the rank waited",
      ranks_text(ranks), first->rank.value(), change.element, change.was, change.became);
}

std::string changed_inputs_text(std::span<const VectorFailure> failures) {
  const Total changed = total_of(failures, &VectorFailure::input);
  if (changed.elements == 0) return inputs_meanwhile_text(failures);
  const WrongElements& first = changed.first->input;
  const auto nature = [](const VectorFailure&) { return std::string(": the input was changed"); };
  return groups_text(group_by_elements(failures, &VectorFailure::input, nature)) +
         fmt::format("\n  first: the input of rank {}, element {}: it was {} and became {}", changed.first->rank.value(),
                     first.runs.front().first, first.expected, first.got);
}

std::string guards_text(std::span<const VectorFailure> failures, std::string_view vector, bool VectorFailure::*before,
                        bool VectorFailure::*after) {
  const auto ranks_with = [&](bool VectorFailure::*failure_of) {
    std::vector<Rank> ranks;
    for (const VectorFailure& failure : failures) {
      if (failure.*failure_of) ranks.push_back(failure.rank);
    }
    return ranks;
  };
  std::string text;
  if (const auto ranks = ranks_with(before); !ranks.empty())
    text += fmt::format("\n  written before the beginning of the {} of {}", vector, ranks_text(ranks));
  if (const auto ranks = ranks_with(after); !ranks.empty())
    text += fmt::format("\n  written beyond the end of the {} of {}", vector, ranks_text(ranks));
  if (!text.empty() && failures.front().is_of_later_call)
    text += "; in the call before it lay elsewhere: a pointer kept from that call may lead there";
  return text;
}

}  // namespace

void WrongElements::add(std::int64_t first, std::int64_t last) {
  count += last - first + 1;
  if (!runs.empty() && runs.back().last == first - 1 && !more_runs)
    runs.back().last = last;
  else if (runs.size() < kMostRanges)
    runs.push_back({first, last});
  else
    more_runs = true;
}

bool input_stays(const CallLayout& layout, const CallVectors::Views& views) {
  return !views.shared || layout.collective() == Collective::scatter;
}

namespace {

/// Apart from who calls it, as ranks' stacks hold little.
[[gnu::noinline]] std::unique_ptr<VectorFailure> failure_of(const CallVectors& vectors, Rank rank, const ExpectedCall& call,
                                                            const ExpectedCall* previous, const StopPoint& stop_point,
                                                            bool right, bool intact) {
  const CallLayout& layout = call.layout();
  const CallVectors::Views views = vectors.views(rank, layout);
  const Extent place = layout.output(rank);
  const ConstVectorView output = CallVectors::output_of(rank, layout, views);
  const VectorArena::Guards guards = vectors.output_guards(rank);
  const VectorArena::Guards input_guards = vectors.input_guards(rank);

  auto found = std::make_unique<VectorFailure>();
  VectorFailure& failure = *found;
  failure.rank = rank;
  failure.is_of_later_call = previous != nullptr;
  failure.wrote_before = !guards.before_intact;
  failure.wrote_after = !guards.after_intact;
  failure.wrote_before_input = !input_guards.before_intact;
  failure.wrote_after_input = !input_guards.after_intact;
  if (!right) {
    const std::int64_t shown_from = views.shared ? place.first : 0;  // elements are numbered as they stand in the vector
    FailureProvenance provenance(failure, output, call, previous);
    for (std::int64_t first = 0; first < output.count(); first += kElements) {
      if (stop_point) stop_point();
      const ConstVectorView part = output.slice(first, std::min(kElements, output.count() - first));
      const std::vector<std::int64_t> wrong = call.wrong_elements(part, rank, first);
      if (failure.output.count == 0 && !wrong.empty()) {
        const std::int64_t i = wrong.front();
        failure.output.got = element_text(output, i);
        failure.output.expected = call.describe_output(rank, i);
        failure.output.detail = detail_of(output.slice(i, 1), rank, i, call, previous);
      }
      for (std::size_t begin = 0, end = 0; begin < wrong.size(); begin = end) {
        for (end = begin + 1; end < wrong.size() && wrong[end] == wrong[end - 1] + 1;) ++end;
        failure.output.add(shown_from + wrong[begin], shown_from + wrong[end - 1]);
      }
      for (const std::int64_t i : wrong) provenance.note(i);
    }
  }
  for (std::int64_t first = 0; !intact && first < views.input.count(); first += kElements) {
    if (stop_point) stop_point();
    const std::int64_t count = std::min(kElements, views.input.count() - first);
    if (call.is_input_element(views.input.slice(first, count), rank, first)) continue;
    for (std::int64_t i = first; i < first + count; ++i) {
      if (call.is_input_element(views.input.slice(i, 1), rank, i)) continue;
      if (failure.input.count == 0) {
        failure.input.got = element_text(views.input, i);
        failure.input.expected = call.describe_input(rank, i);
      }
      failure.input.add(i, i);
    }
  }
  return found;
}

bool are_intact(const VectorArena::Guards& guards) { return guards.before_intact && guards.after_intact; }

}  // namespace

std::unique_ptr<VectorFailure> check_vectors(const CallVectors& vectors, Rank rank, const InputWatch* watch,
                                             const ExpectedCall& call, const ExpectedCall* previous,
                                             const StopPoint& stop_point) {
  const CallLayout& layout = call.layout();
  const CallVectors::Views views = vectors.views(rank, layout);
  const bool right = call.accepts(CallVectors::output_of(rank, layout, views), rank, stop_point);
  const bool intact = !input_stays(layout, views) || (watch != nullptr && watch->is_known_as_it_was()) ||
                      call.is_input(views.input, rank, stop_point);
  const bool within = are_intact(vectors.output_guards(rank)) && are_intact(vectors.input_guards(rank));
  if (right && intact && within) return nullptr;
  return failure_of(vectors, rank, call, previous, stop_point, right, intact);
}

std::string explain(std::span<const VectorFailure> failures, const CallLayout& layout, bool in_place) {
  std::string text = wrong_outputs_text(failures, layout) + changed_inputs_text(failures);
  text += guards_text(failures, in_place ? "vector" : "output", &VectorFailure::wrote_before, &VectorFailure::wrote_after);
  text += guards_text(failures, "input", &VectorFailure::wrote_before_input, &VectorFailure::wrote_after_input);
  return text.substr(1);
}

}  // namespace heddle::emu
