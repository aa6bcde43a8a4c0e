// SPDX-License-Identifier: Apache-2.0
// Memory that messages of different ranks lie in at once. Ranks of an emulation are threads of one process: a static or global
// variable, which each process of a cluster has for itself, is there one for all.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/vector_view.hpp"

namespace heddle::emu {

class SharedMemory {
 public:
  struct Finding {
    int receiver;  ///< into memory that
    int other;     ///< another rank receives into or sends from
    bool other_sends;
    bool is_static;  ///< it is no stack's and no heap's
    std::size_t bytes;
  };

  SharedMemory();

  // Operations of ranks of a run, in its order.
  void receive_posted(int rank, std::span<const VectorView> into);
  void receive_completed(int rank, std::span<const VectorView> into);
  void send_posted(int rank, std::span<const ConstVectorView> from);

  /// What is known for certain: both operations were open at once, or the memory is static.
  const std::optional<Finding>& first() const { return first_; }

 private:
  struct Use {
    const std::byte* end;
    int rank;
    bool receives;
  };
  using Uses = std::multimap<const std::byte*, Use>;  ///< by their beginning

  void compare(const Uses& uses, const std::byte* begin, const Use& use, bool is_static);
  bool is_static(const std::byte* address) const;
  void note_static(const std::byte* begin, const Use& use);

  Uses open_;     ///< receives
  Uses statics_;  ///< all operations on static memory, each range of a rank once
  std::vector<std::pair<const std::byte*, const std::byte*>> static_memory_;
  std::optional<Finding> first_;
};

}  // namespace heddle::emu
