// SPDX-License-Identifier: Apache-2.0
#include "emu/explain/provenance.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

namespace heddle::emu {

namespace {

using Messages = std::vector<LoggedMessage>;
constexpr std::uint64_t kEnd = LoggedMessage::kNever;

/// How many places at which a value was spoiled are compared, to find the first.
constexpr std::size_t kMostSpoiled = 64;

/// A value in a message.
struct Sighting {
  std::size_t message;
  const LoggedMessage::Carried* carried;
  bool is_in_place;  ///< it was written to where it is looked for
};

class Tracer : Evidence {
 public:
  Tracer(const Contributions& contributions, const Messages& messages, const WrongElement& wrong,
         const ProvenanceSetting& setting)
      : Evidence(contributions, messages, wrong),
        setting_(setting),
        text_(*this, setting.reduces),
        makers_(contributions, messages, wrong.address, wrong.rank) {}

  std::optional<Provenance> find() {
    found_.cause_rank = wrong_.rank;
    if (wrong_.got == Contributions::kUnknown && !wrong_.bytes.empty() && explain_bytes()) {
      found_.text = text_.whole(found_);
      return std::move(found_);
    }
    compare();
    if (is_right()) return std::nullopt;
    if (const std::optional<Term> poison = first_open_receive())
      explain_open_receive(*poison);
    else if (const std::optional<Sighting> unexplained = first_unexplained())
      explain_unexplained(*unexplained);
    else if (const std::optional<Spoiling> spoiling = first_spoiling())
      explain_spoiling(*spoiling);
    else if (!found_.foreign.empty())
      explain_stranger();
    else
      explain_loss();
    found_.text = text_.whole(found_);
    return std::move(found_);
  }

 private:
  // ---- what is wrong with the element ----

  void compare() {
    const std::map<Term, std::uint64_t> terms = contributions_.count_terms(wrong_.got);
    for (const Term& expected : wrong_.expected) {
      const auto there = terms.find(expected);
      if (there == terms.end())
        found_.missing.push_back(expected);
      else if (there->second > 1 && setting_.doubling_matters)
        found_.repeated.push_back({expected, there->second});
    }
    const std::set<Term> expected(wrong_.expected.begin(), wrong_.expected.end());
    for (const auto& [term, times] : terms) {
      if (!expected.contains(term)) found_.foreign.push_back(term);
    }
    if (!setting_.order_matters || !found_.missing.empty() || !found_.repeated.empty() || !found_.foreign.empty()) return;
    std::vector<Term> sequence = contributions_.sequence(wrong_.got, wrong_.expected.size() + 1);
    if (sequence != wrong_.expected) found_.out_of_order = std::move(sequence);
  }

  bool is_right() const {
    return found_.missing.empty() && found_.repeated.empty() && found_.foreign.empty() && found_.out_of_order.empty();
  }

  // ---- read before it was there ----

  std::optional<Term> first_open_receive() const {
    for (const auto& [term, times] : contributions_.count_terms(wrong_.got)) {
      if (term.kind == Term::Kind::open_receive) return term;
    }
    return std::nullopt;
  }

  /// Who posted the receive has read its buffer; another rank can only have done so through memory that ranks share.
  void explain_open_receive(const Term& poison) {
    found_.cause_rank = poison.rank;
    found_.cause = fmt::format(
        "{}, which heddle fills with poison until the message is there, was read before the receive was "
        "complete",
        text_.open_receive(poison));
    const Contributions::Containing contains(contributions_, contributions_.name_of(poison));
    const auto carrier =
        std::ranges::find_if(messages_, [&](const LoggedMessage& message) { return carries(message, contains); });
    if (carrier != messages_.end()) {
      found_.first_wrong_message = static_cast<std::size_t>(carrier - messages_.begin());
      found_.cause += fmt::format(": wait for it first; {} sent it on by the message {}", text_.who(carrier->source),
                                  text_.message(*found_.first_wrong_message));
    } else if (wrong_.rank != poison.rank) {
      found_.cause += fmt::format(
          ", and {} brought that to {}: it came by memory that ranks share (a pointer, a static or global "
          "variable)",
          no_message(), text_.who(wrong_.rank));
    } else {
      found_.cause += ": wait for it first";
    }
  }

  // ---- bytes that are no value ----

  std::string part_text(const UnknownBytes::Part& part) const {
    if (part.value) return "those of " + text_.value(*part.value);
    return part.is_poison ? "still what was there before the call" : "zero";
  }

