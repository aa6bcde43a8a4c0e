// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "heddle/communicator.hpp"
#include "heddle/errors.hpp"
#include "lab/decisions/decision_file.hpp"
#include "lab/decisions/library_algorithms.hpp"

namespace heddle::decisions {

namespace {

constexpr std::string_view kBuiltin = "builtin";

struct Kind {
  std::string_view prefix;
  const Target& (*target)();
  std::shared_ptr<const DecisionFile> (*read)(const std::string& path);
};

constexpr std::array<Kind, 3> kKinds = {{{"openmpi:", openmpi_target, read_openmpi_rules},
                                         {"mpich:", mpich_target, read_mpich_tuning},
                                         {"nccl:", nccl_target, read_nccl_tuner}}};

const Kind* kind_of(std::string_view algorithm) {
  const auto kind = std::ranges::find_if(kKinds, [&](const Kind& one) { return algorithm.starts_with(one.prefix); });
  return kind == kKinds.end() ? nullptr : &*kind;
}

/// What heddle runs for a library's choice, or why it cannot.
struct Resolved {
  std::string algorithm = {};  ///< "chain:segments=8"; empty: `why` says
  std::string why = {};
  std::string remark = {};
};

/// Several ranks on a node, and several nodes.
bool has_nodes(const Tiers& tiers) {
  if (tiers.group.empty()) return false;
  const std::vector<int>& node = tiers.group.front();
  return std::ranges::any_of(node, [&](int one) { return one != node.front(); }) &&
         std::ranges::any_of(node, [&](int one) { return std::ranges::count(node, one) > 1; });
}

int nodes_of(const Tiers& tiers) {
  if (tiers.group.empty()) return 1;
  return static_cast<int>(std::set<int>(tiers.group.front().begin(), tiers.group.front().end()).size());
}

class Decider {
 public:
  Decider(const Target& target, const TargetCollective& collective, std::shared_ptr<const DecisionFile> file)
      : target_(target), collective_(collective), file_(std::move(file)) {}

  Resolved resolve(const Call& call) const {
    if (call.ranks < 2 || call.count == 0) return {plain_entry(), "", ""};  // nothing is sent, whatever is chosen
    const std::optional<LibraryChoice> choice = file_->choose(collective_, call);
    if (!choice) return {"", fmt::format("{} decides by itself there, and how is not known", target_.title), ""};
    const NamedAlgorithm named{choice->algorithm, choice->id, choice->segment > 0};
    const Mapping* mapping = mapping_of_library(target_, collective_, named, call.ranks);
    if (mapping == nullptr) return {"", why_absent(*choice, named), ""};
    if (!serves(mapping->limit, {.ranks = call.ranks, .count = call.count})) return beyond_limit(*mapping, call);
    return {name_of(*mapping, *choice, call), "", remark_of(*mapping, *choice, call)};
  }

  /// The entry that runs it; made once for each name.
  const Algorithm& entry(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto known = entries_.find(name);
    if (known != entries_.end()) return known->second;
    return entries_.emplace(name, find_algorithm(collective_.collective, name)).first->second;
  }

 private:
  std::string plain_entry() const { return algorithms_of(collective_.collective).front()->name; }

  std::string who(const LibraryChoice& choice) const {
    return choice.is_builtin ? fmt::format("{} decides by itself and", target_.title) : "the file";
  }

  std::string why_absent(const LibraryChoice& choice, const NamedAlgorithm& named) const {
    const std::string name = name_of_library(target_, collective_, named);
    const std::string nearest = nearest_row(collective_, name);
    return fmt::format("{} takes {} {}{} there, which heddle does not have{}", who(choice),
                       choice.is_builtin ? "its" : fmt::format("{}'s", target_.title), name,
                       choice.id == 0 ? "" : fmt::format(" ({})", choice.id),
                       nearest.empty() ? "" : fmt::format("; the nearest is {}", nearest));
  }

  /// What the library runs instead, if that is an algorithm of its own.
  Resolved beyond_limit(const Mapping& mapping, const Call& call) const {
    for (const Mapping& other : target_.mappings)
      if (other.collective == collective_.name && other.algorithm == mapping.instead &&
          serves(other.limit, {.ranks = call.ranks, .count = call.count}))
        return {
            std::string(other.row), "",
            fmt::format("{} takes {} for {} where {}", target_.title, other.row, mapping.algorithm, elsewhere(mapping.limit))};
    return {
        "",
        fmt::format("{} takes {} for {} where {}", target_.title, mapping.instead, mapping.algorithm, elsewhere(mapping.limit)),
        ""};
  }

