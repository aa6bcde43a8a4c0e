// SPDX-License-Identifier: Apache-2.0
#include "show/reports/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/printable.hpp"
#include "lab/documents/context.hpp"
#include "lab/run/links.hpp"
#include "lab/studies/fabric_studies.hpp"
#include "show/document/document.hpp"
#include "show/reports/packets_report.hpp"
#include "show/reports/run_table.hpp"

namespace heddle {

namespace {

constexpr std::size_t kMostRounds = 3;
constexpr std::size_t kMostNamedRanks = 8;
constexpr std::size_t kMostPhases = 8;

/// The path's messages, the first first.
std::vector<std::uint32_t> path_of(const Report& report, const Timeline& timeline) {
  std::vector<std::uint32_t> path;
  for (std::uint32_t at = report.critical_path.last_record; at != CriticalPath::kNoRecord; at = timeline.messages[at].previous)
    path.push_back(at);
  std::reverse(path.begin(), path.end());
  return path;
}

Time contention_of(const MessageRecord& message) {
  const Time contention = message.drained - message.entered - message.full_rate;
  return contention > Time::ps(1) ? contention : Time();  // rates round to a picosecond either way
}

std::span<const LinkId> links_of(const Timeline& timeline, const FlowRecord& flow) {
  return std::span(timeline.links).subspan(flow.first_link, flow.links);
}

double percent(Time part, Time whole) { return 100.0 * static_cast<double>(part.ps()) / static_cast<double>(whole.ps()); }

std::string parts_text(const PathParts& parts, Time completion) {
  std::array<std::pair<Time, std::string_view>, 6> named = {{{parts.contention, "contention"},
                                                             {parts.serialisation, "serialisation"},
                                                             {parts.startup, "start-up"},
                                                             {parts.propagation, "propagation"},
                                                             {parts.local_work, "local work"},
                                                             {parts.waiting, "waiting"}}};
  std::ranges::stable_sort(named, std::greater<>(), &std::pair<Time, std::string_view>::first);
  std::string text;
  for (const auto& [part, name] : named) {
    if (part == Time()) continue;
    text += fmt::format("{}{:.3g} % {}", text.empty() ? "" : ", ", percent(part, completion), name);
  }
  return text;
}

std::string path_line(const Setup& setup, const Report& report) {
  const Coefficients of = coefficients(report, Bytes(setup.bytes()));
  std::string line = fmt::format("#   the longest chain: {}, {} (n_alpha {}", counted(of.n_alpha, "message"),
                                 counted(report.critical_path.bytes, "byte"), of.n_alpha);
  if (of.n_beta) line += fmt::format(", n_beta {:.4g}", *of.n_beta);
  line += ")";
  if (report.contention_free > Time() && why_not(setup.settings.model, ModelNeed::contention).empty())
    line += fmt::format("; without contention {} us, so contention costs {:.3f} x", microseconds(report.contention_free),
                        static_cast<double>(report.completion.ps()) / static_cast<double>(report.contention_free.ps()));
  return line + '\n';
}

std::string deficiencies_line(const Setup& setup, const Report& report) {
  if (!setup.groups.empty()) return "";
  const auto of = deficiencies(report, setup.asked.collective, Bytes(setup.bytes()), setup.fabric, setup.placement);
  if (!of) return "";
  const auto text = [](const std::optional<double>& factor) {
    return factor ? fmt::format("{:.3g}", *factor) : std::string("-");
  };
  return fmt::format(
      "#   times the optimum: latency Λ {:.3g}, bandwidth Ψ {}, congestion Ξ {} (Swing 2.2); latency Λ {:.3g}, bytes sent Δ "
      "{:.3g}, "
      "transmission delay Θ {} (Trivance 2.3)\n",
      of->latency, text(of->bandwidth), text(of->congestion), of->latency_base_3, of->sent, text(of->transmission_delay));
}

std::string rounds_line(const Report& report, const Timeline& timeline) {
  const std::vector<RoundCost> costs = costs_by_round(report, timeline);
  if (costs.size() < 2) return "";
  std::string line = "#   most expensive rounds:";
  for (std::size_t i = 0; i < std::min(kMostRounds, costs.size()); ++i) {
    line += fmt::format("{} {} ({} us, {:.3g} %", i == 0 ? "" : ",", costs[i].round, microseconds(costs[i].time),
                        percent(costs[i].time, report.completion));
    if (costs[i].contention > Time()) line += fmt::format(", of which contention {} us", microseconds(costs[i].contention));
    line += ")";
  }
  return line + '\n';
}

/// A line for each phase; none where there is but one.
std::string phase_lines(const Report& report, const Timeline& timeline) {
  const std::vector<PhaseCost> costs = costs_by_phase(report, timeline);
  if (std::ranges::count_if(costs, [](const PhaseCost& cost) { return cost.phase != CriticalPath::kNoRecord; }) < 2) return "";
  std::string lines;
  for (std::size_t i = 0; i < std::min(kMostPhases, costs.size()); ++i) {
    const PhaseCost& cost = costs[i];
    const bool is_named = cost.phase != CriticalPath::kNoRecord;
    lines += fmt::format("#   {}: {} us of the chain ({:.3g} %",
                         is_named ? "phase " + timeline.phases[cost.phase].name : "in no phase", microseconds(cost.on_path),
                         percent(cost.on_path, report.completion));
    if (cost.contention > Time()) lines += fmt::format(", of which contention {} us", microseconds(cost.contention));
    lines += ")";
    if (is_named)
      lines += fmt::format("; in a rank {} us on average, at most {} us", microseconds(cost.mean), microseconds(cost.most));
    lines += '\n';
  }
  if (costs.size() > kMostPhases) lines += fmt::format("#   and {} more phases\n", costs.size() - kMostPhases);
  return lines;
}

std::string link_text(const Topology& topology, LinkId link) {
  if (link < topology.links()) return "link " + topology.link_name(link);
  const Trunk trunk = topology.trunk(link);
  if (trunk.count == 1) return "link " + topology.link_name(trunk[0]);
  return fmt::format("links {} and {} more like it", topology.link_name(trunk[0]), trunk.count - 1);
}

/// "from ranks 3, 7 and 11"
std::string senders_text(const Timeline& timeline, const std::vector<std::uint32_t>& messages) {
  std::set<int> senders;
  for (const std::uint32_t message : messages) senders.insert(timeline.messages[message].source);
  const bool has_switches = senders.erase(MessageRecord::kSwitches) > 0;
  std::string text = has_switches ? "from the switches" : "";
  std::size_t named = 0;
  for (const int rank : senders) {
    if (named == kMostNamedRanks) return text + fmt::format(" and {} more", senders.size() - named);
    if (named == 0)
      text += fmt::format("{}from rank{} {}", has_switches ? " and " : "", senders.size() == 1 ? "" : "s", rank);
    else
      text += fmt::format("{} {}", named + 1 == senders.size() ? " and" : ",", rank);
    ++named;
  }
  return text;
}

/// A link that a message of the critical path shared with others, or with a load in the background.
struct LinkContention {
  LinkId link;  ///< or trunk
  int round;    ///< of that message
  Time contention;
  std::vector<std::uint32_t> messages;  ///< in the link while that message was; that one first
};

/// For the message of the critical path with the most contention, the one of its links that held it up most, and the messages
/// that were in it meanwhile. No value if no message of the path lost time by sharing a link. `holds` are the timeline's.
std::optional<LinkContention> worst_contention(const Report& report, const Timeline& timeline,
                                               const std::vector<LinkHold>& holds) {
  std::uint32_t worst = CriticalPath::kNoRecord;
  for (const std::uint32_t message : path_of(report, timeline)) {
    if (worst == CriticalPath::kNoRecord || contention_of(timeline.messages[message]) > contention_of(timeline.messages[worst]))
      worst = message;
  }
  if (worst == CriticalPath::kNoRecord || contention_of(timeline.messages[worst]) == Time()) return std::nullopt;

  const MessageRecord& slowed = timeline.messages[worst];
  std::map<LinkId, std::vector<std::uint32_t>> met;  // on each of its links, by message
  for (const FlowRecord& flow : timeline.flows) {
    if (flow.message != worst) continue;
    for (const LinkId link : links_of(timeline, flow)) met.try_emplace(link, std::vector<std::uint32_t>{worst});
  }
  for (const FlowRecord& flow : timeline.flows) {
    if (flow.message == worst || flow.end <= slowed.entered || flow.begin >= slowed.drained) continue;
    for (const LinkId link : links_of(timeline, flow)) {
      if (const auto of_link = met.find(link); of_link != met.end()) of_link->second.push_back(flow.message);
    }
  }
  std::map<LinkId, double> lost;  // on each of its links
  for (const LinkHold& hold : holds)
    if (hold.message == worst) lost[hold.link] += hold.lost;
  const auto most = std::ranges::max_element(lost, {}, [](const auto& entry) { return entry.second; });
  if (most == lost.end()) return std::nullopt;
  return LinkContention{most->first, slowed.round, contention_of(slowed), met[most->first]};
}

std::string contention_line(const Setup& setup, const Report& report, const Timeline& timeline,
                            const std::vector<LinkHold>& holds) {
  const std::optional<LinkContention> worst = worst_contention(report, timeline, holds);
  if (!worst) {
    const bool lost = report.critical_path.parts.contention > Time::ps(report.critical_path.messages);
    return lost ? "" : "#   no message of the chain shared a link with another\n";
  }
  return fmt::format("#   worst contention: {} carried {} in round {}, {}{}; it cost {} us\n",
                     link_text(setup.fabric.topology(), worst->link), counted(std::ssize(worst->messages), "message"),
                     worst->round, senders_text(timeline, worst->messages),
                     setup.background.empty() ? "" : ", beside the load in the background", microseconds(worst->contention));
}

/// "NICs" and "links of tier 'leaf to spine'", for links out of endpoints and out of switches.
std::string links_text(const LinkSpread& spread, const Topology& topology) {
  const std::vector<TierProperties> tiers = topology.properties().tiers;
  const auto tier = static_cast<std::size_t>(spread.tier);
  const std::string name = tier < tiers.size() ? tiers[tier].name : fmt::format("{}", tier);
  constexpr std::string_view kTo = " to ";
  const std::size_t to = name.find(kTo);
  if (spread.from_endpoints && to != std::string::npos) return name.substr(0, to) + "s";
  return fmt::format("links of tier '{}'", name);
}

/// What the family calls it.
std::string part_text(const LinkSpread& spread, const Topology& topology) {
  if (spread.tier == 1 && topology.spec().starts_with("superpod:")) return "a pod";
  return fmt::format("a group of {} endpoints", spread.endpoints);
}

/// "1 of 8 NICs of a pod carries all that leaves it"; empty where links side by side carry about equal parts.
std::string spread_line(const Setup& setup, const Report& report) {
  const std::optional<LinkSpread> worst = most_uneven_links(setup, report);
  if (!worst || report.completion == Time()) return "";
  const Topology& topology = setup.fabric.topology();
  const std::string links = links_text(*worst, topology);
  const std::string part = part_text(*worst, topology);
  const double busy = percent(worst->most.busy, report.completion);
  if (worst->used < worst->links && worst->used_alike())
    return fmt::format("#   {} of {} {} of {} carr{} all that leaves it: {} is busy {:.3g} % of the time\n", worst->used,
                       worst->links, links, part, worst->used == 1 ? "ies" : "y", topology.link_name(worst->most.link), busy);
  return fmt::format(
      "#   {} {} of {} carry unequal parts: {} has {:.3g} % of all that leaves it, where an even part is {:.3g} %, and is busy "
      "{:.3g} % of the time\n",
      worst->links, links, part, topology.link_name(worst->most.link),
      100.0 * static_cast<double>(worst->most.bytes.count()) / static_cast<double>(worst->bytes),
      100.0 / static_cast<double>(worst->links), busy);
}

// What held a run up: its most utilised link, and the tiers of links in which the messages of its longest chain drained.

constexpr std::size_t kMostDrainingTiers = 4;
constexpr double kAsFull = 1e-6;  // utilisations that differ by less are equal: times are whole picoseconds

/// A link with all that it carried.
struct UsedLink {
  const LinkReport* link;
  double own;     ///< utilisation by the run's messages
  double others;  ///< by the load in the background
  double all() const { return own + others; }
};

std::vector<UsedLink> used_links(const Setup& setup, const Report& report) {
  const std::vector<double> background = background_bytes(setup, report);
  std::vector<UsedLink> used;
  for (const LinkReport& link : report.links) {
    if (link.bytes == Bytes()) continue;
    const double own = utilisation(link, setup.fabric, report.completion);
    const double others = background[static_cast<std::size_t>(link.link)] / static_cast<double>(link.bytes.count());
    used.push_back({&link, own, own * others});
  }
  return used;
}

std::string microseconds_text(double seconds) { return fmt::format("{:.3f}", seconds * 1e6); }

std::string short_percent(double part) { return fmt::format("{:.3g} %", 100 * part); }

double part_of(Time part, Time whole) { return static_cast<double>(part.ps()) / static_cast<double>(whole.ps()); }

std::string carried_text(const LinkReport& link, Time completion) {
  return fmt::format("{}, at most {} at once, busy {} of the time", counted(link.bytes.count(), "byte"),
                     counted(link.peak_flows, "message"), short_percent(part_of(link.busy, completion)));
}

/// Seconds in which messages drained, of which so many over links that a fault slows.
struct Drained {
  double seconds = 0;
  double slowed = 0;
};
using DrainedByTier = std::map<int, Drained>;

std::string draining_text(const Setup& setup, const DrainedByTier& tiers, Time completion, std::string_view what) {
  std::vector<std::pair<int, Drained>> order(tiers.begin(), tiers.end());
  std::erase_if(order, [](const auto& one) { return one.second.seconds < 1e-12; });
  std::ranges::stable_sort(order, std::greater<>(), [](const auto& one) { return one.second.seconds; });
  if (order.empty()) return "";
  const std::vector<NamedSpeed> speeds = speeds_by_tier(setup.fabric);
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), kMostDrainingTiers); ++i) {
    const auto& [tier, drained] = order[i];
    const NamedSpeed& speed = speeds[std::min(static_cast<std::size_t>(tier), speeds.size() - 1)];
    text +=
        fmt::format("{}{} ({}) {} us, {} of the time", text.empty() ? "" : "; ", speed.name, to_string(speed.speed.bandwidth),
                    microseconds_text(drained.seconds), short_percent(drained.seconds / completion.seconds()));
    if (drained.slowed > 1e-12)
      text += fmt::format(" ({} us over links that a fault slows)", microseconds_text(drained.slowed));
  }
  return fmt::format("#   {}: {}\n", what, text);
}

