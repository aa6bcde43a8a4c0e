// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/same_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.hpp"

namespace heddle {

namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse_difference(const std::string& path, const std::string& what) {
  throw InputError(fmt::format("'{}' is of another sweep: {}", path, what));
}

std::string shown(const Json& object, const std::string& key) {
  if (!object.contains(key)) return "not given";
  const Json& value = object.at(key);
  return value.is_string() ? fmt::format("'{}'", value.get<std::string>()) : value.dump();
}

/// The first member that differs, of either.
void require_same_members(const std::string& path, const std::string& what, const Json& theirs, const Json& ours) {
  const auto require = [&](const std::string& key) {
    if (!theirs.contains(key) || !ours.contains(key) || theirs.at(key) != ours.at(key))
      refuse_difference(path, fmt::format("its {}{} is {}, here it is {}", what, key, shown(theirs, key), shown(ours, key)));
  };
  for (const auto& [key, value] : ours.items()) require(key);
  for (const auto& [key, value] : theirs.items()) require(key);
}

}  // namespace

void require_same_sweep(const std::string& path, const SweepDocument& theirs, const SweepDocument& ours) {
  const Json& their_context = theirs.context;
  const Json& our_context = ours.context;
  if (their_context.at("version") != our_context.at("version"))
    refuse_difference(path, fmt::format("heddle {} began it, this is heddle {}", their_context.at("version").get<std::string>(),
                                        our_context.at("version").get<std::string>()));
  require_same_members(path, "", their_context.at("parameters"), our_context.at("parameters"));
  const Json& their_fabrics = their_context.at("fabrics");
  const Json& our_fabrics = our_context.at("fabrics");
  if (their_fabrics.size() != our_fabrics.size())
    refuse_difference(path, fmt::format("it has {} fabrics, here there are {}", their_fabrics.size(), our_fabrics.size()));
  for (std::size_t f = 0; f < our_fabrics.size(); ++f) {
    const std::string name = fmt::format("{}: ", our_fabrics[f].at("fabric").get<std::string>());
    require_same_members(path, name, their_fabrics[f], our_fabrics[f]);
  }
  if (theirs.planned != ours.planned)
    refuse_difference(path, fmt::format("it has {} runs, here there are {}", theirs.planned, ours.planned));
  if (theirs.left_out != ours.left_out) refuse_difference(path, "other algorithms were left out");
}

void take_finished_runs(const std::string& path, const SweepDocument& theirs, SweepDocument& ours) {
  for (const SweepResult& run : theirs.runs) {
    if (!is_finished(run)) continue;
    const auto own = std::ranges::lower_bound(ours.runs, run.run, {}, &SweepResult::run);
    const bool is_known = own != ours.runs.end() && own->run == run.run && own->fabric == run.fabric &&
                          own->algorithm == run.algorithm && own->bytes == run.bytes;
    if (!is_known)
      refuse_difference(path, fmt::format("it has run {}, {} on {} with {} bytes, which is none of this one", run.run,
                                          run.algorithm, run.fabric, run.bytes));
    *own = run;
  }
}

}  // namespace heddle
