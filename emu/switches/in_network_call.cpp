// SPDX-License-Identifier: Apache-2.0
#include "emu/switches/in_network_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace heddle::emu {

namespace {

using Calls = std::span<const CollectiveArguments* const>;

void copy_block(ConstVectorView from, VectorView into) {
  if (!from.empty() && from.data() != into.data()) std::memmove(into.data(), from.data(), from.size_bytes());
}

/// What a rank contributes of the whole vector, if that is its own block: in place it lies where the whole vector has it.
ConstVectorView own_input(const CollectiveArguments& call, std::int64_t rank) {
  return call.in_place() ? call.blocks.block(call.input, rank) : call.input;
}

bool has_same_blocks(const BlockPartition& a, const BlockPartition& b) {
  if (a.blocks() != b.blocks() || a.count() != b.count()) return false;
  for (std::int64_t i = 0; i < a.blocks(); ++i) {
    if (a.offset(i) != b.offset(i)) return false;
  }
  return true;
}

// ---- data ----

void broadcast(Calls calls) {
  const ConstVectorView source = calls[static_cast<std::size_t>(calls[0]->root.value())]->input;
  for (const CollectiveArguments* call : calls) copy_block(source, call->output);
}

void allgather(Calls calls) {
  for (std::size_t from = 0; from < calls.size(); ++from) {
    const auto rank = static_cast<std::int64_t>(from);
    const ConstVectorView own = own_input(*calls[from], rank);
    for (const CollectiveArguments* call : calls) copy_block(own, call->blocks.block(call->output, rank));
  }
}

void alltoall(Calls calls) {
  std::vector<Buffer> kept;
  std::vector<ConstVectorView> inputs;
  for (const CollectiveArguments* call : calls) {
    inputs.push_back(call->input);
    if (!call->in_place()) continue;
    kept.emplace_back(call->input.type(), call->input.count());
    copy_block(call->input, kept.back().view());
    inputs.back() = kept.back().view();
  }
  for (std::size_t to = 0; to < calls.size(); ++to) {
    for (std::size_t from = 0; from < calls.size(); ++from)
      copy_block(calls[from]->blocks.block(inputs[from], static_cast<std::int64_t>(to)),
                 calls[to]->received.block(calls[to]->output, static_cast<std::int64_t>(from)));
  }
}

/// Gives a part of the reduced vector, elements first …, to those who get it.
void hand_out(Collective collective, Calls calls, ConstVectorView part, std::int64_t first) {
  // Elements from `begin` before `end` of the whole vector, `into` being a vector that begins with element `offset` of it.
  const auto give = [&](VectorView into, std::int64_t offset, std::int64_t begin, std::int64_t end) {
    begin = std::max(begin, first);
    end = std::min(end, first + part.count());
    if (begin < end) copy_block(part.slice(begin - first, end - begin), into.slice(begin - offset, end - begin));
  };
  const std::int64_t all = first + part.count();
  if (collective == Collective::reduce) return give(calls[static_cast<std::size_t>(calls[0]->root.value())]->output, 0, 0, all);
  for (std::size_t r = 0; r < calls.size(); ++r) {
    const CollectiveArguments& call = *calls[r];
    if (collective == Collective::allreduce) {
      give(call.output, 0, 0, all);
      continue;
    }
    const std::int64_t offset = call.blocks.offset(static_cast<std::int64_t>(r));
    give(call.output, call.in_place() ? 0 : offset, offset, call.blocks.offset(static_cast<std::int64_t>(r) + 1));
  }
}

void reduce(Collective collective, const SwitchTree& tree, std::optional<Datatype> precision, Calls calls) {
  const Datatype type = type_of(collective, *calls[0]);
  const std::int64_t count = whole_count(collective, *calls[0]);
  SwitchAlu alu(tree, *calls[0]->op, type, precision);
  Buffer result(type, std::min(count, SwitchAlu::kChunk));
  std::vector<ConstVectorView> inputs(calls.size());
  for (std::int64_t first = 0; first < count; first += SwitchAlu::kChunk) {
    const std::int64_t length = std::min(SwitchAlu::kChunk, count - first);
    for (std::size_t r = 0; r < calls.size(); ++r) inputs[r] = calls[r]->input.slice(first, length);
    const VectorView part = result.view().slice(0, length);
    alu.reduce(inputs, part);
    hand_out(collective, calls, part, first);
  }
}

}  // namespace

Datatype type_of(Collective collective, const CollectiveArguments& arguments) {
  const bool is_of_output = collective == Collective::broadcast || collective == Collective::allgather;
  return is_of_output ? arguments.output.type() : arguments.input.type();
}

std::int64_t whole_count(Collective collective, const CollectiveArguments& arguments) {
  const bool is_of_output = collective == Collective::broadcast || collective == Collective::allgather;
  return is_of_output ? arguments.output.count() : arguments.input.count();
}

