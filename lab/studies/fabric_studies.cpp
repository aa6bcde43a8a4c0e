// SPDX-License-Identifier: Apache-2.0
#include "lab/studies/fabric_studies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "topo/graph/narrowest_cut.hpp"
#include "topo/graph/parallel_links.hpp"

namespace heddle {

Bandwidth bandwidth_between_halves(const Fabric& fabric) {
  const Topology& topology = fabric.topology();
  double finite = 0;
  for (LinkId link = 0; link < topology.links(); ++link)
    if (!fabric.bandwidth(link).is_unlimited()) finite += fabric.bandwidth(link).bytes_per_second();
  const double unlimited = 2 * finite + 1;  // more than all others together
  const double bytes_per_second = flow_between_parts(topology, straight_halves(topology), [&](LinkId link) {
    const Bandwidth bandwidth = fabric.bandwidth(link);
    return bandwidth.is_unlimited() ? unlimited : bandwidth.bytes_per_second();
  });
  return bytes_per_second >= unlimited ? Bandwidth::unlimited() : Bandwidth(bytes_per_second);
}

namespace {

/// A link that carries so many times the even part is worth a line.
constexpr double kUneven = 1.5;

LinkSpread spread_of(const ParallelLinks& part, int tier, const Topology& topology, const std::vector<bool>& has_rank,
                     const Report& report) {
  LinkSpread spread{.tier = tier, .endpoints = part.endpoints.size()};
  for (const LinkId link : part.links) {
    const LinkReport& carried = report.links[static_cast<std::size_t>(link)];
    const VertexId from = topology.ends(link).from;
    const bool is_endpoint = from < topology.endpoints();
    if (carried.bytes.count() == 0 && is_endpoint && !has_rank[static_cast<std::size_t>(from)]) continue;
    ++spread.links;
    spread.from_endpoints = spread.from_endpoints && is_endpoint;
    if (carried.bytes.count() == 0) continue;
    ++spread.used;
    spread.bytes += carried.bytes.count();
    if (carried.bytes > spread.most.bytes || (carried.bytes == spread.most.bytes && carried.busy > spread.most.busy))
      spread.most = carried;
  }
  return spread;
}

}  // namespace

std::optional<LinkSpread> most_uneven_links(const Setup& setup, const Report& report) {
  const Topology& topology = setup.fabric.topology();
  if (report.links.size() < static_cast<std::size_t>(topology.links())) return std::nullopt;  // a model without links
  int last_tier = 0;
  for (LinkId link = 0; link < topology.links(); ++link) last_tier = std::max(last_tier, topology.tier(link));
  std::vector<bool> has_rank(static_cast<std::size_t>(topology.endpoints()));
  for (const VertexId endpoint : setup.placement) has_rank[static_cast<std::size_t>(endpoint)] = true;
  std::optional<LinkSpread> worst;
  for (int tier = 1; tier <= last_tier; ++tier) {
    for (const ParallelLinks& part : parallel_links(topology, tier)) {
      if (part.links.size() < 2 || part.endpoints.size() < 2) continue;
      const LinkSpread spread = spread_of(part, tier, topology, has_rank, report);
      if (spread.bytes == 0 || spread.links < 2 || spread.times_even() < kUneven) continue;
      if (!worst || spread.most.busy > worst->most.busy) worst = spread;
    }
  }
  return worst;
}

RankSymmetry::RankSymmetry(Moves moves, std::vector<int> dims, int classes_by)
    : moves_(moves), dims_(std::move(dims)), classes_by_(classes_by) {
  for (const int size : dims_) ranks_ *= size;
}

std::vector<RankSymmetry> RankSymmetry::all_of(int ranks, const std::vector<int>& dims) {
  std::vector<RankSymmetry> all = {{Moves::shift, {ranks}}};
  if (std::has_single_bit(static_cast<unsigned>(ranks))) all.push_back({Moves::exclusive_or, {ranks}});
  if (dims.size() > 1) all.push_back({Moves::grid, dims});
  if (ranks % 2 == 0) all.push_back({Moves::shift, {ranks}, kRank});
  if (dims.size() < 2) return all;
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (dims[d] % 2 == 0) all.push_back({Moves::grid, dims, static_cast<int>(d)});
  return all;
}

int RankSymmetry::coordinate(int rank, std::size_t dimension) const {
  for (std::size_t d = dims_.size() - 1; d > dimension; --d) rank /= dims_[d];
  return rank % dims_[dimension];
}

int RankSymmetry::combined(int a, int b, int sign) const {
  if (moves_ == Moves::exclusive_or) return a ^ b;
  int number = 0;
  for (std::size_t d = 0; d < dims_.size(); ++d)
    number = number * dims_[d] + (coordinate(a, d) + sign * coordinate(b, d) + dims_[d]) % dims_[d];
  return number;
}

int RankSymmetry::moved(int rank, int by) const { return combined(rank, by, 1); }
int RankSymmetry::seen_from(int rank, int by) const { return combined(rank, by, -1); }

int RankSymmetry::class_of(int rank) const {
  if (classes_by_ == kEvery) return 0;
  return (classes_by_ == kRank ? rank : coordinate(rank, static_cast<std::size_t>(classes_by_))) % 2;
}

std::string RankSymmetry::class_name(int number) const {
  if (classes_by_ == kEvery) return "every r";
  const char* parity = number == 0 ? "even" : "odd";
  if (classes_by_ == kRank) return fmt::format("{} r", parity);
  if (dims_.size() == 2) return fmt::format("r of {} {}", parity, classes_by_ == 0 ? "row" : "column");
  return fmt::format("r, {} in dim {}", parity, classes_by_);
}

std::string RankSymmetry::name(int move) const {
  if (move == 0) return "r";
  if (moves_ == Moves::exclusive_or) return fmt::format("r xor {}", move);
  if (moves_ == Moves::shift) return fmt::format("r{:+}", move > ranks_ / 2 ? move - ranks_ : move);
  std::string text;
  for (std::size_t d = 0; d < dims_.size(); ++d) {
    const int by = coordinate(move, d);
    text += fmt::format("{}{}", d == 0 ? "" : ",", by > dims_[d] / 2 ? by - dims_[d] : by);
  }
  return "r+(" + text + ")";
}

std::string RankSymmetry::names(const std::vector<int>& moves) const {
  if (moves_ == Moves::shift) {
    std::string text;
    const std::vector<int> line = cut_open(moves);
    const auto plain = [](int number) { return number == 0 ? std::string("r") : fmt::format("r{:+}", number); };
    for (std::size_t begin = 0, end = 0; begin < line.size(); begin = end) {
      for (end = begin + 1; end < line.size() && line[end] == line[end - 1] + 1;) ++end;
      text += begin == 0 ? "" : ", ";
      text += plain(line[begin]);
      if (end - begin > 1) text += (end - begin > 2 ? "…" : ", ") + plain(line[end - 1]);
    }
    return text;
  }
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < moves.size(); begin = end) {
    end = begin + 1;
    if (moves_ == Moves::exclusive_or)
      while (end < moves.size() && moves[end] == moves[end - 1] + 1) ++end;
    text += begin == 0 ? "" : ", ";
    text += end - begin > 2 ? fmt::format("r xor {}-{}", moves[begin], moves[end - 1]) : name(moves[begin]);
    if (end - begin == 2) text += ", " + name(moves[end - 1]);
  }
  return text;
}

std::vector<int> RankSymmetry::cut_open(const std::vector<int>& circle) const {
  std::size_t first = 0;
  int largest = 0;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const int before = i == 0 ? circle.back() - ranks_ : circle[i - 1];
    if (circle[i] - before > largest) {
      largest = circle[i] - before;
      first = i;
    }
  }
  std::vector<int> line;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const std::size_t at = (first + i) % circle.size();
    line.push_back(circle[at] + (at < first ? ranks_ : 0));
  }
  if (line.front() > ranks_ / 2 || line.back() >= ranks_)  // r itself is r, not r+p
    for (int& number : line) number -= ranks_;
  return line;
}

}  // namespace heddle
