// SPDX-License-Identifier: Apache-2.0
#include "emu/explain/traced_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "emu/explain/provenance.hpp"
#include "emu/record/failure.hpp"
#include "emu/switches/in_network.hpp"

namespace heddle::emu {

namespace {

FailureFacts facts_of(const Provenance& found) {
  FailureFacts facts;
  for (const Term& term : found.missing) facts.missing.push_back(term.rank);
  for (const Provenance::Count& count : found.repeated) facts.doubled.push_back(count.term.rank);
  for (const Term& term : found.foreign)
    if (term.kind == Term::Kind::contribution) facts.foreign.push_back({term.rank, term.element});
  return facts;
}

/// Elements that a repeat traces besides the one that is wrong.
constexpr std::size_t kMostOthers = 4;

const ReduceOp& op_or_any(const TracedCalls& calls) { return calls.op != nullptr ? *calls.op : ReduceOp::sum(); }

}  // namespace

Contributions::Extent TracedCalls::extent() const {
  std::int64_t elements = 1;
  for (const CallLayout& layout : layouts) elements = std::max(elements, layout.count());
  return {static_cast<int>(layouts.size()), layouts.front().ranks(), elements};
}

TracedRun::TracedRun(const TracedCalls& calls, Contributions::Traced traced, Contributions::Form form)
    : calls_(calls),
      contributions_(calls.extent(), std::move(traced), calls.type, op_or_any(calls), form),
      log_(contributions_),
      vectors_(calls.layouts, contributions_.type(), calls.in_place),
      outputs_(calls.layouts.size()) {
  for (auto& outputs : outputs_) outputs.resize(static_cast<std::size_t>(calls.layouts.front().ranks()));
}

void TracedRun::run(const Fabric& fabric, const Placement& placement, EmulationSettings settings) {
  settings.sinks = {&log_};
  settings.faults.from_starting_line = false;  // there is none
  emulate_measured(
      fabric, placement, [this](MeasuredCommunicator& communicator) { run_rank(communicator); }, settings);
}

void TracedRun::run_rank(MeasuredCommunicator& communicator) {
  const Rank rank = communicator.rank();
  const ReduceOp* op = calls_.op != nullptr ? &contributions_.op() : nullptr;
  for (std::size_t c = 0; c < calls_.layouts.size(); ++c) {
    const int call = static_cast<int>(c);
    const CallLayout& layout = calls_.layouts[c];
    if (call == 1) communicator.begin_second_call();
    const CallVectors::Views views = vectors_.prepare(
        rank, layout, [&](VectorView input) { contributions_.fill(input, call, rank, layout.input(rank).first); });
    const VectorView output = CallVectors::output_of(rank, layout, views);
    outputs_[c][static_cast<std::size_t>(rank.value())] = output;
    const CollectiveArguments arguments = arguments_of(rank, layout, views, op);
    if (calls_.is_elsewhere != nullptr && calls_.is_elsewhere(call))
      calls_.function(*communicator.split_measured(0, rank.value()), arguments);
    else
      calls_.function(communicator, arguments);
    note_watched(call, rank);
  }
}

void TracedRun::watch(const Place& place) {
  watched_ = place;
  watched_values_.resize(static_cast<std::size_t>(calls_.layouts.front().ranks()));
}

void TracedRun::note_watched(int call, Rank rank) {
  if (!watched_ || watched_->call != call) return;
  const CallLayout& layout = calls_.layouts[static_cast<std::size_t>(call)];
  if (layout.collective() == Collective::alltoall && rank != watched_->rank) return;
  const std::int64_t i = layout.output(watched_->rank).first + watched_->i - layout.output(rank).first;
  const ConstVectorView vector = output(call, rank);
  if (i < 0 || i >= vector.count()) return;
  const ConstVectorView element = vector.slice(i, 1);
  watched_values_[static_cast<std::size_t>(rank.value())] = contributions_.read(element.data());
  if (rank == watched_->rank) watched_bytes_.assign(element.data(), element.data() + element.size_bytes());
}

ConstVectorView TracedRun::output(int call, Rank rank) const {
  return outputs_[static_cast<std::size_t>(call)][static_cast<std::size_t>(rank.value())];
}

std::vector<Term> expected_terms(const CallLayout& layout, int call, Rank rank, std::int64_t i) {
  const std::int64_t element = layout.output(rank).first + i;
  const auto of = [&](int source, std::int64_t at) { return std::vector<Term>{{Term::Kind::contribution, call, source, at}}; };
  switch (layout.collective()) {
    case Collective::broadcast:
    case Collective::scatter:
      return of(layout.root().value(), element);
    case Collective::allgather:
    case Collective::gather:
      return of(layout.block_at(rank, element), element);
    case Collective::alltoall: {
      const int source = layout.block_at(rank, i);
      return of(source, layout.offset(Rank(source), rank.value()) + i - layout.received_offset(rank, source));
    }
    default:
      break;
  }
  std::vector<Term> all;
  for (int r = 0; r < layout.ranks(); ++r) all.push_back({Term::Kind::contribution, call, r, element});
  return all;
}

// ---- a wrong element ----

namespace {

class Tracing {
 public:
  Tracing(const Fabric& fabric, const Placement& placement, const TracedCalls& calls, const EmulationSettings& settings,
          const TracedRun::Place& wrong)
      : fabric_(fabric),
        placement_(placement),
        calls_(shortened(calls)),
        settings_(settings),
        layout_(calls.layouts[static_cast<std::size_t>(wrong.call)]),
        place_{wrong.call, wrong.rank, wrong.i / calls.together},
        offset_(wrong.i % calls.together),
        expected_(expected_terms(layout_, wrong.call, wrong.rank, wrong.i)),
        keeps_type_(!has_computing_switches(fabric.topology())) {
    settings_.byte_scale *= static_cast<double>(calls.together);
  }

