// SPDX-License-Identifier: Apache-2.0
#include "heddle/reduce_op.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "core/argument_checks.hpp"
#include "core/nearest_name.hpp"
#include "core/reduce_kernels.hpp"
#include "heddle/errors.hpp"

namespace heddle {

namespace {

bool overlap_in_part(ConstVectorView a, ConstVectorView b) {
  if (a.data() == b.data()) return false;
  const std::less<> before;  // a total order even over unrelated memory
  return before(a.data(), b.data() + b.size_bytes()) && before(b.data(), a.data() + a.size_bytes());
}

[[noreturn]] void refuse_overlap(const std::string& name, ConstVectorView into, ConstVectorView from) {
  const std::optional<CommonMemory> common =
      common_memory(std::span<const ConstVectorView>(&into, 1), std::span<const ConstVectorView>(&from, 1));
  throw UsageError(fmt::format("{}: the vectors overlap in part{}; they must be one and the same, or apart", name,
                               common ? ", " + common_text(*common, nullptr) : ""));
}

}  // namespace

ReduceOp::ReduceOp(std::string name, Function function, Properties properties)
    : ReduceOp(std::move(name), std::move(function), properties, Operands::any) {}

ReduceOp::ReduceOp(std::string name, Function function, Properties properties, Operands operands)
    : name_(std::move(name)), function_(std::move(function)), properties_(properties), operands_(operands) {
  if (!function_) throw InputError(fmt::format("operation '{}' has no function; give one that computes a[i] ∘ b[i]", name_));
}

const ReduceOp& ReduceOp::sum() {
  static const ReduceOp op("sum", kernels::on_numbers<kernels::Sum>, {.commutative = true, .offered_by_switches = true},
                           Operands::builtin);
  return op;
}

const ReduceOp& ReduceOp::prod() {
  static const ReduceOp op("prod", kernels::on_numbers<kernels::Prod>, {.commutative = true}, Operands::builtin);
  return op;
}

const ReduceOp& ReduceOp::min() {
  static const ReduceOp op("min", kernels::on_numbers<kernels::Min>,
                           {.commutative = true, .idempotent = true, .offered_by_switches = true}, Operands::builtin);
  return op;
}

const ReduceOp& ReduceOp::max() {
  static const ReduceOp op("max", kernels::on_numbers<kernels::Max>,
                           {.commutative = true, .idempotent = true, .offered_by_switches = true}, Operands::builtin);
  return op;
}

const ReduceOp& ReduceOp::bit_and() {
  static const ReduceOp op("band", kernels::on_integers<kernels::BitAnd>,
                           {.commutative = true, .idempotent = true, .offered_by_switches = true}, Operands::integers);
  return op;
}

const ReduceOp& ReduceOp::bit_or() {
  static const ReduceOp op("bor", kernels::on_integers<kernels::BitOr>,
                           {.commutative = true, .idempotent = true, .offered_by_switches = true}, Operands::integers);
  return op;
}

const ReduceOp& ReduceOp::bit_xor() {
  static const ReduceOp op("bxor", kernels::on_integers<kernels::BitXor>, {.commutative = true, .offered_by_switches = true},
                           Operands::integers);
  return op;
}

bool ReduceOp::supports(Datatype type) const {
  switch (operands_) {
    case Operands::any:
      return true;
    case Operands::builtin:
      return type.kind() != Datatype::Kind::user;
    case Operands::integers:
      return type.is_integer();
  }
  return false;
}

void ReduceOp::apply(VectorView into, ConstVectorView from, Side side) const {
  if (into.type() != from.type())
    throw UsageError(fmt::format("{}: one vector holds {}, the other {}; both must hold one type", name_,
                                 to_string(into.type()), to_string(from.type())));
  if (into.count() != from.count())
    throw UsageError(
        fmt::format("{}: one vector has {} elements, the other {}; both must have as many", name_, into.count(), from.count()));
  if (!supports(into.type()))
    throw UsageError(fmt::format("{} is not defined for {}; {}", name_, to_string(into.type()),
                                 operands_ == Operands::integers ? "it needs integers" : "give a ReduceOp of your own"));
  if (overlap_in_part(into, from)) refuse_overlap(name_, into, from);

  const auto count = static_cast<std::size_t>(into.count());
  if (side == Side::right)
    function_(into.data(), from.data(), into.data(), count, into.type());
  else
    function_(from.data(), into.data(), into.data(), count, into.type());
}

const std::vector<const ReduceOp*>& builtin_ops() {
  static const std::vector<const ReduceOp*> ops = {&ReduceOp::sum(),    &ReduceOp::prod(),    &ReduceOp::min(),
                                                   &ReduceOp::max(),    &ReduceOp::bit_and(), &ReduceOp::bit_or(),
                                                   &ReduceOp::bit_xor()};
  return ops;
}

const ReduceOp& parse_op(std::string_view text) {
  std::vector<std::string_view> known;
  for (const ReduceOp* op : builtin_ops()) {
    if (op->name() == text) return *op;
    known.push_back(op->name());
  }
  throw InputError(unknown_name_message("operation", text, known));
}

}  // namespace heddle