bool has_several_tiers(const Setup& setup) { return setup.fabric.topology().properties().tiers.size() > 1; }

int tier_of(const Topology& topology, LinkId link) {
  return topology.tier(link < topology.links() ? link : topology.trunk(link)[0]);
}

/// The narrowest link on the way between two ranks, and the latency of that way; no value: they sit on one endpoint.
struct Way {
  LinkId narrowest;
  Time latency;
};
std::optional<Way> way_between(const Setup& setup, const LinkSpeeds& speeds, int source, int dest, Time now) {
  const VertexId from = setup.placement[static_cast<std::size_t>(source)];
  const VertexId to = setup.placement[static_cast<std::size_t>(dest)];
  if (from == to) return std::nullopt;
  Route route;
  setup.fabric.topology().route(from, to, setup.fabric.settings().routing, route);
  const Route::Path& path = route.paths().front();
  std::optional<LinkId> narrowest;
  for (std::int32_t i = 0; i < path.count; ++i) {
    const LinkId link = route.links()[static_cast<std::size_t>(path.first + i)];
    if (!narrowest || speeds.at(link, now) < speeds.at(*narrowest, now)) narrowest = link;
  }
  if (!narrowest) return std::nullopt;
  return Way{*narrowest, setup.fabric.path_latency(route, path)};
}

