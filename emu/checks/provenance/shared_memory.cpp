// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/provenance/shared_memory.hpp"

#include <link.h>

#include <algorithm>

namespace heddle::emu {

namespace {

using Ranges = std::vector<std::pair<const std::byte*, const std::byte*>>;

/// Adds what one library, or the program itself, has in memory that can be written.
int add_writable(dl_phdr_info* library, std::size_t, void* ranges) {
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = library->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    const auto* const begin = reinterpret_cast<const std::byte*>(library->dlpi_addr + segment.p_vaddr);
    static_cast<Ranges*>(ranges)->emplace_back(begin, begin + segment.p_memsz);
  }
  return 0;
}

}  // namespace

SharedMemory::SharedMemory() { dl_iterate_phdr(add_writable, &static_memory_); }

bool SharedMemory::is_static(const std::byte* address) const {
  return std::any_of(static_memory_.begin(), static_memory_.end(),
                     [address](const auto& range) { return address >= range.first && address < range.second; });
}

void SharedMemory::compare(const Uses& uses, const std::byte* begin, const Use& use, bool is_static) {
  if (first_) return;
  // Uses of one rank do not overlap, nor do most others: one that begins before reaches no further than the next.
  auto at = uses.upper_bound(begin);
  if (at != uses.begin()) --at;
  for (; at != uses.end() && at->first < use.end; ++at) {
    const auto& [other_begin, other] = *at;
    if (other.rank == use.rank || other.end <= begin || !(other.receives || use.receives)) continue;
    const auto bytes = static_cast<std::size_t>(std::min(other.end, use.end) - std::max(other_begin, begin));
    if (use.receives)
      first_ = Finding{use.rank, other.rank, !other.receives, is_static, bytes};
    else
      first_ = Finding{other.rank, use.rank, true, is_static, bytes};
    return;
  }
}

void SharedMemory::note_static(const std::byte* begin, const Use& use) {
  if (first_ || !is_static(begin)) return;
  compare(statics_, begin, use, true);
  const auto [from, to] = statics_.equal_range(begin);
  const bool is_known = std::any_of(from, to, [&use](const auto& known) {
    return known.second.rank == use.rank && known.second.end >= use.end && known.second.receives == use.receives;
  });
  if (!is_known) statics_.emplace(begin, use);
}

void SharedMemory::receive_posted(int rank, std::span<const VectorView> into) {
  for (const VectorView& piece : into) {
    if (piece.empty()) continue;
    const Use use{piece.data() + piece.size_bytes(), rank, true};
    compare(open_, piece.data(), use, is_static(piece.data()));
    note_static(piece.data(), use);
    open_.emplace(piece.data(), use);
  }
}

void SharedMemory::receive_completed(int rank, std::span<const VectorView> into) {
  for (const VectorView& piece : into) {
    const auto [from, to] = open_.equal_range(piece.data());
    const auto done = std::find_if(from, to, [rank](const auto& use) { return use.second.rank == rank; });
    if (done != to) open_.erase(done);
  }
}

void SharedMemory::send_posted(int rank, std::span<const ConstVectorView> from) {
  for (const ConstVectorView& piece : from) {
    if (piece.empty()) continue;
    const Use use{piece.data() + piece.size_bytes(), rank, false};
    compare(open_, piece.data(), use, is_static(piece.data()));
    note_static(piece.data(), use);
  }
}

}  // namespace heddle::emu
