// SPDX-License-Identifier: Apache-2.0
#include "fuzz/run_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "core/nearest_name.hpp"
#include "fuzz/placed_case.hpp"

namespace heddle {

std::vector<Algorithm> registry_copy() { return {registry().begin(), registry().end()}; }

Algorithm find_row(std::span<const Algorithm> rows, Collective collective, std::string_view name) {
  const std::size_t colon = name.find_first_of(":,");
  const std::string_view bare = name.substr(0, colon);
  const auto found =
      std::ranges::find_if(rows, [&](const Algorithm& row) { return row.collective == collective && row.name == bare; });
  if (found == rows.end()) {
    std::vector<std::string_view> names;
    for (const Algorithm& row : rows) {
      if (row.collective == collective) names.push_back(row.name);
    }
    throw InputError(unknown_name_message(to_string(collective) + " algorithm", bare, names));
  }
  if (colon == std::string_view::npos) return *found;
  if (found->parameters.empty() || found->configured == nullptr)
    throw InputError(fmt::format("{} algorithm '{}' has no options", to_string(collective), bare));
  const Options options(found->parameters, name.substr(colon + 1));
  Algorithm row = found->configured(options);
  row.name = found->name + options.suffix();
  return row;
}

Report run_fuzz_case(const FuzzCase& what, std::span<const Algorithm> rows) {
  const PlacedCase placed(what, rows);
  if (const std::string reason = placed.refusal(what); !reason.empty())
    throw InputError(
        fmt::format("{} algorithm '{}' cannot serve the case: {}", to_string(what.collective), what.algorithm, reason));
  return placed.run(what);
}

std::optional<FuzzFailure> failure_of(const FuzzCase& what, std::span<const Algorithm> rows) {
  try {
    run_fuzz_case(what, rows);
    return std::nullopt;
  } catch (const CheckError& error) {
    return FuzzFailure{to_string(error.kind()), error.what()};
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    return FuzzFailure{"exception", error.what()};
  }
}

}  // namespace heddle