  Trace explain(const std::string& place) {
    if (!Contributions::fits(calls_.extent())) return {};
    Contributions::Traced traced{.elements = {expected_.front().element}};
    auto repeat = std::make_unique<Repeat>(*this, traced, Encoding::usual);
    if (!repeat->got()) return {};
    // What is there instead is traced too, in another repeat.
    bool is_more = false;
    for (const auto& [term, times] : repeat->run.contributions().count_terms(*repeat->got())) is_more |= add(traced, term);
    if (is_more) repeat = std::make_unique<Repeat>(*this, traced, Encoding::usual);
    if (!repeat->got()) return {};
    if (const std::string obstacle = obstacle_to(*repeat, traced); !obstacle.empty())
      return {fmt::format("  provenance of {}: cannot be told: {}", place, obstacle), notes(repeat->run, nullptr)};
    return explain(*repeat, place);
  }

 private:
  /// Of elements that have the same done with them one is enough.
  static TracedCalls shortened(TracedCalls calls) {
    for (CallLayout& layout : calls.layouts) {
      if (calls.together > 1)
        layout = CallLayout(layout.collective(), layout.ranks(), layout.count() / calls.together, {}, layout.root());
    }
    return calls;
  }

  /// A repeat. What else goes wrong in it goes wrong in the run as well, and is reported there.
  struct Repeat {
    Repeat(const Tracing& trace, const Contributions::Traced& traced, Encoding encoding)
        : run(trace.calls_, traced,
              {.encoding = encoding,
               .keeps_type = trace.keeps_type_,
               .stride = trace.calls_.together,
               .offset = trace.offset_}) {
      rank = static_cast<std::size_t>(trace.place_.rank.value());
      run.watch(trace.place_);
      try {
        run.run(trace.fabric_, trace.placement_, trace.settings_);
      } catch (const Error&) {
      }
    }
    std::optional<ValueId> got() const { return run.watched_values()[rank]; }

