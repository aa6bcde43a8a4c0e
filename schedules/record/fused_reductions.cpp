// SPDX-License-Identifier: Apache-2.0
#include "schedules/record/fused_reductions.hpp"

#include <algorithm>
#include <optional>

namespace heddle {

namespace {

bool overlap(const MemoryRange& a, const MemoryRange& b) { return a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes; }

bool overlap(const std::vector<MemoryRange>& as, const std::vector<MemoryRange>& bs) {
  return std::ranges::any_of(
      as, [&](const MemoryRange& a) { return std::ranges::any_of(bs, [&](const MemoryRange& b) { return overlap(a, b); }); });
}

bool same(const std::vector<MemoryRange>& as, const std::vector<MemoryRange>& bs) {
  return as.size() == 1 && bs.size() == 1 && as[0].begin == bs[0].begin && as[0].bytes == bs[0].bytes;
}

bool is_scratch(const RankRecording& rank, const std::vector<MemoryRange>& ranges) {
  return !overlap(ranges, {rank.input}) && !overlap(ranges, {rank.output});
}

bool has(const std::vector<std::int32_t>& list, std::int32_t number) { return std::ranges::find(list, number) != list.end(); }

/// Operations of the rank that touch the received data after the receive; no value: others than one reduction, up to where it is
/// overwritten.
std::optional<std::int32_t> only_use(const RankRecording& rank, std::int32_t receive) {
  const auto& operations = rank.operations();
  const std::vector<MemoryRange>& data = operations[static_cast<std::size_t>(receive)].into;
  std::optional<std::int32_t> use;
  for (auto i = static_cast<std::size_t>(receive) + 1; i < operations.size(); ++i) {
    if (overlap(operations[i].from, data)) {
      if (use || operations[i].kind != RecordedOperation::Kind::reduce || !same(operations[i].from, data)) return std::nullopt;
      use = static_cast<std::int32_t>(i);
    }
    if (overlap(operations[i].into, data)) return use;
  }
  return use;
}

}  // namespace

FusedReductions fuse_reductions(const RankRecording& rank) {
  FusedReductions fused;
  const auto& operations = rank.operations();
  for (std::int32_t receive = 0; receive < static_cast<std::int32_t>(operations.size()); ++receive) {
    const RecordedOperation& message = operations[static_cast<std::size_t>(receive)];
    if (message.kind != RecordedOperation::Kind::receive || message.into.size() != 1 || !is_scratch(rank, message.into))
      continue;
    const std::optional<std::int32_t> use = only_use(rank, receive);
    if (!use) continue;
    const RecordedOperation& reduction = operations[static_cast<std::size_t>(*use)];
    if (!has(reduction.after, receive) || is_scratch(rank, reduction.into)) continue;
    const bool is_free = std::ranges::all_of(reduction.after, [&](std::int32_t other) {
      const RecordedOperation& before = operations[static_cast<std::size_t>(other)];
      return other == receive ||
             (before.after == message.after && !overlap(before.from, reduction.into) && !overlap(before.into, reduction.into));
    });
    if (!is_free) continue;
    fused.reduction_of[receive] = *use;
    fused.receive_of[*use] = receive;
  }
  return fused;
}

}  // namespace heddle
