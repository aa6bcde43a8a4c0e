// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <type_traits>

#include "emu/switches/in_network_call.hpp"
#include "heddle/datatype.hpp"

namespace heddle::emu {

namespace {

/// Of floats that are narrower than f32.
template <class Visit>
void visit_narrow(Datatype type, Visit visit) {
  const auto if_narrow = [&]<class T>(std::type_identity<T> of) {
    if constexpr (kIsFloatElement<T> && sizeof(T) < sizeof(float)) visit(of);
  };
  visit_element_type(type, if_narrow, [] {});
}

void round_values(VectorView values, Datatype type) {
  visit_narrow(type, [&]<class Narrow>(std::type_identity<Narrow>) {
    for (float& value : values.as<float>()) value = static_cast<float>(static_cast<Narrow>(value));
  });
}

/// Narrow floats to f32; others as they are.
void widen(ConstVectorView from, VectorView into) {
  if (from.type() == into.type()) {
    if (!from.empty()) std::memcpy(into.data(), from.data(), from.size_bytes());
    return;
  }
  visit_narrow(from.type(), [&]<class Narrow>(std::type_identity<Narrow>) {
    const std::span<const Narrow> values = from.as<Narrow>();
    const std::span<float> wide = into.as<float>();
    for (std::size_t i = 0; i < values.size(); ++i) wide[i] = static_cast<float>(values[i]);
  });
}

void narrow(ConstVectorView from, VectorView into) {
  if (from.type() == into.type()) {
    if (!from.empty()) std::memmove(into.data(), from.data(), from.size_bytes());
    return;
  }
  visit_narrow(into.type(), [&]<class Narrow>(std::type_identity<Narrow>) {
    const std::span<const float> wide = from.as<float>();
    const std::span<Narrow> values = into.as<Narrow>();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Narrow>(wide[i]);
  });
}

/// Whether it is computed in f32. What does not round stays as it is: 8-bit floats saturate, which a minimum must not.
bool is_widened(Datatype type, const ReduceOp& op) {
  return type.is_floating() && type.size() < sizeof(float) && (&op == &ReduceOp::sum() || &op == &ReduceOp::prod());
}

}  // namespace

SwitchAlu::SwitchAlu(const SwitchTree& tree, const ReduceOp& op, Datatype type, std::optional<Datatype> precision)
    : tree_(tree),
      op_(op),
      type_(type),
      precision_(precision),
      inside_(is_widened(type, op) ? Datatype::f32() : type),
      outside_(is_widened(type, op) ? std::optional(type) : precision),
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
