// SPDX-License-Identifier: Apache-2.0
#include "claims/trivance/trivance_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::claims::trivance_parts {

namespace {

struct KnownFamily {
  std::string_view name;
  std::vector<std::string> algorithms;  ///< L, then B
};

const std::vector<KnownFamily>& known_families() {
  static const std::vector<KnownFamily> families = {{"Trivance", {"trivance_latency", "trivance_bandwidth"}},
                                                    {"Bruck", {"bruck_latency", "bruck_bandwidth"}},
                                                    {"Swing", {"swing_latency", "swing_bandwidth"}},
                                                    {"recursive doubling", {"torus_recursive_doubling", "torus_rabenseifner"}},
                                                    {"bucket", {"bucket"}}};
  return families;
}

/// A family that took so many times as long at a smaller size as the first does at this one is not first: times grow with size.
constexpr double kBeyond = 3;

/// An L variant that takes so many times as long as the B variant stays behind: it sends more, the larger the more.
constexpr double kBeaten = 1.2;

}  // namespace

Comparison::Comparison(Lab& lab, std::string topology, std::vector<std::string> families, std::string speeds)
    : lab_(lab), topology_(std::move(topology)), speeds_(std::move(speeds)) {
  for (const std::string& name : families) {
    Family family{.name = name, .variants = {}};
    for (const std::string& algorithm : std::ranges::find(known_families(), name, &KnownFamily::name)->algorithms)
      family.variants.push_back({.algorithm = algorithm});
    families_.push_back(std::move(family));
  }
}

std::string Comparison::arguments(const std::string& algorithm, std::string_view size) const {
  return fmt::format("allreduce --algo {} --topo {} --size {} {} --payload 4MiB", algorithm, topology_, size, speeds_);
}

std::string Comparison::command(std::string_view size) const {
  std::vector<std::string> algorithms;
  for (const Family& family : families_)
    for (const Variant& variant : family.variants) algorithms.push_back(variant.algorithm);
  return "heddle run " + arguments(fmt::format("{}", fmt::join(algorithms, ",")), size);
}

const Comparison::Variant& Comparison::Family::best() const {
  const Variant* best = &variants.back();
  for (const Variant& variant : variants)
    if (!variant.is_beaten && variant.last < best->last) best = &variant;
  return *best;
}

void Comparison::run(std::span<Family*> families, std::string_view size) {
  std::vector<std::string> runs;
  for (const Family* family : families)
    for (const Variant& variant : family->variants)
      if (!variant.is_beaten) runs.push_back(arguments(variant.algorithm, size));
  lab_.prepare(runs);
  for (Family* family : families) {
    for (Variant& variant : family->variants)
      if (!variant.is_beaten) variant.last = lab_.microseconds(arguments(variant.algorithm, size));
    Variant& latency = family->variants.front();
    if (latency.last > kBeaten * family->variants.back().last) latency.is_beaten = true;
  }
}

std::vector<Standing> Comparison::at(std::string_view size) {
  std::vector<Family*> first = {&families_.front()};
  run(first, size);
  const double shortest = families_.front().best().last;
  std::vector<Family*> others;
  for (std::size_t f = 1; f < families_.size(); ++f)
    if (families_[f].best().last <= kBeyond * shortest) others.push_back(&families_[f]);
  run(others, size);
  std::vector<Standing> standings;
  for (const Family& family : families_) {
    const bool has_two = family.variants.size() > 1;
    const bool has_run = &family == first.front() || std::ranges::find(others, &family) != others.end();
    standings.push_back({.family = family.name,
                         .variant = !has_two                                     ? ' '
                                    : &family.best() == &family.variants.front() ? 'L'
                                                                                 : 'B',
                         .microseconds = family.best().last,
                         .at_least = !has_run});
  }
  return standings;
}

double lead_over(const std::vector<Standing>& standings, std::string_view family) {
  return std::ranges::find(standings, family, &Standing::family)->microseconds / standings.front().microseconds - 1;
}

double lead_over_best(const std::vector<Standing>& standings) {
  double best = standings.at(1).microseconds;
  for (std::size_t i = 2; i < standings.size(); ++i) best = std::min(best, standings[i].microseconds);
  return best / standings.front().microseconds - 1;
}

std::string winner(const std::vector<Standing>& standings) {
  return std::ranges::min(standings, {}, &Standing::microseconds).family;
}

std::string describe(const std::vector<Standing>& standings) {
  std::vector<Standing> sorted(standings.begin() + 1, standings.end());
  std::ranges::stable_sort(sorted, {}, &Standing::microseconds);
  const auto variant = [](const Standing& standing) {
    return standing.variant == ' ' || standing.at_least ? std::string() : fmt::format(" ({})", standing.variant);
  };
  const Standing& first = standings.front();
  std::vector<std::string> others;
  for (const Standing& other : sorted)
    others.push_back(fmt::format("{} {}{:+.1f} %{}", other.family, other.at_least ? "> " : "",
                                 100 * (other.microseconds / first.microseconds - 1), variant(other)));
  return fmt::format("{} {:.2f} us{}; {}", first.family, first.microseconds, variant(first), fmt::join(others, ", "));
}

}  // namespace heddle::claims::trivance_parts