  std::string name_of(const Mapping& mapping, const LibraryChoice& choice, const Call& call) const {
    if (choice.channels > 0 && mapping.limit == Limit::every_nic)
      return fmt::format("{}:channels={}", mapping.row, choice.channels);
    if (mapping.segments != Segments::on_chain && mapping.segments != Segments::on_binomial_tree)
      return std::string(mapping.row);
    // Open MPI cuts segments of whole elements, at least one.
    const std::int64_t elements = choice.segment == 0 ? call.count : std::max<std::int64_t>(1, choice.segment / call.element);
    return fmt::format("{}:segments={}", mapping.row, (call.count + elements - 1) / elements);
  }

  std::string remark_of(const Mapping& mapping, const LibraryChoice& choice, const Call& call) const {
    const std::string name = name_of(mapping, choice, call);
    return choice.is_builtin ? fmt::format("{} decides by itself: {}", target_.title, name) : "it takes " + name;
  }

  const Target& target_;
  const TargetCollective& collective_;
  std::shared_ptr<const DecisionFile> file_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Algorithm> entries_;
};

Call call_of(Collective collective, const Shape& shape) {
  return {collective,           shape.ranks, shape.count, static_cast<std::int64_t>(shape.type.size()), has_nodes(shape.tiers),
          nodes_of(shape.tiers)};
}

/// The whole vector's, of which ranks may hold a part.
Call call_of(Collective collective, const Communicator& comm, const CollectiveArguments& args) {
  const std::int64_t held = has_blocks(collective) ? args.blocks.count() : std::max(args.input.count(), args.output.count());
  const Datatype type = args.input.count() > 0 ? args.input.type() : args.output.type();
  return {collective,
          comm.size(),
          std::llround(static_cast<double>(held) * comm.byte_scale()),
          static_cast<std::int64_t>(type.size()),
          has_nodes(comm.tiers()),
          nodes_of(comm.tiers())};
}

}  // namespace

bool is_decision_name(std::string_view algorithm) { return kind_of(algorithm) != nullptr; }

Algorithm decision_algorithm(Collective collective, std::string_view name) {
  const Kind& kind = *kind_of(name);
  const std::string_view path = name.substr(kind.prefix.size());
  const Target& target = kind.target();
  const std::vector<const TargetCollective*> collectives = collectives_of(target, collective);
  if (collectives.empty())
    throw InputError(fmt::format("'{}': {} has no decisions for {}", name, target.title, to_string(collective)));
  const bool has_builtin = &target != &nccl_target();  // NCCL decides by a model
  if (path.empty())
    throw InputError(fmt::format("'{}': a file is missing{}", name,
                                 has_builtin ? fmt::format("; or {}{}", kind.prefix, kBuiltin) : "; try nccl:tuner.csv"));
  // Of MPI's two reduce_scatters the one that is given the blocks.
  const auto decider = std::make_shared<const Decider>(
      target, *collectives.front(), path == kBuiltin ? builtin_decisions(target) : kind.read(std::string(path)));
  Algorithm entry;
  entry.collective = collective;
  entry.name = std::string(name);
  entry.needs.commutative = reduces(collective);
  entry.needs.equal_blocks = collective == Collective::alltoall;
  entry.needs.refusal = [=](const Shape& shape, const ReduceOp& op) {
    const Resolved resolved = decider->resolve(call_of(collective, shape));
    return resolved.algorithm.empty() ? resolved.why : why_not(decider->entry(resolved.algorithm), shape, op);
  };
  entry.remark = [=](const Shape& shape) { return decider->resolve(call_of(collective, shape)).remark; };
  entry.run = [=](heddle::Communicator& comm, const CollectiveArguments& args) {
    const Resolved resolved = decider->resolve(call_of(collective, comm, args));
    if (resolved.algorithm.empty()) throw InputError(resolved.why);
    decider->entry(resolved.algorithm).run(comm, args);
  };
  entry.tasks_share_credits = true;
  entry.same_bits = false;
  entry.same_bits_in_any_order = false;
  entry.independent_of_size = true;
  return entry;
}

}  // namespace heddle::decisions
