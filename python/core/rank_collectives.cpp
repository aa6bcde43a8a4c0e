// SPDX-License-Identifier: Apache-2.0
#include "python/core/rank_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/call_shape.hpp"
#include "emu/data/call_layout.hpp"
#include "heddle/errors.hpp"
#include "python/core/rank_task.hpp"
#include "python/core/rank_values.hpp"

namespace heddle::python {

namespace {

/// Checks and makes one rank's arguments.
class ArgumentsOfCall {
 public:
  ArgumentsOfCall(const CollectiveRequest& request, const RankTask& task, const Communicator& over)
      : request_(request), task_(task), rank_(over.rank()), ranks_(over.size()), is_root_(request.root == over.rank().value()) {
    if (request.root < 0 || request.root >= ranks_)
      refuse(fmt::format("root={}: its ranks are 0 to {}", request.root, ranks_ - 1));
    if (request.received && request.collective != Collective::alltoall) refuse("received= is for an alltoall");
    require_counts("counts", request.counts);
    require_counts("received", request.received);
  }

  CollectiveArguments made() const {
    CollectiveArguments arguments;
    arguments.root = Rank(request_.root);
    if (reduces(request_.collective)) arguments.op = request_.op;
    if (request_.collective == Collective::barrier) return arguments;
    const bool is_in_place = gives() && gets() && (request_.data.is_none() || request_.into.is_none());
    if (gets()) arguments.output = vector(request_.into.is_none() ? request_.data : request_.into, "into", true);
    if (gives()) arguments.input = vector(request_.data.is_none() ? request_.into : request_.data, "data", false);
    // Of those that have only one of the two, elements are of the type that all have.
    if (!gets()) arguments.output = VectorView(nullptr, 0, arguments.input.type());
    if (!gives()) arguments.input = ConstVectorView(nullptr, 0, arguments.output.type());
    if (!(arguments.input.type() == arguments.output.type())) refuse("what goes in and what comes out are of two types");
    cut(arguments, is_in_place);
    return arguments;
  }

 private:
  bool gives() const {
    return is_root_ || (request_.collective != Collective::broadcast && request_.collective != Collective::scatter);
  }
  bool gets() const {
    return is_root_ || (request_.collective != Collective::reduce && request_.collective != Collective::gather);
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw UsageError(fmt::format("rank {}: call(\"{}\"): {}", task_.rank, to_string(request_.collective), why));
  }

  void require_counts(const char* name, const std::optional<std::vector<std::int64_t>>& counts) const {
    if (!counts) return;
    if (!has_blocks(request_.collective)) refuse(fmt::format("{}= is for a collective of blocks", name));
    if (std::ssize(*counts) != ranks_ || std::ranges::any_of(*counts, [](std::int64_t count) { return count < 0; }))
      refuse(fmt::format("{}= has a number of elements, 0 or more, for each of the {} ranks", name, ranks_));
  }

  VectorView vector(const py::object& array, const char* name, bool is_written) const {
    if (array.is_none()) refuse(fmt::format("{}= is missing", name));
    return vector_of(array, is_written, task_, "call");
  }

  void require(const char* name, std::int64_t count, std::int64_t right) const {
    if (count != right) refuse(fmt::format("{}= has {} elements; {} are right", name, count, right));
  }

  /// Elements of the whole vector, as this rank's vectors say it.
  std::int64_t whole(const CollectiveArguments& arguments, bool is_in_place) const {
    const std::int64_t most = std::max(arguments.input.count(), arguments.output.count());
    switch (request_.collective) {
      case Collective::allgather:
      case Collective::reduce_scatter:
        return most;
      case Collective::gather:
      case Collective::scatter:
      case Collective::alltoall: {
        const bool has_all = is_root_ || request_.collective == Collective::alltoall;
        if (!has_all) return most * ranks_;
        const std::int64_t all = is_in_place || request_.collective == Collective::gather ? most : arguments.input.count();
        if (all % ranks_ != 0)
          refuse(fmt::format("{} elements are no equal blocks for {} ranks; counts= says others", all, ranks_));
        return all;
      }
      default:
        return most;
    }
  }

  void cut(CollectiveArguments& arguments, bool is_in_place) const {
    std::int64_t count = 0;
    for (const std::int64_t one : request_.counts.value_or(std::vector<std::int64_t>())) count += one;
    if (!request_.counts) count = whole(arguments, is_in_place);
    if (has_blocks(request_.collective))
      arguments.blocks = request_.counts ? BlockPartition::of_sizes(*request_.counts) : BlockPartition(count, ranks_);
    std::int64_t in = count;
    std::int64_t out = count;
    if (request_.collective == Collective::alltoall) {
      arguments.received = request_.received ? BlockPartition::of_sizes(*request_.received) : arguments.blocks;
      out = arguments.received.count();
    } else {
      const std::vector<std::int64_t> sizes = request_.counts.value_or(std::vector<std::int64_t>());
      const emu::CallLayout layout(request_.collective, ranks_, count, sizes, arguments.root);
      in = layout.input(rank_).count;
      out = layout.output(rank_).count;
    }
    if (is_in_place) return require(request_.into.is_none() ? "data" : "into", arguments.output.count(), std::max(in, out));
    if (gives()) require("data", arguments.input.count(), in);
    if (gets()) require("into", arguments.output.count(), out);
  }

  const CollectiveRequest& request_;
  const RankTask& task_;
  Rank rank_;
  int ranks_;
  bool is_root_;
};

}  // namespace

const Algorithm* CollectiveChoice::named(Collective collective, const std::string& name) {
  if (name == "auto") return nullptr;
  const std::lock_guard guard(mutex_);
  const auto found = named_.find({collective, name});
  if (found != named_.end()) return &found->second;
  return &named_.emplace(std::pair(collective, name), find_algorithm(collective, name)).first->second;
}

const Algorithm& CollectiveChoice::operator()(Collective collective, const Algorithm* chosen, const Shape& shape,
                                              const ReduceOp* op) const {
  if (chosen == nullptr) return automatic_(collective, shape, op);
  if (const std::string reason = why_not(*chosen, shape, op != nullptr ? *op : ReduceOp::sum()); !reason.empty())
    throw UsageError(fmt::format("call(\"{}\"): {} does not serve it: {}", to_string(collective), chosen->name, reason));
  return *chosen;
}

std::function<void(Communicator&)> collective_call(const CollectiveRequest& request, RankTask& task, const Communicator& over) {
  const CollectiveArguments arguments = ArgumentsOfCall(request, task, over).made();
  const Algorithm* const chosen = task.runs->choice().named(request.collective, request.algorithm);
  return [arguments, chosen, collective = request.collective, runs = task.runs](Communicator& on) {
    const Shape shape = shape_of_call(on, collective, arguments, arguments.output.type());
    runs->choice()(collective, chosen, shape, arguments.op).run(on, arguments);
  };
}

}  // namespace heddle::python