    TracedRun run;
    std::size_t rank;
  };

  // ---- whether a repeat tells anything of the run ----

  /// What a program makes of elements that it cannot read must not depend on what they look like; else why nothing follows from it.
  std::string looks_at_names(const Repeat& repeat, const Contributions::Traced& traced) const {
    for (const Encoding encoding : {Encoding::other_order, Encoding::other_sign}) {
      const Repeat other(*this, traced, encoding);
      const bool has_computed = other.got() && computes(repeat, other);
      if (other.got() && !has_computed && goes_same_way(repeat, other)) continue;
      // What has changed since may be something else.
      const Repeat again(*this, traced, Encoding::usual);
      if (!again.got() || again.run.watched_bytes() != repeat.run.watched_bytes() || !goes_same_way(repeat, again))
        return kChanges;
      return has_computed ? kComputes : kLooks;
    }
    return "";
  }

  /// Where the run is right, the repeat must be, too.
  std::string obstacle_to(const Repeat& repeat, const Contributions::Traced& traced) const {
    if (!calls_.ignores_values) {
      if (std::string obstacle = looks_at_names(repeat, traced); !obstacle.empty()) return obstacle;
    }
    const std::vector<Rank> wrong = wrong_though_right(repeat);
    if (wrong.empty()) return "";
    return fmt::format(
        "a repeat whose elements know what they are made of{} is wrong on {}, where the run is right, so the program goes "
        "another way in it: it looks at the values, the type or the size of elements",
        keeps_type(repeat) ? "" : fmt::format(", of type {},", to_string(repeat.run.contributions().type())),
        ranks_text(wrong));
  }

  static constexpr const char* kComputes =
      "this program computes with elements itself (data[i] += theirs[i], a conversion) or puts their bytes together: in a "
      "repeat whose elements are names, it made bytes that are no name. Leave local arithmetic to reduce_into(), and what "
      "is missing, and which message made it so, is said here";
  static constexpr const char* kLooks =
      "this program computes with elements itself (data[i] += theirs[i], a minimum of its own), or looks at their values: "
      "repeats whose elements are names, and look different each time, go different ways. Leave local arithmetic to "
      "reduce_into(), and what is missing, and which message made it so, is said here";
  static constexpr const char* kChanges =
      "repeats of the call go different ways, though their elements are the same: it depends on what earlier calls have "
      "left, on addresses, chance or time";

  /// Bytes that are no names, follow from names, and yet are no part or near relative of one: somebody has computed them.
  bool computes(const Repeat& repeat, const Repeat& other) const {
    const auto computed = [&](const Repeat& of) -> std::vector<std::byte> {
      const Contributions& contributions = of.run.contributions();
      if (*of.got() == Contributions::kUnknown) return of.run.watched_bytes();
      const std::span<const std::byte> bytes = contributions.unknown_bytes_within(*of.got());
      return {bytes.begin(), bytes.end()};
    };
    const std::vector<std::byte> bytes = computed(repeat);
    const std::vector<std::byte> others = computed(other);
    if (bytes.empty() || others.empty() || bytes == others) return false;
    const auto look = [&](const Repeat& of, const std::vector<std::byte>& at) {
      return look_at(of.run.contributions(), at,
                     possible_values(of.run.contributions(), of.run.messages(), wrong_element(of, "")));
    };
    return look(repeat, bytes).kind == UnknownBytes::Kind::other || look(other, others).kind == UnknownBytes::Kind::other;
  }

  /// What one has in place of a name is a name in the other: it was there before.
  static bool is_left_by(const Repeat& repeat, const Repeat& other) {
    return *other.got() == Contributions::kUnknown &&
           repeat.run.contributions().read(other.run.watched_bytes().data()) != Contributions::kUnknown;
  }

