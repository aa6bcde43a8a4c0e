// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/nearest_name.hpp"
#include "core/read_number.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

namespace {

constexpr std::string_view kEndpointHelp = "endpoints have their number, and both their name";

/// What stands behind the subject: "down,at=10us", each asked for once.
class FaultWords {
 public:
  FaultWords(std::string_view spec, std::string_view example, std::vector<std::string_view> words)
      : spec_(spec), example_(example), words_(std::move(words)) {}

  [[noreturn]] void refuse(std::string_view fault) const {
    throw InputError(fmt::format("'{}': {}; try {}", spec_, fault, example_));
  }

  /// Whether this bare word is there.
  bool takes(std::string_view word) {
    names_.push_back(word);
    const auto found = std::ranges::find(words_, word);
    if (found == words_.end()) return false;
    words_.erase(found);
    return true;
  }

  /// The value of name=value.
  std::optional<std::string_view> value(std::string_view name) {
    names_.push_back(name);
    const auto is_it = [name](std::string_view word) {
      return word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=';
    };
    const auto found = std::ranges::find_if(words_, is_it);
    if (found == words_.end()) return std::nullopt;
    const std::string_view value = found->substr(name.size() + 1);
    words_.erase(found);
    return value;
  }

  std::optional<Time> time(std::string_view name) {
    const std::optional<std::string_view> text = value(name);
    if (!text) return std::nullopt;
    try {
      return parse_time(*text);
    } catch (const InputError& error) {
      throw InputError(fmt::format("'{}': {}= {}", spec_, name, error.what()));
    }
  }

  std::optional<std::int64_t> whole(std::string_view name, std::int64_t least) {
    const std::optional<std::string_view> text = value(name);
    if (!text) return std::nullopt;
    return number<std::int64_t>(*text, least, fmt::format("{}= needs a whole number from {}", name, least));
  }

  std::optional<std::uint64_t> seed() {
    const std::optional<std::string_view> text = value("seed");
    if (!text) return std::nullopt;
    return number<std::uint64_t>(*text, 0, "seed= needs a whole number");
  }

  std::optional<double> factor(std::string_view name) {
    const std::optional<std::string_view> text = value(name);
    if (!text) return std::nullopt;
    const double factor = number<double>(*text, 1, fmt::format("{}= needs a factor of at least 1", name));
    if (!std::isfinite(factor)) refuse(fmt::format("{}= needs a factor of at least 1", name));
    return factor;
  }

  /// "1%" or "0.01".
  std::optional<double> probability(std::string_view name) {
    std::optional<std::string_view> text = value(name);
    if (!text) return std::nullopt;
    const std::string expected = fmt::format("{}= needs a share from 0 to 1, or from 0% to 100%", name);
    const bool percent = text->ends_with('%');
    if (percent) text->remove_suffix(1);
    const double share = number<double>(*text, 0, expected) / (percent ? 100 : 1);
    if (!(share <= 1)) refuse(expected);
    return share;
  }

  void require_no_more() const {
    if (words_.empty()) return;
    if (words_.front().empty()) refuse("a comma too many");
    const std::string_view name = words_.front().substr(0, words_.front().find('='));
    if (std::ranges::count(names_, name) > 0) refuse(fmt::format("'{}' does not belong there", words_.front()));
    refuse(unknown_name_message("word", name, names_));
  }

 private:
  template <class Number>
  Number number(std::string_view text, Number least, std::string_view expected) const {
    const auto number = read_number<Number>(text);
    if (!number || !(*number >= least)) refuse(expected);
    return *number;
  }

  std::string_view spec_;
  std::string_view example_;
  std::vector<std::string_view> words_;
  std::vector<std::string_view> names_;  ///< that have been asked for
};

struct FaultReader {
  Faults& faults;
  const Topology& topology;
  int ranks;
};

int read_rank(std::string_view text, const FaultReader& reader, const FaultWords& words) {
  const auto rank = read_number<int>(text);
  if (!rank || *rank < 0 || *rank >= reader.ranks)
    words.refuse(fmt::format("'{}' is no rank; ranks are 0 to {}", text, reader.ranks - 1));
  return *rank;
}

/// "a->b" or "a<->b", where both ways are meant.
struct Arrow {
  std::string_view from;
  std::string_view to;
  bool both = false;
};

Arrow read_arrow(std::string_view text, const FaultWords& words) {
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) words.refuse(fmt::format("'{}' names no two places", text));
  const bool both = arrow > 0 && text[arrow - 1] == '<';
  return {text.substr(0, arrow - (both ? 1 : 0)), text.substr(arrow + 2), both};
}

/// How slow, or down, and from when on; of no link yet.
LinkFault read_link_words(FaultWords& words) {
  LinkFault fault{.at = words.time("at").value_or(Time())};
  fault.down = words.takes("down");
  const std::optional<double> slower = words.factor("slow");
  if (fault.down == slower.has_value()) words.refuse("a link is either down or slow=K");
  fault.slower = slower.value_or(1);
  return fault;
}

