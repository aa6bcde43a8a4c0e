// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <type_traits>

#include "emu/switches/in_network_call.hpp"

namespace heddle::emu {

namespace {

template <class Visit>
void visit_half(Datatype type, Visit visit) {
  if (type == Datatype::f16())
    visit(std::type_identity<F16>());
  else
    visit(std::type_identity<Bf16>());
}

void round_values(VectorView values, Datatype type) {
  visit_half(type, [&]<class Half>(std::type_identity<Half>) {
    for (float& value : values.as<float>()) value = static_cast<float>(static_cast<Half>(value));
  });
}

/// Half types to f32; others as they are.
void widen(ConstVectorView from, VectorView into) {
  if (from.type() == into.type()) {
    if (!from.empty()) std::memcpy(into.data(), from.data(), from.size_bytes());
    return;
  }
  visit_half(from.type(), [&]<class Half>(std::type_identity<Half>) {
    const std::span<const Half> values = from.as<Half>();
    const std::span<float> wide = into.as<float>();
    for (std::size_t i = 0; i < values.size(); ++i) wide[i] = static_cast<float>(values[i]);
  });
}

void narrow(ConstVectorView from, VectorView into) {
  if (from.type() == into.type()) {
    if (!from.empty()) std::memmove(into.data(), from.data(), from.size_bytes());
    return;
  }
  visit_half(into.type(), [&]<class Half>(std::type_identity<Half>) {
    const std::span<const float> wide = from.as<float>();
    const std::span<Half> values = into.as<Half>();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Half>(wide[i]);
  });
}

bool is_half(Datatype type) { return type == Datatype::f16() || type == Datatype::bf16(); }

}  // namespace

SwitchAlu::SwitchAlu(const SwitchTree& tree, const ReduceOp& op, Datatype type, std::optional<Datatype> precision)
    : tree_(tree),
      op_(op),
      type_(type),
      precision_(precision),
      inside_(is_half(type) ? Datatype::f32() : type),
      outside_(is_half(type) ? std::optional(type) : precision),
      children_(tree.nodes.size()),
      widened_(inside_, kChunk) {
  for (std::size_t n = 1; n < tree.nodes.size(); ++n)
    children_[static_cast<std::size_t>(tree.nodes[n].parent)].push_back(static_cast<int>(n));
  const auto levels = static_cast<std::size_t>(tree.depth());
  for (std::size_t level = 0; level < levels; ++level) accumulators_.emplace_back(inside_, kChunk);
}

VectorView SwitchAlu::accumulator(std::size_t level, std::int64_t count) { return accumulators_[level].view().slice(0, count); }

void SwitchAlu::reduce(std::span<const ConstVectorView> inputs, VectorView into) {
  reduce_node(0, inputs, into.count(), 0);
  narrow(accumulator(0, into.count()), into);
}

/// Into the accumulator of the node's level.
void SwitchAlu::reduce_node(int node, std::span<const ConstVectorView> inputs, std::int64_t count, std::size_t level) {
  const VectorView sum = accumulator(level, count);
  bool is_first = true;
  for (const int child : children_[static_cast<std::size_t>(node)]) {
    const ConstVectorView given = given_by(child, inputs, count, level + 1);
    if (is_first)
      widen(given, sum);
    else
      op_.apply(sum, given);
    is_first = false;
  }
  if (outside_) round_values(sum, *outside_);
}

ConstVectorView SwitchAlu::given_by(int node, std::span<const ConstVectorView> inputs, std::int64_t count, std::size_t level) {
  const int participant = tree_.nodes[static_cast<std::size_t>(node)].participant;
  if (participant == SwitchTree::kNone) {
    reduce_node(node, inputs, count, level);
    return accumulator(level, count);
  }
  const ConstVectorView input = inputs[static_cast<std::size_t>(participant)];
  if (inside_ == type_ && !precision_) return input;
  const VectorView wide = widened_.view().slice(0, count);
  widen(input, wide);
  if (precision_) round_values(wide, *precision_);
  return wide;
}

}  // namespace heddle::emu