/// "NIC to leaf, 50GB/s": a link's tier and rate, and what faults leave of it.
std::string link_kind_text(const Setup& setup, LinkId link, Time until) {
  const Topology& topology = setup.fabric.topology();
  const LinkSpeeds speeds(setup);
  std::string text =
      fmt::format("{}, {}", tier_name(speeds_by_tier(setup.fabric), topology, link), to_string(setup.fabric.bandwidth(link)));
  if (speeds.is_slowed(link, Time()))
    text += fmt::format(", slowed to {}", to_string(Bandwidth(speeds.at(link, Time()))));
  else if (speeds.is_slowed(link, until))
    text += ", slowed from some time on";
  return text;
}

/// The link of which the most of what it could carry was used, a load in the background included: a line that begins with "#   ".
/// Where no link has a limit, the one with most bytes. Empty: no link carried anything.
std::string most_utilised_line(const Setup& setup, const Report& report) {
  const std::vector<UsedLink> used = used_links(setup, report);
  if (used.empty() || report.completion == Time()) return "";
  // Of equals that in which most messages meet, then that with most bytes, then the first.
  const auto is_less = [](const UsedLink& a, const UsedLink& b) {
    if (std::abs(a.all() - b.all()) > kAsFull) return a.all() < b.all();
    return std::tuple(a.link->peak_flows, a.link->bytes) < std::tuple(b.link->peak_flows, b.link->bytes);
  };
  const UsedLink* most = &used.front();
  for (const UsedLink& one : used)
    if (is_less(*most, one)) most = &one;
  const std::string name = setup.fabric.topology().link_name(most->link->link);
  const std::string carried = carried_text(*most->link, report.completion);
  if (most->all() == 0) return fmt::format("#   most loaded link, none of them limited: {} with {}\n", name, carried);
  const auto equal = std::ranges::count_if(used, [&](const UsedLink& one) { return most->all() - one.all() <= kAsFull; });
  const std::string others = most->others > 0 ? fmt::format(" and {} by the background", short_percent(most->others)) : "";
  const std::string as_much = equal > 1 ? fmt::format("; {} as full", counted(equal - 1, "other")) : "";
  return fmt::format("#   most utilised link: {} ({}): {} of what it could carry{}{}; {}\n", name,
                     link_kind_text(setup, most->link->link, report.completion), short_percent(most->own), others, as_much,
                     carried);
}

