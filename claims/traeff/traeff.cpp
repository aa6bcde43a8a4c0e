// SPDX-License-Identifier: Apache-2.0
// Circulant reduce-scatter and allreduce.
#include <fmt/format.h>

#include <utility>

#include "claims/traeff/traeff_claims.hpp"

namespace heddle::claims {

namespace traeff_parts {

std::vector<int> many_rank_counts() {
  std::vector<int> counts;
  for (int p = 2; p <= kAllRanksUpTo; ++p) counts.push_back(p);
  for (const int power : {128, 256}) counts.insert(counts.end(), {power - 1, power, power + 1});
  return counts;
}

std::string one_element_blocks(std::string_view collective, std::string_view algorithm, int ranks) {
  return fmt::format("{} --algo {} --topo star:{} --size {}B", collective, algorithm, ranks, 4 * ranks);
}

Finding at_each(std::string subject, std::string printed, const std::function<bool(int)>& holds, std::string command) {
  std::vector<int> not_at;
  for (const int p : many_rank_counts())
    if (!holds(p)) not_at.push_back(p);
  return compare_words(std::move(subject), std::move(printed),
                       not_at.empty() ? "at each" : fmt::format("not at p = {}", fmt::join(not_at, ", ")), not_at.empty(),
                       std::move(command), not_at.empty() ? "" : "Counted in runs at these p.");
}

Traffic count_blocks(const Report& report) {
  const auto same = [&](auto member) {
    const std::int64_t first = (report.ranks.front().*member).count();
    for (const RankReport& rank : report.ranks)
      if ((rank.*member).count() != first) return std::int64_t{-1};
    return first / 4;
  };
  return {.rounds = report.rounds_max(), .sent = same(&RankReport::sent), .received = same(&RankReport::received)};
}

}  // namespace traeff_parts

Source traeff() {
  Source source{
      .name = "traeff",
      .title = "Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms",
      .setting =
          "October 2024, revised February 2025. The paper has no experiments: rounds, blocks and additions are counted in "
          "runs on a star, where no routes share links. A rank sends and receives one message at a time in each round.",
      .claims = {}};
  for (auto* part : {&traeff_parts::reduce_scatter_claims, &traeff_parts::skips_claims, &traeff_parts::other_claims})
    for (Claim& claim : part()) source.claims.push_back(std::move(claim));
  return source;
}

}  // namespace heddle::claims