  /// "all of X with 1 bit of it changed", "bytes 0-1 of 4 …"; empty: nothing that can be told.
  std::string look_text(const UnknownBytes& what, std::size_t size) const {
    if (what.kind == UnknownBytes::Kind::near)
      return fmt::format("{}, but for {} bit{} of it", text_.value(what.value), what.bits, what.bits == 1 ? "" : "s");
    if (what.kind == UnknownBytes::Kind::reversed)
      return fmt::format("{}, its bytes in the other order", text_.value(what.value));
    if (what.kind == UnknownBytes::Kind::open) return "the poison of a receive that was still open";
    if (what.kind == UnknownBytes::Kind::in_parts)
      return fmt::format("an element in parts: its first {} of {} bytes are {}, the others {}", what.split, size,
                         part_text(what.first), part_text(what.second));
    return "";
  }

  /// The rank at which they were first seen in this place: who had them, or sent them to who had them.
  int first_with_unknown_bytes() {
    int rank = wrong_.rank;
    std::uint64_t before = kEnd;
    const std::byte* address = wrong_.address;
    while (const std::optional<Sighting> came = last_brought(Contributions::kUnknown, rank, before, address)) {
      if (!came->is_in_place) break;
      rank = messages_[came->message].source;
      before = messages_[came->message].posted_event;
      address = came->carried->from;
      found_.first_wrong_message = came->message;
    }
    return rank;
  }

  /// Whether more can be said than of a value that is missing: never of what nobody wrote.
  bool explain_bytes() {
    const UnknownBytes what = look_at(contributions_, wrong_.bytes, possible_values(contributions_, messages_, wrong_));
    if (what.kind == UnknownBytes::Kind::poison) return false;
    found_.cause_rank = first_with_unknown_bytes();
    const std::string who = text_.who(found_.cause_rank);
    if (const std::string look = look_text(what, wrong_.bytes.size()); !look.empty()) {
      found_.cause = fmt::format("{} has {}: {}", who, look, origin_text(what.kind));
      return true;
    }
    compare();
    const bool are_zeros = what.kind == UnknownBytes::Kind::zeros;
    found_.cause =
        fmt::format("{} has {} there, which no message brought and no operation made{}", who, are_zeros ? "zeros" : "bytes",
                    are_zeros ? "" : ", the same whatever ranks contribute: memory that nobody has written, or a constant");
    return true;
  }

  static const char* origin_text(UnknownBytes::Kind kind) {
    switch (kind) {
      case UnknownBytes::Kind::near:
        return "changed after it was received or combined, or damaged in the rank's own memory";
      case UnknownBytes::Kind::open:
        return "the buffer was read before its message was there; wait for the receive first";
      case UnknownBytes::Kind::reversed:
        return "the program itself has put them so";
      default:
        return "it was written in part";
    }
  }

  // ---- values that can be part of no right result ----

  /// Two right values that made a wrong one, and where.
  struct Spoiling {
    ValueId value;
    int rank;
    std::optional<std::size_t> first_message;  ///< that carried the value or what was made of it
  };

  bool is_spoiled(ValueId value) const {
    if (!contributions_.is_sum(value)) return false;
    const std::map<Term, std::uint64_t> terms = contributions_.count_terms(value);
    const Term& first = terms.begin()->first;
    for (const auto& [term, times] : terms) {
      if (term.kind != Term::Kind::contribution || term.call != first.call || term.element != first.element) return true;
      if (times > 1 && setting_.doubling_matters) return true;
    }
    if (!setting_.order_matters) return false;
    const std::vector<Term> sequence = contributions_.sequence(value, terms.size());
    return std::adjacent_find(sequence.begin(), sequence.end(),
                              [](const Term& a, const Term& b) { return b.rank != a.rank + 1; }) != sequence.end();
  }

  /// The spoiled values in what was got whose parts are not spoiled.
  std::vector<ValueId> first_spoiled_values() const {
    std::vector<ValueId> firsts;
    std::set<ValueId> seen;
    std::vector<ValueId> left;
    if (is_spoiled(wrong_.got)) left.push_back(wrong_.got);
    while (!left.empty() && firsts.size() < kMostSpoiled) {
      const ValueId value = left.back();
      left.pop_back();
      if (!seen.insert(value).second) continue;
      bool is_first = true;
      const Contributions::Parts parts = contributions_.parts(value);
      for (const ValueId part : {parts.right, parts.left}) {  // the left one is looked at first
        if (!is_spoiled(part)) continue;
        left.push_back(part);
        is_first = false;
      }
      if (is_first) firsts.push_back(value);
    }
    return firsts;
  }