/// How long the messages of the chain drained, by the tier of the link that gave them their rate. A line that begins with "#   ";
/// empty where all links are of one tier. `path`: the chain's messages in the timeline; `holds` are the timeline's.
std::string draining_line(const Setup& setup, const Report& report, const Timeline& timeline,
                          const std::vector<std::uint32_t>& path, const std::vector<LinkHold>& holds) {
  if (!has_several_tiers(setup) || report.completion == Time()) return "";
  std::map<std::uint32_t, double> held;  // of each message of the path, by all of its links
  for (const std::uint32_t message : path) held[message] = 0;
  for (const LinkHold& hold : holds)
    if (const auto of = held.find(hold.message); of != held.end()) of->second += hold.seconds;
  DrainedByTier tiers;
  for (const LinkHold& hold : holds) {
    const auto of = held.find(hold.message);
    if (of == held.end() || of->second <= 0) continue;
    const MessageRecord& message = timeline.messages[hold.message];
    const double seconds = (message.drained - message.entered).seconds() * hold.seconds / of->second;
    Drained& drained = tiers[tier_of(setup.fabric.topology(), hold.link)];
    drained.seconds += seconds;
    if (hold.is_slowed) drained.slowed += seconds;
  }
  return draining_text(setup, tiers, report.completion, "the chain's messages drain at the rate of");
}