std::string call_text(Collective collective, const CollectiveArguments& arguments) {
  std::string text =
      fmt::format("{} of {}{} x {}", to_string(collective), reduces(collective) ? arguments.op->name() + " " : "",
                  whole_count(collective, arguments), to_string(type_of(collective, arguments)));
  if (collective == Collective::broadcast) text += fmt::format(" from root {}", arguments.root.value());
  if (collective == Collective::reduce) text += fmt::format(" at root {}", arguments.root.value());
  return text;
}

bool is_same_call(Collective collective, const CollectiveArguments& a, const CollectiveArguments& b) {
  if (type_of(collective, a) != type_of(collective, b)) return false;
  if (collective != Collective::alltoall && whole_count(collective, a) != whole_count(collective, b)) return false;
  if (has_root(collective) && a.root != b.root) return false;
  if (reduces(collective) && a.op->name() != b.op->name()) return false;
  return collective == Collective::alltoall || !has_blocks(collective) || has_same_blocks(a.blocks, b.blocks);
}

InNetworkSizes sizes_of(Collective collective, Calls calls) {
  InNetworkSizes sizes{.count = whole_count(collective, *calls[0]), .root = calls[0]->root};
  if (collective == Collective::reduce_scatter || collective == Collective::allgather) {
    for (std::int64_t r = 0; r < static_cast<std::int64_t>(calls.size()); ++r) sizes.own.push_back(calls[0]->blocks.size(r));
  }
  if (collective == Collective::alltoall) {
    for (const CollectiveArguments* call : calls) sizes.count = std::max(sizes.count, call->input.count());
    sizes.between = [calls](int from, int to) { return calls[static_cast<std::size_t>(from)]->blocks.size(to); };
  }
  return sizes;
}

std::string mismatch(Collective collective, Calls calls) {
  const auto ranks = static_cast<std::int64_t>(calls.size());
  if (has_root(collective)) {
    const int root = calls[0]->root.value();
    if (root < 0 || root >= ranks) return fmt::format("root {}: ranks of this communicator are 0 to {}", root, ranks - 1);
    const CollectiveArguments& at_root = *calls[static_cast<std::size_t>(root)];
    if (at_root.input.count() != at_root.output.count())
      return fmt::format("root {} gives {} elements and gets {}", root, at_root.input.count(), at_root.output.count());
  }
  for (std::int64_t r = 0; r < ranks; ++r) {
    const CollectiveArguments& call = *calls[static_cast<std::size_t>(r)];
    if (collective == Collective::allreduce && call.output.count() != call.input.count())
      return fmt::format("rank {} gives {} elements and gets {}", r, call.input.count(), call.output.count());
    if (!has_blocks(collective)) continue;
    if (call.blocks.blocks() != ranks) return fmt::format("rank {} has {} blocks for {} ranks", r, call.blocks.blocks(), ranks);
    const std::int64_t whole = whole_count(collective, call);
    if (call.blocks.count() != whole)
      return fmt::format("rank {} has blocks of {} elements and a vector of {}", r, call.blocks.count(), whole);
    if (collective == Collective::reduce_scatter && !call.in_place() && call.output.count() != call.blocks.size(r))
      return fmt::format("rank {} gets {} elements, and its block has {}", r, call.output.count(), call.blocks.size(r));
    if (collective == Collective::allgather && !call.in_place() && call.input.count() != call.blocks.size(r))
      return fmt::format("rank {} gives {} elements, and its block has {}", r, call.input.count(), call.blocks.size(r));
    if (collective != Collective::alltoall) continue;
    for (std::int64_t from = 0; from < ranks; ++from) {
      const std::int64_t sent = calls[static_cast<std::size_t>(from)]->blocks.size(r);
      if (call.received.blocks() != ranks || call.received.size(from) != sent)
        return fmt::format("rank {} expects other than the {} elements that rank {} sends it", r, sent, from);
    }
  }
  return "";
}

ConstVectorView given_by(Collective collective, const CollectiveArguments& call, int rank) {
  if (collective == Collective::broadcast && call.root != Rank(rank)) return {};
  return collective == Collective::allgather ? own_input(call, rank) : call.input;
}

VectorView got_by(Collective collective, const CollectiveArguments& call, int rank) {
  if (has_root(collective) && (call.root == Rank(rank)) == (collective == Collective::broadcast)) return {};
  return collective == Collective::reduce_scatter && call.in_place() ? call.blocks.block(call.output, rank) : call.output;
}

void move_data(Collective collective, const SwitchTree& tree, std::optional<Datatype> precision, Calls calls) {
  switch (collective) {
    case Collective::broadcast:
      return broadcast(calls);
    case Collective::allgather:
      return allgather(calls);
    case Collective::alltoall:
      return alltoall(calls);
    default:
      return reduce(collective, tree, precision, calls);
  }
}

}  // namespace heddle::emu