  /// The one of them that was on the way first, or never left the rank that has the wrong element.
  std::optional<Spoiling> first_spoiling() const {
    std::optional<Spoiling> first;
    for (const ValueId value : first_spoiled_values()) {
      const Contributions::Containing contains(contributions_, value);
      const auto carrier = std::find_if(messages_.begin(), messages_.end(), [&](const LoggedMessage& message) {
        return message.second_call == is_in_second_call() && carries(message, contains);
      });
      if (carrier == messages_.end()) {
        if (!first) first = Spoiling{value, wrong_.rank, std::nullopt};
        continue;
      }
      const auto number = static_cast<std::size_t>(carrier - messages_.begin());
      if (!first || !first->first_message || number < *first->first_message) first = Spoiling{value, carrier->source, number};
    }
    return first;
  }

  void explain_spoiling(const Spoiling& spoiling) {
    const int rank = spoiling.rank;
    const std::uint64_t posted = spoiling.first_message ? messages_[*spoiling.first_message].posted_event : kEnd;
    // What the sum was made of was there when the rank first made it.
    const std::uint64_t before = std::min(posted, makers_.first_made(spoiling.value, rank).value_or(posted));
    const auto [left, right] = contributions_.parts(spoiling.value);
    const std::optional<Sighting> left_came = last_brought(left, rank, before);
    const std::optional<Sighting> right_came = last_brought(right, rank, before);
    const auto received = [&](const std::optional<Sighting>& came) {
      return came ? messages_[came->message].received_event + 1 : 0;
    };
    // What came last, or else what is not the rank's own, is what was added.
    const bool is_left = left_came || right_came ? received(left_came) > received(right_came) : !is_own(left, rank);
    const std::optional<Sighting> came = is_left ? left_came : right_came;
    const ValueId brought = is_left ? left : right;
    const ValueId had = is_left ? right : left;
    if (came) found_.cause_message = came->message;
    found_.first_wrong_message = spoiling.first_message;
    found_.cause_rank = rank;

    const std::string by = came ? ", brought by the message " + text_.message(came->message) : "";
    if (left == right) {
      found_.cause = fmt::format("{} combined {} with itself{}", text_.who(rank), text_.value(left), by);
    } else if (const std::vector<Term> both = in_both(left, right); !both.empty() && setting_.doubling_matters) {
      if (came && times_brought(brought, rank, before) == 1 && Contributions::Containing(contributions_, brought)(had))
        found_.cause = fmt::format("{} combined {}{}, more than once", text_.who(rank), text_.value(brought), by);
      else
        found_.cause = fmt::format("{} had {} and added {}{}: {} twice", text_.who(rank), text_.value(had),
                                   text_.value(brought), by, text_.terms(both));
    } else if (setting_.order_matters && text_.is_plain(left) && text_.is_plain(right)) {
      found_.cause = fmt::format("{} put {} to the left of {}{}", text_.who(rank), text_.value(left), text_.value(right),
                                 came ? fmt::format("; the message {} brought {}", text_.message(came->message),
                                                    is_left ? "the left one" : "the right one")
                                      : "");
    } else {
      found_.cause = fmt::format("{} had {} and added {}{}", text_.who(rank), text_.value(had), text_.value(brought), by);
    }
    const std::span<const std::byte> unknown = contributions_.unknown_bytes_in(spoiling.value);
    if (unknown.empty()) return;
    const std::string look =
        look_text(look_at(contributions_, unknown, possible_values(contributions_, messages_, wrong_)), unknown.size());
    if (!look.empty()) found_.cause += fmt::format("; those bytes are {}", look);
  }

  bool is_own(ValueId value, int rank) const {
    if (contributions_.is_sum(value)) return false;
    const Term term = contributions_.term(value);
    return term.kind == Term::Kind::contribution && term.rank == rank;
  }

  std::vector<Term> in_both(ValueId a, ValueId b) const {
    const std::map<Term, std::uint64_t> others = contributions_.count_terms(b);
    std::vector<Term> both;
    for (const auto& [term, times] : contributions_.count_terms(a)) {
      if (others.contains(term)) both.push_back(term);
    }
    return both;
  }

