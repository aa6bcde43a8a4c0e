// SPDX-License-Identifier: Apache-2.0
#include "mpi/run/chosen_algorithm.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "heddle/errors.hpp"
#include "mpi/run/function_algorithm.hpp"

namespace heddle::mpi {

namespace {

/// Up to that many bytes of the whole vector a collective is short: start-ups decide.
constexpr std::int64_t kShort = 64 * 1024;
/// Up to that many bytes to each rank, on more than 8 ranks, it pays to send blocks round together.
constexpr std::int64_t kTinyBlock = 256;
constexpr std::int64_t kFewRanks = 8;
/// On more ranks not all send to all at once: their messages would fill the memory.
constexpr std::int64_t kMostAtOnce = 1024;

struct Choice {
  Collective collective;
  std::array<std::string_view, 3> for_short;  ///< the first that serves the call
  std::array<std::string_view, 3> for_long;
};

constexpr Choice kChoices[] = {
    {Collective::broadcast, {"binomial_halving"}, {"scatter_allgather", "binomial_halving"}},
    {Collective::reduce, {"binomial_halving", "circulant"}, {"reduce_scatter_gather", "binomial_halving", "circulant"}},
    {Collective::allreduce, {"recursive_doubling", "ring"}, {"ring", "recursive_doubling"}},
    {Collective::reduce_scatter, {"recursive_halving", "pairwise", "ring"}, {"ring", "pairwise"}},
    {Collective::allgather, {"bruck", "ring"}, {"ring"}},
    {Collective::gather, {"binomial"}, {"binomial"}},
    {Collective::scatter, {"binomial"}, {"binomial"}},
    {Collective::alltoall, {"bruck", "linear", "pairwise"}, {"pairwise", "linear"}},
    {Collective::barrier, {"dissemination"}, {"dissemination"}},
};

/// MPI's names as well as heddle's.
Collective collective_of(std::string_view name) { return parse_collective(name == "bcast" ? "broadcast" : name); }

/// Whether an algorithm that serves a call is also a good one for it.
bool is_apt(Collective collective, std::string_view name, const Shape& shape) {
  if (collective != Collective::alltoall) return true;
  if (name == "bruck") return shape.ranks > kFewRanks && shape.bytes <= kTinyBlock * shape.ranks;
  return name != "linear" || shape.ranks <= kMostAtOnce;
}

const ReduceOp& op_or_sum(const ReduceOp* op) { return op ? *op : ReduceOp::sum(); }

}  // namespace

ChosenAlgorithms::ChosenAlgorithms(std::string_view text, std::vector<Algorithm> own) {
  if (text == "auto") return;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::string_view item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos)
      throw InputError(fmt::format("--coll {}: a choice is COLLECTIVE=ALGORITHM, as in allreduce=ring", item));
    const Collective collective = collective_of(item.substr(0, equals));
    const std::string_view name = item.substr(equals + 1);
    const auto mine =
        std::ranges::find_if(own, [&](const Algorithm& row) { return row.collective == collective && row.name == name; });
    if (is_function_name(name)) {
      chosen_.insert_or_assign(collective, serving_algorithm(collective, name));
      continue;
    }
    chosen_.insert_or_assign(collective, mine != own.end() ? *mine : find_algorithm(collective, name));
  }
}

const Algorithm& ChosenAlgorithms::operator()(Collective collective, const Shape& shape, const ReduceOp* op) const {
  if (const auto chosen = chosen_.find(collective); chosen != chosen_.end()) {
    if (const std::string reason = why_not(chosen->second, shape, op_or_sum(op)); !reason.empty())
      throw UsageError(fmt::format("the {} '{}', chosen by --coll, does not serve a call: {}", to_string(collective),
                                   chosen->second.name, reason));
    return chosen->second;
  }
  const Choice& choice = *std::ranges::find(kChoices, collective, &Choice::collective);
  const std::vector<const Algorithm*> rows = algorithms_of(collective);
  for (const std::string_view name : shape.bytes <= kShort ? choice.for_short : choice.for_long) {
    if (!is_apt(collective, name, shape)) continue;
    const auto row = std::ranges::find_if(rows, [&](const Algorithm* of) { return bare_name(of->name) == name; });
    if (row != rows.end() && why_not(**row, shape, op_or_sum(op)).empty()) return **row;
  }
  for (const Algorithm* const row : rows) {
    if (why_not(*row, shape, op_or_sum(op)).empty()) return *row;
  }
  throw UsageError(fmt::format("none of heddle's algorithms serves this {} of {} elements on {} ranks", to_string(collective),
                               shape.count, shape.ranks));
}

}  // namespace heddle::mpi