/// The same of a timeline without flows, in which a message's `drained` is its `arrived`: how long the messages would drain alone, by
/// the tier of the narrowest link on their way.
std::string draining_alone_line(const Setup& setup, const Report& report, const Timeline& timeline,
                                const std::vector<std::uint32_t>& path) {
  if (!has_several_tiers(setup) || report.completion == Time()) return "";
  const LinkSpeeds speeds(setup);
  DrainedByTier tiers;
  for (const std::uint32_t number : path) {
    const MessageRecord& message = timeline.messages[number];
    if (message.source == MessageRecord::kSwitches || message.dest == MessageRecord::kSwitches) continue;
    const auto way = way_between(setup, speeds, message.source, message.dest, message.entered);
    if (!way || message.full_rate <= way->latency) continue;
    const double seconds = (message.full_rate - way->latency).seconds();
    Drained& drained = tiers[tier_of(setup.fabric.topology(), way->narrowest)];
    drained.seconds += seconds;
    if (speeds.is_slowed(way->narrowest, message.entered)) drained.slowed += seconds;
  }
  return draining_text(setup, tiers, report.completion, "contention apart, the chain's messages drain at the rate of");
}

std::string lines_of_path(const Setup& setup, const Algorithm& algorithm, const Report& report, const Timeline& timeline) {
  if (report.completion == Time()) return fmt::format("# {}: takes no time\n", algorithm.name);
  return fmt::format("# {}: {} us: {}\n", algorithm.name, microseconds(report.completion),
                     parts_text(report.critical_path.parts, report.completion)) +
         path_line(setup, report) + deficiencies_line(setup, report) + rounds_line(report, timeline);
}

