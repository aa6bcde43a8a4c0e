// SPDX-License-Identifier: Apache-2.0
#include "mpi/run/function_options.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <span>

#include <fmt/format.h>

#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"

namespace heddle::mpi {

namespace {

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

[[noreturn]] void refuse_option(std::string_view name, std::string_view text, std::string_view right) {
  throw InputError(fmt::format("{}: the option '{}': {}", name, text, right));
}

void read_ranks(FunctionOptions& options, std::string_view name, std::string_view item, std::string_view value) {
  using Ranks = FunctionOptions::Ranks;
  if (value == "power_of_two")
    options.ranks = Ranks::power_of_two;
  else if (value == "even")
    options.ranks = Ranks::even;
  else {
    const std::size_t dash = value.find('-');
    const std::optional<int> least = number(value.substr(0, dash));
    const std::optional<int> most = dash == std::string_view::npos ? least : number(value.substr(dash + 1));
    if (!least || !most || *least < 1 || *most < *least)
      refuse_option(name, item, "power_of_two, even, a number of ranks (8) or a range (2-64)");
    options.ranks = Ranks::range;
    options.least = *least;
    options.most = *most;
  }
}

/// What a collective may be called as: the first is the default.
std::span<const std::string_view> forms_of(Collective collective) {
  static constexpr std::string_view kForms[][2] = {{"bcast", ""},
                                                   {"reduce", ""},
                                                   {"allreduce", ""},
                                                   {"reduce_scatter", "reduce_scatter_block"},
                                                   {"allgather", "allgatherv"},
                                                   {"gather", "gatherv"},
                                                   {"scatter", "scatterv"},
                                                   {"alltoall", "alltoallv"},
                                                   {"barrier", ""}};
  const auto& forms = kForms[static_cast<std::size_t>(collective)];
  return {forms, forms[1].empty() ? std::size_t{1} : std::size_t{2}};
}

constexpr std::string_view kDisplacements[] = {"packed", "gaps", "scattered"};
constexpr std::string_view kTypes[] = {"basic", "spaced", "shifted"};

/// The number of a value's name; no value: it is none of them.
template <class Value>
std::optional<Value> named(std::span<const std::string_view> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<Value>(found - names.begin()));
}

}  // namespace

bool has_displacements(const FunctionOptions& options) { return options.as.ends_with('v'); }

std::vector<Parameter> drawn_parameters(const FunctionOptions& options) {
  std::vector<Parameter> all;
  if (has_displacements(options) && options.displacements == Displacements::packed)
    all.push_back({"displacements", kDisplacements[0], "where blocks lie: packed, gaps or scattered", {"gaps", "scattered"}});
  if (options.has_derived_types && options.type == ElementType::basic)
    all.push_back({"type", kTypes[0], "what type elements have: basic, spaced or shifted", {"spaced", "shifted"}});
  return all;
}

FunctionOptions read_options(Collective collective, std::string_view name, std::string_view text, char separator,
                             std::optional<FunctionOptions> before) {
  FunctionOptions options = before.value_or(FunctionOptions{.as = std::string(forms_of(collective)[0])});
  if (text.starts_with(separator)) text.remove_prefix(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string_view key = item.substr(0, equals);
    const std::string_view value = equals == item.size() ? std::string_view() : item.substr(equals + 1);
    constexpr std::string_view kNames[] = {"ranks",  "count",         "op",   "bits", "in_place", "root", "as",
                                           "counts", "displacements", "type", "types"};
    if (key == "ranks") {
      read_ranks(options, name, item, value);
    } else if (key == "count") {
      if (value == "positive")
        options.is_positive = true;
      else if (value == "at_least_ranks")
        options.at_least_ranks = true;
      else if (value == "multiple_of_ranks")
        options.multiple_of_ranks = true;
      else
        refuse_option(name, item, "positive, at_least_ranks or multiple_of_ranks");
    } else if (key == "op") {
      if (value != "commutative") refuse_option(name, item, "commutative");
      options.is_commutative = true;
    } else if (key == "bits") {
      if (value != "may_differ") refuse_option(name, item, "may_differ");
      options.bits_may_differ = true;
    } else if (key == "in_place") {
      if (value != "no" && value != "yes") refuse_option(name, item, "yes or no");
      options.in_place = value == "yes";
    } else if (key == "counts") {
      if (value != "64") refuse_option(name, item, "64, where counts and displacements of blocks are MPI_Count and MPI_Aint");
      options.has_large_lists = true;
    } else if (key == "root") {
      options.root = number(value);
      if (!options.root) refuse_option(name, item, "a rank");
    } else if (key == "displacements") {
      const auto found = named<Displacements>(kDisplacements, value);
      if (!found) refuse_option(name, item, "packed, gaps or scattered");
      options.displacements = *found;
    } else if (key == "type") {
      const auto found = named<ElementType>(kTypes, value);
      if (!found) refuse_option(name, item, "basic, spaced or shifted");
      options.type = *found;
    } else if (key == "types") {
      if (value != "derived") refuse_option(name, item, "derived");
      options.has_derived_types = true;
    } else if (key == "as") {
      const auto forms = forms_of(collective);
      std::string_view form = value.starts_with("MPI_") ? value.substr(4) : value;
      if (std::ranges::find(forms, form) == forms.end())
        refuse_option(name, item, fmt::format("of {} it can be {}", to_string(collective), fmt::join(forms, " or ")));
      options.as = form;
    } else {
      throw InputError(fmt::format(
          "{}: {}", name,
          unknown_name_message("option", key, std::vector<std::string_view>(std::begin(kNames), std::end(kNames)))));
    }
  }
  if (options.displacements != Displacements::packed && !has_displacements(options))
    throw InputError(fmt::format("{}: 'displacements' is for functions that have them: as=allgatherv and its kin", name));
  return options;
}

std::string refusal(const FunctionOptions& options, const Shape& shape, Collective collective) {
  using Ranks = FunctionOptions::Ranks;
  const int p = shape.ranks;
  if (options.ranks == Ranks::power_of_two && !std::has_single_bit(static_cast<unsigned>(p)))
    return "it serves numbers of ranks that are powers of two";
  if (options.ranks == Ranks::even && p % 2 != 0) return "it serves even numbers of ranks";
  if (options.ranks == Ranks::range && (p < options.least || p > options.most))
    return options.least == options.most ? fmt::format("it serves {} ranks", options.least)
                                         : fmt::format("it serves {} to {} ranks", options.least, options.most);
  if (shape.count > std::numeric_limits<int>::max() && !options.has_large_lists)
    return fmt::format("counts of MPI's are ints, up to {}; counts=64 says that its own are MPI_Count",
                       std::numeric_limits<int>::max());
  constexpr std::int64_t kMostLaidOut = std::int64_t{1} << 24;
  if (shape.count > kMostLaidOut && (options.displacements != Displacements::packed || options.type != ElementType::basic))
    return fmt::format("displacements= and type= are for up to {} elements", kMostLaidOut);
  if (options.is_positive && shape.count == 0 && collective != Collective::barrier) return "it serves counts above 0";
  if (options.at_least_ranks && shape.count < p) return "it serves counts of at least the number of ranks";
  if (options.multiple_of_ranks && shape.count % p != 0) return "it serves counts that are multiples of the number of ranks";
  if (options.root && has_root(collective) && shape.root != *options.root)
    return fmt::format("it serves root {}", *options.root);
  return {};
}

}  // namespace heddle::mpi