  // ---- a right value in the wrong place ----

  void explain_stranger() {
    const std::vector<Sighting> way = way_of_wrong_value();
    if (way.empty() && wrong_.got == Contributions::kUnknown) return explain_loss();
    if (way.empty()) {
      explain_unsent();
      return;
    }
    if (explain_other_call(way)) return;
    // It was wrong on the way as soon as it lay where it does not belong.
    std::size_t first = way.size() - 1;
    while (first > 0 && lies_in_wrong_place(way[first])) --first;
    const Sighting& sighting = way[first];
    found_.cause_message = sighting.message;
    const LoggedMessage& message = messages_[sighting.message];
    if (lies_in_wrong_place(sighting)) {
      found_.first_wrong_message = sighting.message;
      found_.cause = fmt::format("{} had {} where {}, and sent it by the message {}", text_.who(message.source), got_text(),
                                 text_.expected_belongs(), text_.message(sighting.message));
    } else if (sighting.is_in_place) {
      found_.first_wrong_message = sighting.message;
      found_.cause = fmt::format("the message {} brought {} where {}", text_.message(sighting.message), got_text(),
                                 text_.expected_belongs());
    } else {
      if (first + 1 < way.size()) found_.first_wrong_message = way[first + 1].message;
      found_.cause = fmt::format("{} has {} where {}; the message {} had brought it", text_.who(message.dest), got_text(),
                                 text_.expected_belongs(), text_.message(sighting.message));
    }
  }

  /// Whether it came by a message that was sent in another call than it was received in.
  bool explain_other_call(const std::vector<Sighting>& way) {
    for (const Sighting& sighting : way) {
      const LoggedMessage& message = messages_[sighting.message];
      if (message.second_call == message.received_in_second_call) continue;
      found_.cause_rank = message.dest;
      found_.cause_message = found_.first_wrong_message = sighting.message;
      found_.cause = fmt::format("{} received the message {} in this call, and it was sent in {}: it brought {} where {}",
                                 text_.who(message.dest), text_.message(sighting.message),
                                 message.second_call ? "a later one" : "the first one", got_text(), text_.expected_belongs());
      return true;
    }
    return false;
  }

  /// What is there.
  std::string got_text() const {
    const bool is_poison = wrong_.got == Contributions::kUnknown && !wrong_.bytes.empty() &&
                           look_at(contributions_, wrong_.bytes, {}).kind == UnknownBytes::Kind::poison;
    return is_poison ? "what nobody had written (heddle's poison)" : text_.value(wrong_.got);
  }

  /// It is there, and no message brought it.
  void explain_unsent() {
    const std::string value = text_.value(wrong_.got);
    if (is_own(wrong_.got, wrong_.rank) && contributions_.term(wrong_.got).call == wrong_.call) {
      found_.cause = fmt::format("{} brought {}: {} had it of itself", no_message(), value, text_.who(wrong_.rank));
      return;
    }
    if (makers_.first_made(wrong_.got, wrong_.rank)) {
      found_.cause = fmt::format("{} itself made {} of what it had", text_.who(wrong_.rank), value);
      return;
    }
    const int maker = makers_.maker_of(wrong_.got);
    const std::map<Term, std::uint64_t> terms = contributions_.count_terms(wrong_.got);
    const bool is_of_other_call = std::ranges::any_of(terms, [&](const auto& count) {
      return count.first.kind == Term::Kind::contribution && count.first.call != wrong_.call;
    });
    found_.cause =
        fmt::format("{} of this call brought {} to {}{}: {}", no_message(), value, text_.who(wrong_.rank),
                    maker == SumMakers::kNobody ? "" : fmt::format(", and {} made it", text_.who(maker)),
                    is_of_other_call ? "it was left in memory by another call"
                                     : "it came by memory that ranks share (a pointer, a static or global variable), or was "
                                       "left there from before");
  }

  bool lies_in_wrong_place(const Sighting& sighting) const {
    if (!setting_.element_at || sighting.carried->from == nullptr) return false;
    return setting_.element_at(messages_[sighting.message].source, sighting.carried->from) == wrong_.element;
  }