  /// On all ranks that have the element.
  bool goes_same_way(const Repeat& repeat, const Repeat& other) const {
    for (std::size_t r = 0; r < repeat.run.watched_values().size(); ++r) {
      const std::optional<ValueId> a = repeat.run.watched_values()[r];
      const std::optional<ValueId> b = other.run.watched_values()[r];
      if (a.has_value() != b.has_value()) return false;
      if (a && (way_of(repeat, *a) != way_of(other, *b))) return false;
    }
    return true;
  }

  /// Numbers of receives are not part of it: with kernel threads they come in any order.
  std::vector<Term> way_of(const Repeat& repeat, ValueId value) const {
    std::vector<Term> terms = repeat.run.contributions().sequence(value, 4 * expected_.size() + 4);
    for (Term& term : terms) {
      if (term.kind == Term::Kind::open_receive) term.element = 0;
    }
    return terms;
  }

  std::vector<Rank> wrong_though_right(const Repeat& repeat) const {
    std::vector<Rank> wrong;
    for (std::size_t r = 0; r < calls_.right.size() && r < repeat.run.watched_values().size(); ++r) {
      const std::optional<ValueId> value = repeat.run.watched_values()[r];
      if (calls_.right[r] && value && !is_expected(repeat.run.contributions(), *value)) wrong.emplace_back(static_cast<int>(r));
    }
    return wrong;
  }

  /// The watched element is the same one, made of the same, on all ranks that have it.
  bool is_expected(const Contributions& contributions, ValueId value) const {
    const bool doubling_matters = reduces(layout_.collective()) && !calls_.op->idempotent();
    const std::map<Term, std::uint64_t> terms = contributions.count_terms(value);
    if (terms.size() != expected_.size()) return false;
    return std::ranges::all_of(expected_, [&](const Term& term) {
      const auto found = terms.find(term);
      return found != terms.end() && (found->second == 1 || !doubling_matters);
    });
  }

  bool keeps_type(const Repeat& repeat) const { return repeat.run.contributions().type() == calls_.type; }

  /// Whether it was not traced before.
  static bool add(Contributions::Traced& traced, const Term& term) {
    if (term.kind == Term::Kind::unknown) return !std::exchange(traced.unknown, true);
    if (term.kind == Term::Kind::mixture || term.kind == Term::Kind::open_receive || traced.elements.size() > kMostOthers)
      return false;
    if (std::find(traced.elements.begin(), traced.elements.end(), term.element) != traced.elements.end()) return false;
    traced.elements.push_back(term.element);
    return true;
  }

  /// The wrong element lies where the receive had room that the message did not fill.
  static bool leaves_wrong_element(const LoggedMessage& message, const std::byte* element) {
    return std::ranges::any_of(message.unfilled, [element](const ConstVectorView& left) {
      return element >= left.data() && element < left.data() + left.size_bytes();
    });
  }

  /// Facts that a wrong element may come from: lines as those of its provenance.
  std::string notes(const TracedRun& run, const Provenance* found) const {
    const MessageLog& log = run.log();
    const std::byte* const element = run.output(place_.call, place_.rank).slice(place_.i, 1).data();
    std::string text;
    const auto matters = [&](const LoggedMessage& message) {
      const bool is_cause = found != nullptr && message.dest == found->cause_rank;
      if (message.received_in_second_call != (place_.call > 0)) return false;
      if (message.dest != place_.rank.value()) return is_cause;
      // Many receives have room for the longest message. Where nothing is there that was left by others, it does no harm.
      return found == nullptr || !found->foreign.empty() || !found->repeated.empty() || leaves_wrong_element(message, element);
    };
    const auto cut = std::find_if(log.short_messages().begin(), log.short_messages().end(), matters);
    if (cut != log.short_messages().end()) {
      text += fmt::format(
          "\n    shorter than its receive: the message from rank {} to rank {} (tag {}) brought {} of the {} {} that "
          "were asked for; what lies behind them stayed as it was",
          cut->source, cut->dest, cut->tag.value(), cut->elements * calls_.together, cut->asked * calls_.together,
          cut->type == Datatype::user(1) ? "bytes" : "elements");
    }
    if (const auto& other = log.first_of_other_type()) {
      text += fmt::format(
          "\n    of another type than the elements: the message from rank {} to rank {} (tag {}), of {}; what such "
          "messages bring is followed where it is whole elements, one after the other",
          other->source, other->dest, other->tag.value(), to_string(other->type));
    }
    if (const auto& shared = log.shared_memory().first()) {
      text += fmt::format(
          "\n    shared memory: rank {} receives into {} bytes{} that rank {} {}{}; each rank needs memory of its own (no "
          "static or global variable), and keeps it while a request is open",
          shared->receiver, shared->bytes * static_cast<std::size_t>(calls_.together),
          shared->is_static ? " of a static or global variable" : "", shared->other,
          shared->other_sends ? "sends from" : "receives into", shared->is_static ? ", too" : " at the same time");
    }
    return text;
  }

