// SPDX-License-Identifier: Apache-2.0
// Calls of split() that some ranks of a communicator have made and others have not.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "emu/groups/split_parts.hpp"

namespace heddle::emu {

/// `Member` is what a runtime knows a calling task by. Not for several threads at once.
template <class Member>
class SplitCalls {
 public:
  /// In the order in which they were made.
  struct Gathered {
    std::vector<SplitCall> calls;
    std::vector<Member> members;
  };

  /// The call of the whole group once its last rank has made it, no value before. It is under way no longer then.
  std::optional<Gathered> add(const SplitCall& call, Member member) {
    const auto place = under_way_.try_emplace({call.parent_context, call.call}).first;
    Gathered& gathered = place->second;
    gathered.calls.push_back(call);
    gathered.members.push_back(member);
    if (gathered.calls.size() < call.group->members.size()) return std::nullopt;
    std::optional<Gathered> whole(std::move(gathered));
    under_way_.erase(place);
    return whole;
  }

  /// By context and number of the call on it.
  const std::map<std::pair<std::uint32_t, std::uint32_t>, Gathered>& under_way() const { return under_way_; }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, Gathered> under_way_;
};

}  // namespace heddle::emu
