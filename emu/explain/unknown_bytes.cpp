// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "emu/data/call_vectors.hpp"
#include "emu/explain/provenance.hpp"
#include "emu/messages/task_state.hpp"

namespace heddle::emu {

namespace {

using ByteVector = std::vector<std::byte>;

/// Beyond that, two names that have nothing to do with each other could be as near.
constexpr int kFewBits = 2;
/// Shorter parts of names agree by chance too often.
constexpr std::size_t kLeastPart = 2;

int differing_bits(std::span<const std::byte> a, std::span<const std::byte> b) {
  int bits = 0;
  for (std::size_t i = 0; i < a.size(); ++i) bits += std::popcount(std::to_integer<unsigned>(a[i] ^ b[i]));
  return bits;
}

bool are_all(std::span<const std::byte> bytes, std::byte value) {
  return std::all_of(bytes.begin(), bytes.end(), [value](std::byte byte) { return byte == value; });
}

std::size_t common_start(std::span<const std::byte> a, std::span<const std::byte> b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

std::size_t common_end(std::span<const std::byte> a, std::span<const std::byte> b) {
  return static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin()).first - a.rbegin());
}

struct Candidate {
  UnknownBytes::Part part;
  ByteVector bytes;
};

std::vector<Candidate> candidates_of(const Contributions& contributions, std::size_t size, std::span<const ValueId> values) {
  std::vector<Candidate> candidates;
  for (const ValueId value : values) candidates.push_back({{value}, contributions.bytes_of(value)});
  candidates.push_back({{.value = {}, .is_poison = true}, ByteVector(size, kOutputPoison)});
  candidates.push_back({{}, ByteVector(size, std::byte{0})});
  return candidates;
}

/// Those of which most of the beginning and most of the end are there make two parts, if nothing is left between them.
std::optional<UnknownBytes> in_parts(std::span<const std::byte> bytes, const std::vector<Candidate>& candidates) {
  const auto better_start = [&](const Candidate& a, const Candidate& b) {
    return common_start(bytes, a.bytes) < common_start(bytes, b.bytes);
  };
  const auto better_end = [&](const Candidate& a, const Candidate& b) {
    return common_end(bytes, a.bytes) < common_end(bytes, b.bytes);
  };
  const auto first = std::max_element(candidates.begin(), candidates.end(), better_start);
  const auto second = std::max_element(candidates.begin(), candidates.end(), better_end);
  const std::size_t start = common_start(bytes, first->bytes);
  const std::size_t end = common_end(bytes, second->bytes);
  const bool has_a_name = first->part.value || second->part.value;
  if (!has_a_name || start < kLeastPart || end < kLeastPart || start + end < bytes.size()) return std::nullopt;
  UnknownBytes found;
  found.kind = UnknownBytes::Kind::in_parts;
  found.split = start;
  found.first = first->part;
  found.second = second->part;
  return found;
}

}  // namespace

UnknownBytes look_at(const Contributions& contributions, std::span<const std::byte> bytes, std::span<const ValueId> values) {
  if (are_all(bytes, kOutputPoison)) return {.kind = UnknownBytes::Kind::poison};
  if (are_all(bytes, kReceivePoison)) return {.kind = UnknownBytes::Kind::open};
  if (are_all(bytes, std::byte{0})) return {.kind = UnknownBytes::Kind::zeros};
  const std::vector<Candidate> candidates = candidates_of(contributions, bytes.size(), values);
  UnknownBytes nearest;
  nearest.kind = UnknownBytes::Kind::near;
  nearest.bits = kFewBits + 1;
  for (const Candidate& candidate : candidates) {
    const int bits = differing_bits(bytes, candidate.bytes);
    if (!candidate.part.value || bits == 0 || bits >= nearest.bits) continue;
    nearest.value = *candidate.part.value;
    nearest.bits = bits;
  }
  if (nearest.bits <= kFewBits) return nearest;
  const ByteVector backwards(bytes.rbegin(), bytes.rend());
  const auto reversed = std::ranges::find_if(
      candidates, [&](const Candidate& candidate) { return candidate.part.value && candidate.bytes == backwards; });
  if (reversed != candidates.end()) return {.kind = UnknownBytes::Kind::reversed, .value = *reversed->part.value};
  return in_parts(bytes, candidates).value_or(UnknownBytes{});
}

}  // namespace heddle::emu