  /// The messages that brought the value to where it is wrong, in order.
  std::vector<Sighting> way_of_wrong_value() const {
    std::vector<Sighting> way;
    int rank = wrong_.rank;
    std::uint64_t before = kEnd;
    const std::byte* address = wrong_.address;
    while (const std::optional<Sighting> came = last_brought(wrong_.got, rank, before, address)) {
      // Bytes that are no name, as counts and other data of the program's own, are these only where they lie.
      if (wrong_.got == Contributions::kUnknown && !came->is_in_place) break;
      way.insert(way.begin(), *came);
      rank = messages_[came->message].source;
      before = messages_[came->message].posted_event;
      address = came->carried->from;
    }
    return way;
  }

  // ---- a value that a rank could not have ----

  /// The first message with a value that is, or is in, the wrong one, though its sender had not contributed, received or made it.
  std::optional<Sighting> first_unexplained() const {
    if (!setting_.follows_all) return std::nullopt;
    using Had = std::pair<int, ValueId>;
    std::map<Had, std::uint64_t> received;  // by rank and value: when first
    for (const LoggedMessage& message : messages_) {
      for (const LoggedMessage::Carried& carried : message.carried) {
        const auto [at, is_new] = received.try_emplace({message.dest, carried.value}, message.received_event);
        if (!is_new) at->second = std::min(at->second, message.received_event);
      }
    }
    std::set<Had> made;  // whose it is may be unknown
    for (const MadeSum& sum : contributions_.made()) made.emplace(makers_.rank_of(sum), sum.sum);
    const auto can_have = [&](ValueId value, int rank, std::uint64_t before) {
      if (contributions_.is_sum(value)) {
        if (made.contains({rank, value}) || made.contains({SumMakers::kNobody, value})) return true;
      } else {
        const Term term = contributions_.term(value);
        if (term.kind != Term::Kind::contribution || term.rank == rank) return true;
      }
      const auto came = received.find({rank, value});
      return came != received.end() && came->second < before;
    };
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const LoggedMessage& message = messages_[m];
      if (message.source == PostedMessage::kSwitches || message.second_call != is_in_second_call()) continue;
      for (const LoggedMessage::Carried& carried : message.carried) {
        if (!can_have(carried.value, message.source, message.posted_event) &&
            Contributions::Containing(contributions_, carried.value)(wrong_.got))
          return Sighting{m, &carried, false};
      }
    }
    return std::nullopt;
  }

  void explain_unexplained(const Sighting& sighting) {
    const LoggedMessage& message = messages_[sighting.message];
    found_.cause_rank = message.source;
    found_.cause_message = found_.first_wrong_message = sighting.message;
    found_.cause = fmt::format(
        "{} sent {} by the message {}, and no message had brought that to it, nor had it made it: it came by "
        "memory that ranks share (a pointer, a static or global variable)",
        text_.who(message.source), text_.value(sighting.carried->value), text_.message(sighting.message));
  }

  /// What is followed.
  const char* no_message() const { return setting_.follows_all ? "no message" : "no message of whole elements"; }

  // ---- a right value that is not all ----

  void explain_loss() {
    const std::vector<Sighting> way = way_of_wrong_value();
    const int rank = way.empty() ? wrong_.rank : messages_[way.front().message].source;
    const std::uint64_t before = way.empty() ? kEnd : messages_[way.front().message].posted_event;
    if (!way.empty()) found_.first_wrong_message = way.front().message;

    const Term& term = found_.missing.front();
    const LostContribution lost(*this, makers_, term);
    const std::string what = text_.terms(std::span(&term, 1));
    if (const auto overwritten = lost.overwritten(rank, before)) {
      found_.cause_rank = rank;
      found_.cause_message = overwritten->by;
      found_.cause = fmt::format("{} had combined {}, and received the message {} over it before it had sent it on",
                                 text_.who(rank), text_.value(overwritten->sum), text_.message(overwritten->by));
    } else if (const auto unused = lost.first_unused(rank)) {
      found_.cause_message = unused->message;
      explain_unused(lost, *unused);
    } else if (const auto left = lost.first_left_behind(wrong_.got, rank, before)) {
      found_.cause_message = left->brought;
      const LoggedMessage& brought = messages_[left->brought];
      found_.cause = fmt::format("{} did not use {}, which the message {} brought", text_.who(brought.dest), what,
                                 text_.message(left->brought));
      if (left->sent)
        found_.cause +=
            fmt::format(", in {}, which it sent by the message {}", text_.value(left->part), text_.message(*left->sent));
    } else if (rank == term.rank && term.kind == Term::Kind::contribution) {
      found_.cause = fmt::format("rank {} lost its own contribution", rank);
      if (const auto over = rank == wrong_.rank ? first_received_at(wrong_.address) : std::nullopt) {
        found_.cause_message = over;
        found_.cause += fmt::format(", and received the message {} to where it belongs", text_.message(*over));
      }
    } else if (const auto last = lost.last_carrier(before)) {
      found_.cause_message = last;
      const LoggedMessage& carrier = messages_[*last];
      const bool came_late = carrier.received && carrier.received_in_second_call != carrier.second_call;
      if (carrier.dest == rank && (came_late || !carrier.received))
        found_.cause = fmt::format("{} did not receive the message {}{}: it carried {}", text_.who(rank), text_.message(*last),
                                   came_late ? " in this call, but in a later one" : "", what);
      else
        found_.cause = fmt::format("{} brought {} to {}; the last that carried it was {}", no_message(), what, text_.who(rank),
                                   text_.message(*last));
    } else {
      found_.cause = fmt::format("{} carried {}", no_message(), what);
    }
  }