/// Calls visit(message, its cost) for each message of the critical path; the costs add up to the completion.
template <class Visit>
void for_each_of_path(const Report& report, const Timeline& timeline, const Visit& visit) {
  const std::vector<std::uint32_t> path = path_of(report, timeline);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const MessageRecord& message = timeline.messages[path[i]];
    const Time begin = i == 0 ? Time() : message.started;
    const Time end = i + 1 < path.size() ? timeline.messages[path[i + 1]].started : report.completion;
    visit(message, end - begin);
  }
}

/// By outermost phase and rank, how long any of the rank's tasks was in it.
std::map<std::pair<std::uint32_t, int>, Time> times_in_phases(const Timeline& timeline) {
  std::map<std::pair<std::uint32_t, int>, std::vector<std::pair<Time, Time>>> stretches;
  for (const PhaseRecord& record : timeline.phase_records)
    stretches[{outermost_phase(timeline.phases, record.phase), record.rank}].emplace_back(record.begin, record.end);
  std::map<std::pair<std::uint32_t, int>, Time> times;
  for (auto& [key, of_key] : stretches) {
    std::ranges::sort(of_key);
    Time counted_until;
    Time& time = times[key];
    for (const auto& [begin, end] : of_key) {
      if (end <= counted_until) continue;
      time += end - std::max(begin, counted_until);
      counted_until = end;
    }
  }
  return times;
}

}  // namespace

std::vector<RoundCost> costs_by_round(const Report& report, const Timeline& timeline) {
  std::map<int, RoundCost> rounds;
  for_each_of_path(report, timeline, [&](const MessageRecord& message, Time time) {
    RoundCost& cost = rounds.try_emplace(message.round, RoundCost{message.round, Time(), Time()}).first->second;
    cost.time += time;
    cost.contention += contention_of(message);
  });
  std::vector<RoundCost> costs;
  for (const auto& [round, cost] : rounds) costs.push_back(cost);
  std::ranges::stable_sort(costs, std::greater<>(), &RoundCost::time);
  return costs;
}

