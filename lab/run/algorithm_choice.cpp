// SPDX-License-Identifier: Apache-2.0
#include "lab/run/algorithm_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/plugin/load_plugins.hpp"

namespace heddle {

namespace {

/// Empty if the algorithm can serve all.
std::string why_not_all(const Algorithm& algorithm, std::span<const Shape> shapes, const ReduceOp& op) {
  for (const Shape& shape : shapes) {
    if (std::string reason = why_not(algorithm, shape, op); !reason.empty()) return reason;
  }
  return "";
}

/// The registry's, but for those whose name is taken, then one's own.
std::vector<const Algorithm*> all_rows(Collective collective, std::span<const Algorithm> own) {
  std::vector<const Algorithm*> rows;
  for (const Algorithm* algorithm : algorithms_of(collective)) {
    if (!has_row(own, collective, algorithm->name)) rows.push_back(algorithm);
  }
  for (const Algorithm& algorithm : own) {
    if (algorithm.collective == collective) rows.push_back(&algorithm);
  }
  return rows;
}

AlgorithmChoice choose_all(Collective collective, std::span<const Shape> shapes, const ReduceOp& op,
                           std::span<const Algorithm> own) {
  AlgorithmChoice choice;
  for (const Algorithm* algorithm : all_rows(collective, own)) {
    std::string reason = why_not_all(*algorithm, shapes, op);
    if (reason.empty())
      choice.chosen.push_back(*algorithm);
    else
      choice.left_out.push_back({algorithm->name, std::move(reason)});
  }
  return choice;
}

std::string names_of(const std::vector<Algorithm>& algorithms) {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : algorithms) names.push_back(algorithm.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// "outer=bucket" in "hierarchical:inner=ring,outer=bucket": an option of the algorithm before.
bool is_option(std::string_view part) {
  const std::size_t sign = part.find_first_of(":=");
  return sign != std::string_view::npos && part[sign] == '=';
}

std::vector<std::string_view> split_names(std::string_view text) {
  std::vector<std::string_view> names;
  for (const std::string_view part : split_list(text)) {
    if (is_option(part) && !names.empty())
      names.back() = {names.back().data(), part.data() + part.size()};
    else
      names.push_back(part);
  }
  return names;
}

}  // namespace

bool names_all(std::string_view names) {
  const std::vector<std::string_view> split = split_names(names);
  return std::ranges::find(split, "all") != split.end() &&
         std::ranges::all_of(split, [](std::string_view name) { return name == "all" || names_file(name); });
}

AlgorithmChoice choose_algorithms(Collective collective, std::string_view names, std::span<const Shape> shapes,
                                  const ReduceOp& op, Unfitting unfitting, std::span<const Algorithm> own) {
  if (names_all(names)) {
    AlgorithmChoice all = choose_all(collective, shapes, op, own);
    if (all.chosen.empty() && unfitting == Unfitting::refused)
      throw InputError(fmt::format("no algorithm for {} fits", to_string(collective)));
    return all;
  }
  AlgorithmChoice choice;
  for (const std::string_view name : split_names(names)) {
    if (name == "all" && !has_row(own, collective, name))
      throw InputError(fmt::format("'{}': all stands alone, or beside files (all,msccl:FILE.xml): it has the others", names));
    Algorithm algorithm = has_row(own, collective, name) ? find_entry(own, collective, name) : find_algorithm(collective, name);
    const std::string reason = why_not_all(algorithm, shapes, op);
    if (!reason.empty() && unfitting == Unfitting::left_out) {
      choice.left_out.push_back({algorithm.name, reason});
      continue;
    }
    if (!reason.empty()) {
      const std::vector<Algorithm> fitting = choose_all(collective, shapes, op, own).chosen;
      throw InputError(fmt::format("'{}': does not fit, {}; {}", name, reason,
                                   fitting.empty() ? "nor does any other" : "these do: " + names_of(fitting)));
    }
    if (std::ranges::find(choice.chosen, algorithm.name, &Algorithm::name) != choice.chosen.end())
      throw InputError(fmt::format("'{}': {} is there twice", names, algorithm.name));
    choice.chosen.push_back(std::move(algorithm));
  }
  return choice;
}

void tune(AlgorithmChoice& choice, std::span<const Shape> shapes, const ReduceOp& op, const Tuning& tuning) {
  Variants variants = variants_of(choice.chosen, shapes, op, tuning);
  choice.chosen = std::move(variants.algorithms);
  choice.variants = std::move(variants.count);
  choice.tuning = tuning;
}

std::int64_t block_count_of(const Algorithm& algorithm, const Shape& shape) {
  return algorithm.block_count ? algorithm.block_count(shape) : shape.ranks;
}

bool has_row(std::span<const Algorithm> rows, Collective collective, std::string_view name) {
  return entry_of(rows, collective, name) != nullptr;
}

}  // namespace heddle
