// SPDX-License-Identifier: Apache-2.0
#include "mpi/objects/world.hpp"

#include <utility>

#include <fmt/format.h>

namespace heddle::mpi {

std::string World::call_text(const CallSite& site) const {
  const std::string place = place_text(site.place);
  return place.empty() ? std::string(site.function) : fmt::format("{} at {}", site.function, place);
}

std::string World::describe(const PlacedCall& call) const {
  const CallSite& site = *static_cast<const CallSite*>(call.place);
  const std::string place = place_text(site.place);
  const std::string where = place.empty() ? std::string() : " at " + place;
  using Kind = PlacedCall::Kind;
  if (call.kind == Kind::task || call.kind == Kind::wait) return site.function + where;
  const std::string tag = call.tag == kAnyTag ? "any tag" : fmt::format("tag {}", call.tag.value());
  const std::string_view role = call.kind == Kind::send ? "destination" : "source";
  const std::string peer = call.peer == kAnySource ? "any source" : fmt::format("{} {}", role, call.peer.value());
  const std::string data = call.kind == Kind::probe ? std::string() : labels_.text(call.label) + ", ";
  return fmt::format("{}({}{}, {}){}", site.function, data, peer, tag, where);
}

void World::keep(CallSites sites) {
  const std::lock_guard lock(mutex_);
  kept_.push_back(std::move(sites));
}

void World::count(const CallCounts& of_rank) {
  const std::lock_guard lock(mutex_);
  add_counts(counts_, of_rank);
}

std::vector<CountedCalls> World::counted() const {
  const std::lock_guard lock(mutex_);
  return counted_calls(counts_);
}

void World::abort(int code) {
  const std::lock_guard lock(mutex_);
  if (!abort_code_) abort_code_ = code;
}
std::optional<int> World::abort_code() const {
  const std::lock_guard lock(mutex_);
  return abort_code_;
}

std::optional<std::string> World::compare(std::uint64_t id, std::uint32_t number, int ranks, const CollectiveCall& call) {
  CollectiveCall first;
  {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = under_way_.try_emplace({id, number}, Compared{call, ranks});
    first = place->second.first;
    if (--place->second.left == 0) under_way_.erase(place);
    if (is_new) return std::nullopt;
  }
  const auto text = [this](const CollectiveCall& of, const std::string& what) {
    return fmt::format("rank {} calls {}{}", of.rank, call_text(of.site), what);
  };
  const auto differ = [&](const std::string& here, const std::string& there) {
    return text(call, here) + ", where " + text(first, there) +
           ": all ranks of a communicator make the same collective calls in the same order";
  };
  if (call.function != first.function) return differ("", "");
  if (call.root != first.root) return differ(fmt::format(" with root {}", call.root), fmt::format(" with root {}", first.root));
  if (call.operation != first.operation)
    return differ(fmt::format(" with operation {}", call.operation), fmt::format(" with operation {}", first.operation));
  if (call.label == first.label) return std::nullopt;
  if (labels_.may_receive(call.label, first.label) && labels_.may_receive(first.label, call.label)) return std::nullopt;
  return differ(fmt::format(" with {}", labels_.text(call.label)), fmt::format(" with {}", labels_.text(first.label)));
}

void World::leave(std::uint64_t id, std::uint32_t number, int ranks, int rank, std::vector<int> value) {
  const std::lock_guard lock(mutex_);
  Left& left = left_[{id, number}];
  left.values.resize(static_cast<std::size_t>(ranks));
  left.values[static_cast<std::size_t>(rank)] = std::move(value);
}

std::vector<std::vector<int>> World::read(std::uint64_t id, std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  const auto place = left_.find({id, number});
  if (++place->second.readers < static_cast<int>(place->second.values.size())) return place->second.values;
  std::vector<std::vector<int>> values = std::move(place->second.values);
  left_.erase(place);
  return values;
}

std::uint64_t World::id_for(const std::vector<int>& members) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = numbered_.try_emplace(members, Numbered{next_id_, members.size()});
  if (is_new) ++next_id_;
  const std::uint64_t id = place->second.id;
  if (--place->second.left == 0) numbered_.erase(place);
  return id;
}

void World::note(int rank, std::string text) {
  const std::lock_guard lock(mutex_);
  notes_[rank].push_back(std::move(text));
}

std::vector<std::string> World::notes() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (const auto& [rank, texts] : notes_) {
    for (const std::string& text : texts) all.push_back(fmt::format("rank {}: {}", rank, text));
  }
  return all;
}

}  // namespace heddle::mpi
