// SPDX-License-Identifier: Apache-2.0
#include "mpi/collectives/overlaps.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace heddle::mpi {

namespace {

/// The bytes of a block, and its place in the list.
struct ByteRange {
  std::uintptr_t first;
  std::uintptr_t last;
  std::size_t block;
};

/// By where they begin. Most lists are in this order already.
std::vector<ByteRange> sorted_ranges(std::span<const TypedBuffer> blocks) {
  std::vector<ByteRange> ranges;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const TypedBuffer& block = blocks[i];
    if (block.bytes() == 0 || !block.type->is_contiguous()) continue;
    const auto first = reinterpret_cast<std::uintptr_t>(block.base);
    ranges.push_back({first, first + static_cast<std::uintptr_t>(block.bytes()), i});
  }
  if (!std::ranges::is_sorted(ranges, {}, &ByteRange::first)) std::ranges::sort(ranges, {}, &ByteRange::first);
  return ranges;
}

}  // namespace

std::vector<TypedBuffer> each_block(const TypedBlocks& blocks) {
  std::vector<TypedBuffer> all;
  for (int i = 0; i < blocks.number; ++i) all.push_back(blocks.block(i));
  return all;
}

std::optional<std::pair<std::size_t, std::size_t>> overlapping_blocks(std::span<const TypedBuffer> blocks) {
  const std::vector<ByteRange> ranges = sorted_ranges(blocks);
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i - 1].last) return std::minmax(ranges[i - 1].block, ranges[i].block);
  }
  return std::nullopt;
}

bool overlap(std::span<const TypedBuffer> some, std::span<const TypedBuffer> others) {
  if (some.empty() || others.empty()) return false;
  const std::vector<ByteRange> a = sorted_ranges(some);
  const std::vector<ByteRange> b = sorted_ranges(others);
  // Blocks of one list may overlap each other: the furthest end so far counts.
  std::uintptr_t a_end = 0;
  std::uintptr_t b_end = 0;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool is_of_a = j == b.size() || (i < a.size() && a[i].first < b[j].first);
    const ByteRange& next = is_of_a ? a[i++] : b[j++];
    if (next.first < (is_of_a ? b_end : a_end)) return true;
    std::uintptr_t& end = is_of_a ? a_end : b_end;
    end = std::max(end, next.last);
  }
  return false;
}

namespace {

void refuse_if(Process& process, bool do_overlap, const char* own, const char* other, const CallSite& site) {
  if (!do_overlap) return;
  process.refuse(MPI_ERR_BUFFER,
                 fmt::format("its {} buffer and the {} buffer of {}, which is under way, overlap: wait for that "
                             "first, or give each memory of its own",
                             own, other, process.world().call_text(site)));
}

}  // namespace

void require_free(Process& process, const UsedMemory& used) {
  std::erase_if(process.open_memory, [](const auto& memory) { return memory.expired(); });
  for (const std::weak_ptr<const OpenMemory>& each : process.open_memory) {
    const std::shared_ptr<const OpenMemory> open = each.lock();
    refuse_if(process, overlap(used.received, open->used->received), "receive", "receive", open->site);
    refuse_if(process, overlap(used.received, open->used->sent), "receive", "send", open->site);
    refuse_if(process, overlap(used.sent, open->used->received), "send", "receive", open->site);
  }
}

void require_free_of_receives(Process& process, const UsedMemory& used) {
  process.requests.for_each([&](MPI_Request, const RequestObject& request) {
    const bool is_open = request.kind == RequestObject::Kind::receive && request.is_active && !request.is_over();
    if (!is_open || request.count == 0) return;
    // How long the message is, nobody knows yet.
    const TypedBuffer first = typed(request.buffer, 1, request.type);
    const std::span<const TypedBuffer> into(&first, 1);
    const CallSite site{request.function, request.place};
    refuse_if(process, overlap(used.received, into), "receive", "receive", site);
    refuse_if(process, overlap(used.sent, into), "send", "receive", site);
  });
}

}  // namespace heddle::mpi