  WrongElement wrong_element(const Repeat& repeat, const std::string& place) const {
    return {.call = place_.call,
            .rank = place_.rank.value(),
            .element = expected_.front().element,
            .got = *repeat.got(),
            .address = repeat.run.output(place_.call, place_.rank).slice(place_.i, 1).data(),
            .expected = expected_,
            .results = repeat.run.watched_values(),
            .place = place,
            .bytes = repeat.run.watched_bytes()};
  }

  Trace explain(const Repeat& repeat, const std::string& place) const {
    const WrongElement wrong = wrong_element(repeat, place);
    ProvenanceSetting setting{.reduces = reduces(layout_.collective()),
                              .follows_all = !repeat.run.log().first_of_other_type().has_value()};
    if (setting.reduces) {
      setting.order_matters = !calls_.op->commutative();
      setting.doubling_matters = !calls_.op->idempotent();
    }
    // The blocks of an alltoall are numbered by the sender.
    if (layout_.collective() != Collective::alltoall) {
      setting.element_at = [&](int rank, const std::byte* address) -> std::optional<std::int64_t> {
        const ConstVectorView output = repeat.run.output(place_.call, Rank(rank));
        if (output.empty() || address < output.data() || address >= output.data() + output.size_bytes()) return std::nullopt;
        const auto element_bytes = static_cast<std::int64_t>(output.type().size());
        return layout_.output(Rank(rank)).first + (address - output.data()) / element_bytes * calls_.together + offset_;
      };
    }
    const std::optional<Provenance> found = find_provenance(repeat.run.contributions(), repeat.run.messages(), wrong, setting);
    if (found)
      return {.text = found->text,
              .notes = notes(repeat.run, &*found),
              .is_out_of_order = !found->out_of_order.empty(),
              .is_of_open_receive =
                  std::ranges::any_of(found->foreign, [](const Term& term) { return term.kind == Term::Kind::open_receive; }),
              .facts = facts_of(*found)};
    return {.text = fmt::format("  provenance of {}: none; a repeat whose elements know what they are made of is right there",
                                place),
            .notes = notes(repeat.run, nullptr),
            .is_right = true,
            .has_other_type = !keeps_type(repeat)};
  }

  const Fabric& fabric_;
  const Placement& placement_;
  const TracedCalls calls_;     ///< shortened
  EmulationSettings settings_;  ///< for these
  const CallLayout& layout_;    ///< of the run
  TracedRun::Place place_;      ///< in the shortened calls
  std::int64_t offset_;         ///< of the wrong element, among those that go together
  std::vector<Term> expected_;
  bool keeps_type_;  ///< switches take some types for others
};

}  // namespace

Trace trace(const Fabric& fabric, const Placement& placement, const TracedCalls& calls, const EmulationSettings& settings,
            const TracedRun::Place& wrong, const std::string& place) {
  return Tracing(fabric, placement, calls, settings, wrong).explain(place);
}

}  // namespace heddle::emu