std::vector<PhaseCost> costs_by_phase(const Report& report, const Timeline& timeline) {
  std::map<std::uint32_t, PhaseCost> phases;
  const auto cost_of = [&](std::uint32_t phase) -> PhaseCost& {
    const std::uint32_t of = outermost_phase(timeline.phases, phase);
    return phases.try_emplace(of, PhaseCost{of, Time(), Time(), Time(), Time()}).first->second;
  };
  for_each_of_path(report, timeline, [&](const MessageRecord& message, Time time) {
    PhaseCost& cost = cost_of(message.phase);
    cost.on_path += time;
    cost.contention += contention_of(message);
  });
  std::map<std::uint32_t, std::int64_t> ranks;
  for (const auto& [key, time] : times_in_phases(timeline)) {
    PhaseCost& cost = cost_of(key.first);
    cost.mean += time;
    cost.most = std::max(cost.most, time);
    ++ranks[key.first];
  }
  std::vector<PhaseCost> costs;
  for (auto& [phase, cost] : phases) {
    if (ranks.contains(phase)) cost.mean = Time::ps(cost.mean.ps() / ranks[phase]);
    costs.push_back(cost);
  }
  return costs;
}

namespace {

/// What a network has to tell apart, where there is more than one stream. Empty: there is not.
std::string streams_line(const StreamsReport& streams) {
  if (streams.most_tag == 0 && streams.most_context == std::optional<std::uint64_t>(1)) return "";
  const std::string bits = streams.most_context ? fmt::format("{}", std::bit_width(*streams.most_context)) : "more than 64";
  return fmt::format("#   a network must carry tags up to {} and {} bits that name the communicator\n", streams.most_tag, bits);
}

}  // namespace

std::string explanation(const Setup& setup, const Algorithm& algorithm, const Report& report, const Timeline& timeline) {
  if (report.completion == Time()) return lines_of_path(setup, algorithm, report, timeline);
  // Packets do not share a link: they wait for it.
  if (report.packets)
    return lines_of_path(setup, algorithm, report, timeline) + phase_lines(report, timeline) +
           queues_lines(report, setup.fabric.topology()) + most_utilised_line(setup, report) + spread_line(setup, report) +
           streams_line(report.streams);
  const std::vector<LinkHold> holds = find_link_holds(timeline, setup);
  return lines_of_path(setup, algorithm, report, timeline) + phase_lines(report, timeline) +
         contention_line(setup, report, timeline, holds) +
         draining_line(setup, report, timeline, path_of(report, timeline), holds) + most_utilised_line(setup, report) +
         spread_line(setup, report) + streams_line(report.streams);
}

std::string explanation_of_path(const Setup& setup, const Algorithm& algorithm, const Report& report,
                                const Timeline& timeline) {
  if (report.completion == Time()) return lines_of_path(setup, algorithm, report, timeline);
  return lines_of_path(setup, algorithm, report, timeline) + phase_lines(report, timeline) +
         queues_lines(report, setup.fabric.topology()) +
         draining_alone_line(setup, report, timeline, path_of(report, timeline)) + most_utilised_line(setup, report) +
         spread_line(setup, report) + streams_line(report.streams);
}

std::string explanation_legend(const Setup& setup) {
  std::string text =
      "# in the explanations: n_alpha: start-ups (messages) of the longest chain, n_beta: its bytes over the vector's;\n";
  if (setup.asked.collective == Collective::allreduce && setup.groups.empty())
    text +=
        "# of p ranks and a vector of M bytes: Λ latency: n_alpha / log2 p, in Trivance n_alpha / log3 p; Ψ bandwidth: the "
        "chain's serialisation over what 2M takes through all ports of a rank; Ξ congestion: serialisation and contention "
        "over serialisation; Δ bytes sent: the most by a rank over 2M; Θ transmission delay: Ψ·Ξ;\n";
  return text + "# the formulas: docs/model.md, \"The critical path\"\n";
}

}  // namespace heddle