void read_link(FaultReader& reader, std::string_view subject, FaultWords& words) {
  if (subject == "worst") {
    if (reader.faults.worst) words.refuse("one worst link is looked for, not two");
    reader.faults.worst = read_link_words(words);
    return;
  }
  const Arrow arrow = read_arrow(subject, words);
  const VertexId from = find_vertex(arrow.from, reader.topology, kEndpointHelp);
  const VertexId to = find_vertex(arrow.to, reader.topology, kEndpointHelp);
  LinkFault fault = read_link_words(words);
  std::vector<LinkId> links = links_between(from, to, reader.topology);
  if (arrow.both) std::ranges::copy(links_between(to, from, reader.topology), std::back_inserter(links));
  for (const LinkId link : links) {
    fault.link = link;
    reader.faults.links.push_back(fault);
  }
}

void read_rank_fault(FaultReader& reader, std::string_view subject, FaultWords& words) {
  RankFault fault{.rank = read_rank(subject, reader, words)};
  int kinds = 0;
  const auto is = [&](RankFault::Kind kind, bool given) {
    if (!given) return;
    fault.kind = kind;
    ++kinds;
  };
  const std::optional<Time> late = words.time("late");
  is(RankFault::Kind::late, late.has_value());
  const std::optional<double> factor = words.factor("slow");
  is(RankFault::Kind::slow, factor.has_value());
  is(RankFault::Kind::throws, words.takes("throws"));
  is(RankFault::Kind::stops, words.takes("stops"));
  if (kinds != 1) words.refuse("a rank is one of late=TIME, slow=K, throws and stops");
  fault.at = late.value_or(Time());
  fault.factor = factor.value_or(1);
  if (fault.kind == RankFault::Kind::throws || fault.kind == RankFault::Kind::stops) {
    const std::optional<Time> at = words.time("at");
    const std::optional<std::int64_t> call = words.whole("call", 1);
    if (at && call) words.refuse("either at= or call= says when");
    fault.at = at.value_or(Time());
    fault.call = call.value_or(0);
  }
  reader.faults.ranks.push_back(fault);
}

void read_message(FaultReader& reader, std::string_view subject, FaultWords& words) {
  const Arrow arrow = read_arrow(subject, words);
  if (arrow.both) words.refuse("a message goes one way");
  MessageFault fault{.source = read_rank(arrow.from, reader, words), .dest = read_rank(arrow.to, reader, words)};
  const bool lost = words.takes("lost");
  fault.damaged = words.takes("damaged");
  if (lost == fault.damaged) words.refuse("a message is either lost or damaged");
  fault.nth = words.whole("nth", 1).value_or(1);
  if (fault.damaged) fault.byte = words.whole("byte", 0);
  reader.faults.messages.push_back(fault);
}

void read_unreliable(FaultReader& reader, std::string_view subject, FaultWords& words) {
  if (!subject.empty()) words.refuse(fmt::format("'{}' is no share of messages", subject));
  if (reader.faults.unreliable) words.refuse("said twice");
  UnreliableFabric fault;
  const std::optional<double> lost = words.probability("lost");
  const std::optional<double> damaged = words.probability("damaged");
  if (!lost && !damaged) words.refuse("lost= or damaged= says how many messages");
  fault.lost = lost.value_or(0);
  fault.damaged = damaged.value_or(0);
  if (const std::optional<std::uint64_t> seed = words.seed()) fault.seed = *seed;
  reader.faults.unreliable = fault;
}

void read_switch(FaultReader& reader, std::string_view subject, FaultWords& words) {
  const VertexId vertex = find_vertex(subject, reader.topology, "no switch has that name");
  if (!words.takes("no-alu")) words.refuse("a switch can be without its ALU: no-alu");
  reader.faults.switches.push_back({vertex});
}

struct FaultKind {
  std::string_view name;
  std::string_view example;
  void (*read)(FaultReader&, std::string_view, FaultWords&);
};
constexpr std::array<FaultKind, 5> kFaultKinds = {{
    {"link", "link:0->1,slow=4,at=10us, link:0<->1,down or link:worst,slow=4", read_link},
    {"rank", "rank:3,late=20us, rank:3,slow=2, rank:3,throws,call=5 or rank:3,stops,at=10us", read_rank_fault},
    {"message", "message:2->5,lost,nth=3 or message:2->5,damaged,byte=7", read_message},
    {"unreliable", "unreliable:lost=1%,damaged=0.1%,seed=7", read_unreliable},
    {"switch", "switch:s0,no-alu", read_switch},
}};

}  // namespace

void add_fault(Faults& faults, std::string_view spec, const Topology& topology, int ranks) {
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const auto kind = std::ranges::find(kFaultKinds, name, &FaultKind::name);
  if (kind == kFaultKinds.end()) {
    std::vector<std::string_view> names;
    for (const FaultKind& known : kFaultKinds) names.push_back(known.name);
    throw InputError(unknown_name_message("fault", name, names));
  }
  std::vector<std::string_view> words =
      split_outside_parentheses(colon == std::string_view::npos ? std::string_view() : spec.substr(colon + 1));
  std::string_view subject;
  if (name != "unreliable") {
    subject = words.front();
    words.erase(words.begin());
  }
  FaultWords rest(spec, kind->example, std::move(words));
  FaultReader reader{faults, topology, ranks};
  kind->read(reader, subject, rest);
  rest.require_no_more();
  try {
    require_possible(faults, topology, ranks);
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", spec, error.what()));
  }
}

Faults parse_faults(std::span<const std::string> specs, const Topology& topology, int ranks) {
  Faults faults;
  for (const std::string& spec : specs) add_fault(faults, spec, topology, ranks);
  return faults;
}

}  // namespace heddle
