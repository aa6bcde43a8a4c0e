// SPDX-License-Identifier: Apache-2.0
// Of each object MPICH takes the first member whose key, a condition, is true, and ends at an algorithm. It does not come back: an
// object none of whose conditions is true ends the program. So every object here ends with what is always true, and what an
// algorithm cannot serve goes to the base's rules.
#include "show/decisions/mpich_json.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string_view>

#include "core/errors.hpp"

namespace heddle::decisions {

namespace {

using Json = nlohmann::ordered_json;

Json algorithm_json(const Mapping& mapping) { return {{fmt::format("algorithm={}", mapping.algorithm), Json::object()}}; }

/// What MPICH does not guard against by itself. Where an algorithm parts the vector, so does an operation of the user's need to
/// be able to: one that is built in is.
Json guarded(const Mapping& mapping, const Json& base) {
  switch (mapping.limit) {
    case Limit::power_of_two_ranks:
      return {{"comm_size=pow2", algorithm_json(mapping)}, {"comm_size=any", base}};
    case Limit::element_for_each_of_power_of_two:
      return {{"is_op_built_in=yes", {{"count<pow2", base}, {"count=any", algorithm_json(mapping)}}},
              {"is_op_built_in=no", base}};
    default:
      return algorithm_json(mapping);
  }
}

Json choice_json(const Decision& decision, const Json& base) {
  return decision.choice ? guarded(*decision.choice->mapping, base) : base;
}

/// The key whose number is compared, and how many bytes of the whole vector are one of it.
struct SizeKey {
  std::string_view name;
  std::int64_t parts = 1;
};

SizeKey size_key_of(Collective collective, int ranks) {
  if (collective == Collective::alltoall) return {"avg_msg_size", ranks};  // a block
  const bool is_whole =
      collective == Collective::broadcast || collective == Collective::reduce || collective == Collective::allreduce;
  return {is_whole ? "avg_msg_size" : "total_msg_size", 1};
}

Json sizes_json(const CollectiveDecisions& of, const RankDecisions& at, const Json& base) {
  const std::vector<SizeRule> rules = size_rules(at);
  const SizeKey key = size_key_of(of.collective->collective, at.ranks);
  if (rules.size() == 1) return choice_json(*rules.front().decision, base);
  Json sizes = Json::object();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Json chosen = choice_json(*rules[i].decision, base);
    // MPICH reads a number of 32 bits.
    const std::int64_t to =
        i + 1 < rules.size() ? (rules[i + 1].from + key.parts - 1) / key.parts - 1 : std::numeric_limits<std::int64_t>::max();
    if (to > std::numeric_limits<std::int32_t>::max()) {
      sizes[fmt::format("{}=any", key.name)] = chosen;
      break;
    }
    sizes[fmt::format("{}<={}", key.name, to)] = chosen;
  }
  return sizes;
}

/// Calls that no algorithm here is meant for go to the base's rules first.
Json calls_json(const CollectiveDecisions& of, const RankDecisions& at, const Json& base) {
  const Json sizes = sizes_json(of, at, base);
  if (reduces(of.collective->collective)) return {{"is_commutative=yes", sizes}, {"is_commutative=no", base}};
  if (of.collective->collective == Collective::alltoall)
    return {{"is_sendbuf_inplace=yes", base}, {"is_sendbuf_inplace=no", sizes}};
  return sizes;
}

/// Each number of ranks also serves more, up to the next; fewer than the first have the base's rules.
Json ranks_json(const CollectiveDecisions& of, const Json& base) {
  Json ranks = Json::object();
  if (of.ranks.front().ranks > 1) ranks[fmt::format("comm_size<={}", of.ranks.front().ranks - 1)] = base;
  for (std::size_t i = 0; i < of.ranks.size(); ++i) {
    const bool is_last = i + 1 == of.ranks.size();
    const std::string key = is_last ? "comm_size=any" : fmt::format("comm_size<={}", of.ranks[i + 1].ranks - 1);
    ranks[key] = calls_json(of, of.ranks[i], base);
  }
  return ranks;
}

}  // namespace

std::string mpich_json(const Decisions& decisions, const Json& base, const std::string& base_path) {
  constexpr auto kWithin = "comm_type=intra";
  Json tuned = base;
  for (const CollectiveDecisions& of : decisions.collectives) {
    const std::string key = fmt::format("collective={}", of.collective->name);
    if (!base.contains(key) || !base[key].is_object() || !base[key].contains(kWithin))
      throw InputError(
          fmt::format("'{}': has no rules for \"{}\" within a communicator; is it another version's?", base_path, key));
    tuned[key][kWithin] = ranks_json(of, base[key][kWithin]);
  }
  return tuned.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace heddle::decisions