  /// Neither in the rank's result nor in what it sent. It may have been combined all the same, and be lost since.
  void explain_unused(const LostContribution& lost, const LostContribution::Unused& unused) {
    const std::string who = text_.who(messages_[unused.message].dest);
    const auto combined = lost.combined(unused);
    if (!combined) {
      found_.cause = fmt::format("{} did not use {}, which the message {} brought", who, text_.value(unused.value),
                                 text_.message(unused.message));
      return;
    }
    found_.cause = fmt::format("{} combined {}, which the message {} brought, into {}, and ", who, text_.value(unused.value),
                               text_.message(unused.message), text_.value(combined->sum));
    found_.cause += combined->over ? fmt::format("received the message {} over it", text_.message(*combined->over))
                                   : "has it neither in its result nor in what it sent: it was overwritten or left behind";
  }

  // ---- messages ----

  /// The last message that brought exactly this value to the rank before an event; of several, one that wrote it to `address`.
  std::optional<Sighting> last_brought(ValueId value, int rank, std::uint64_t before,
                                       const std::byte* address = nullptr) const {
    std::optional<Sighting> best;
    bool best_is_there = false;
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const LoggedMessage& message = messages_[m];
      if (!is_received(message, rank, before)) continue;
      for (const LoggedMessage::Carried& carried : message.carried) {
        if (carried.value != value) continue;
        const bool is_there = address != nullptr && carried.into == address;
        if (best_is_there && !is_there) continue;
        if (best && best_is_there == is_there && messages_[best->message].received_event > message.received_event) continue;
        best = Sighting{m, &carried, is_there};
        best_is_there = is_there;
      }
    }
    return best;
  }

  /// The first message that the rank with the wrong element received there.
  std::optional<std::size_t> first_received_at(const std::byte* address) const {
    std::optional<std::size_t> first;
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const LoggedMessage& message = messages_[m];
      if (!is_received(message, wrong_.rank)) continue;
      if (first && messages_[*first].received_event <= message.received_event) continue;
      if (std::ranges::any_of(message.carried, [&](const auto& carried) { return carried.into == address; })) first = m;
    }
    return first;
  }

  int times_brought(ValueId value, int rank, std::uint64_t before) const {
    int times = 0;
    for (const LoggedMessage& message : messages_) {
      if (!is_received(message, rank, before)) continue;
      for (const LoggedMessage::Carried& carried : message.carried) times += carried.value == value ? 1 : 0;
    }
    return times;
  }

  const ProvenanceSetting& setting_;
  ProvenanceText text_;
  SumMakers makers_;
  Provenance found_;
};

}  // namespace

std::vector<ValueId> possible_values(const Contributions& contributions, const std::vector<LoggedMessage>& messages,
                                     const WrongElement& wrong) {
  std::set<ValueId> values;
  for (const Term& term : wrong.expected) values.insert(contributions.name_of(term));
  for (const std::optional<ValueId>& result : wrong.results) {
    if (result) values.insert(*result);
  }
  for (const LoggedMessage& message : messages) {
    for (const LoggedMessage::Carried& carried : message.carried) values.insert(carried.value);
  }
  values.erase(Contributions::kUnknown);
  return {values.begin(), values.end()};
}

std::optional<Provenance> find_provenance(const Contributions& contributions, const std::vector<LoggedMessage>& messages,
                                          const WrongElement& wrong, const ProvenanceSetting& setting) {
  return Tracer(contributions, messages, wrong, setting).find();
}

}  // namespace heddle::emu
