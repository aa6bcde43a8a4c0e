// SPDX-License-Identifier: Apache-2.0
#include "mpi/objects/world.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace heddle::mpi {

namespace {

/// As Places::texts says it.
constexpr std::string_view kUnknownPlace = "unknown place";

}  // namespace

std::string World::place_text(const void* place) const {
  std::string text = settings_.place_text ? settings_.place_text(place) : std::string();
  if (text != kUnknownPlace) return text;
  std::vector<std::function<std::string(const void*)>> others;
  {
    const std::lock_guard lock(mutex_);
    others = more_places_;
  }
  for (const auto& other : others) {
    if (std::string found = other(place); !found.empty() && found != kUnknownPlace) return found;
  }
  return text;
}

void World::add_places(std::function<std::string(const void*)> text) {
  const std::lock_guard lock(mutex_);
  more_places_.push_back(std::move(text));
}

std::string World::call_text(const CallSite& site) const {
  const std::string place = place_text(site.place);
  return place.empty() ? std::string(site.function) : fmt::format("{} at {}", site.function, place);
}

std::string World::describe(const PlacedCall& call) const {
  const CallSite& site = *static_cast<const CallSite*>(call.place);
  const std::string place = place_text(site.place);
  const std::string where = place.empty() ? std::string() : " at " + place;
  using Kind = PlacedCall::Kind;
  if (call.kind == Kind::task || call.kind == Kind::wait || site.is_collective) return site.function + where;
  if (call.label == kLabelOfGeneralized)
    return fmt::format("{}{}, whose request MPI_Grequest_complete has not completed", site.function, where);
  const std::string tag = call.tag == kAnyTag ? "any tag" : fmt::format("tag {}", call.tag.value());
  const std::string_view role = call.kind == Kind::send ? "destination" : "source";
  std::string peer =
      call.peer == kAnySource ? "any source" : fmt::format("{} {}", role, call.peer.value() - site.other_group.value_or(0));
  if (site.other_group) peer += " of the other group";
  const std::string data = call.kind == Kind::probe ? std::string() : labels_.text(call.label) + ", ";
  return fmt::format("{}({}{}, {}){}{}", site.function, data, peer, tag, where, source_text(call));
}

void World::note_source(const PlacedCall& send, const std::string& text) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = sources_.try_emplace(envelope_of(send), text);
  // Several of one envelope are not told apart.
  if (!is_new && known->second != text) known->second = "some of whose buffers begin between the blocks of the call";
}

std::string World::source_text(const PlacedCall& call) const {
  if (call.kind != PlacedCall::Kind::send) return {};
  const std::lock_guard lock(mutex_);
  const auto found = sources_.find(envelope_of(call));
  return found == sources_.end() ? std::string() : ", " + found->second;
}

bool World::is_collective(const PlacedCall& call) const { return static_cast<const CallSite*>(call.place)->is_collective; }

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

namespace {

/// Of a call between two groups, whether it is of the group that has the root.
bool is_with_root(const CollectiveCall& call) { return *call.root < 0; }

std::string root_text(const CollectiveCall& call) {
  return *call.root == MPI_ROOT ? "MPI_ROOT" : *call.root == MPI_PROC_NULL ? "MPI_PROC_NULL" : fmt::to_string(*call.root);
}

}  // namespace

World::CallPtr World::foreign_root(Compared& compared, const CallPtr& made) {
  const CollectiveCall& call = *made;
  if (*call.root == MPI_ROOT && compared.root) return compared.root;
  for (const CallPtr& other : {compared.first, compared.other_group}) {
    if (other == nullptr || other->rank == call.rank) continue;
    const bool are_of_one_group = other->is_of_first_group == call.is_of_first_group;
    if ((is_with_root(*other) == is_with_root(call)) != are_of_one_group) return other;
    if (are_of_one_group && !is_with_root(call) && *other->root != *call.root) return other;
    if (*call.root == MPI_ROOT && !are_of_one_group && *other->root != call.rank_in_group) return other;
  }
  if (*call.root == MPI_ROOT) compared.root = made;
  if (compared.root && !is_with_root(call) && *call.root != compared.root->rank_in_group) return compared.root;
  return compared.left > 0 || compared.root ? nullptr : made;
}

World::CallPtr World::uneven_exchange(Compared& compared, const CallPtr& made) {
  const CollectiveCall& call = *made;
  if (call.sent_to.empty()) return nullptr;
  const auto own = static_cast<std::size_t>(call.rank_in_group);
  for (const CallPtr& other : compared.exchanges) {
    const auto rank = static_cast<std::size_t>(other->rank_in_group);
    if (call.sent_to[rank] != other->received_from[own] || other->sent_to[own] != call.received_from[rank]) return other;
  }
  compared.exchanges.push_back(made);
  return nullptr;
}

std::optional<World::Mismatch> World::compare(std::uint64_t id, std::uint32_t number, int ranks, CollectiveCall called) {
  const auto made = std::make_shared<const CollectiveCall>(std::move(called));
  const CollectiveCall& call = *made;
  CallPtr first_made;
  CallPtr first_of_group;
  CallPtr with_other_root;
  CallPtr with_other_bytes;
  {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = under_way_.try_emplace({id, number}, Compared{made, ranks});
    Compared& compared = place->second;
    first_made = compared.first;
    const bool is_of_other_group = call.is_of_first_group != first_made->is_of_first_group;
    if (is_of_other_group && !compared.other_group) compared.other_group = made;
    first_of_group = is_of_other_group ? compared.other_group : first_made;
    --compared.left;
    if (call.function == first_made->function) {
      if (call.is_between_groups && call.root) with_other_root = foreign_root(compared, made);
      with_other_bytes = uneven_exchange(compared, made);
    }
    if (compared.left == 0) under_way_.erase(place);
    if (is_new && !with_other_root) return std::nullopt;
  }
  const CollectiveCall& first = *first_made;
  const CollectiveCall& of_group = *first_of_group;
  const auto text = [this](const CollectiveCall& of, const std::string& what) {
    return fmt::format("rank {} calls {}{}", of.rank, call_text(of.site), what);
  };
  const auto differ_from = [&](const CollectiveCall& other, const std::string& here, const std::string& there) {
    return text(call, here) + ", where " + text(other, there) +
           (call.function == other.function ? ": the ranks of a communicator name the same in one collective call"
                                            : ": all ranks of a communicator make the same collective calls in the same order");
  };
  const auto differ = [&](const std::string& here, const std::string& there) { return differ_from(first, here, there); };
  if (call.function != first.function) return Mismatch{MPI_ERR_OTHER, differ("", "")};
  if (with_other_root && with_other_root->rank == call.rank)
    return Mismatch{
        MPI_ERR_ROOT,
        fmt::format("all ranks call {}, and none of them with MPI_ROOT: the root has it, the others of its group MPI_PROC_NULL",
                    call_text(call.site))};
  if (with_other_root)
    return Mismatch{
        MPI_ERR_ROOT,
        text(call, " with root " + root_text(call)) + ", where " +
            text(*with_other_root, " with root " + root_text(*with_other_root)) +
            (with_other_root->is_of_first_group == call.is_of_first_group ? " in the same group" : " in the other group") +
            ": one rank has MPI_ROOT, the others of its group MPI_PROC_NULL, and the other group names that rank"};
  if (!call.is_between_groups && call.root != first.root)
    return Mismatch{MPI_ERR_ROOT, differ(fmt::format(" with root {}", call.root.value_or(0)),
                                         fmt::format(" with root {}", first.root.value_or(0)))};
  if (call.arguments != of_group.arguments)
    return Mismatch{MPI_ERR_ARG, differ_from(of_group, " with " + call.arguments, " with " + of_group.arguments)};
  if (call.is_in_place != first.is_in_place) {
    const auto said = [](bool is) { return is ? " with MPI_IN_PLACE" : " without MPI_IN_PLACE"; };
    return Mismatch{MPI_ERR_BUFFER, differ(said(call.is_in_place), said(first.is_in_place))};
  }
  if (with_other_bytes) {
    const auto own = static_cast<std::size_t>(call.rank_in_group);
    const auto rank = static_cast<std::size_t>(with_other_bytes->rank_in_group);
    const bool is_sent = call.sent_to[rank] != with_other_bytes->received_from[own];
    return Mismatch{
        MPI_ERR_TRUNCATE,
        text(call, fmt::format(" with {} bytes {} rank {}", is_sent ? call.sent_to[rank] : call.received_from[rank],
                               is_sent ? "for" : "from", rank)) +
            ", where " +
            text(*with_other_bytes, fmt::format(" with {} bytes {} rank {}",
                                                is_sent ? with_other_bytes->received_from[own] : with_other_bytes->sent_to[own],
                                                is_sent ? "from" : "for", own)) +
            ": what one rank sends is what the other receives"};
  }
  if (call.operation != first.operation)
    return Mismatch{MPI_ERR_OP, differ(fmt::format(" with operation {}", call.operation),
                                       fmt::format(" with operation {}", first.operation))};
  if (call.elements && first.elements && !are_alike(*call.elements, *first.elements)) {
    const auto elements = [](BasicId basic) { return fmt::format(" with elements of {}", find_basic(basic)->name); };
    return Mismatch{MPI_ERR_TYPE, differ(elements(*call.elements), elements(*first.elements))};
  }
  if (call.label == first.label) {
    const auto [here, there] = std::ranges::mismatch(call.counts, of_group.counts);
    if (here == call.counts.end() || there == of_group.counts.end()) return std::nullopt;
    const auto part = [&call, rank = here - call.counts.begin()](std::int64_t count) {
      return call.counts_are_bytes ? fmt::format(" with {} bytes for rank {}", count, rank)
                                   : fmt::format(" with a count of {} for rank {}", count, rank);
    };
    return Mismatch{MPI_ERR_COUNT, differ_from(of_group, part(*here), part(*there))};
  }
  const bool has_less = labels_.may_receive(call.label, first.label);
  const bool has_more = labels_.may_receive(first.label, call.label);
  const bool may_stand_for_each_other = call.operation.empty() || labels_.may_reduce(call.label, first.label);
  if (has_less && has_more && may_stand_for_each_other) return std::nullopt;
  // Of two lengths, the shorter one has no room for the other.
  const int error_class = has_less == has_more ? MPI_ERR_TYPE : has_less ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT;
  return Mismatch{error_class, differ(fmt::format(" with {}", labels_.text(call.label)),
                                      fmt::format(" with {}", labels_.text(first.label)))};
}

void World::note_end(int rank, std::uint64_t id, std::uint32_t calls) {
  const std::lock_guard lock(mutex_);
  ends_.push_back({rank, {id, calls}});
}

std::vector<std::string> World::take_left_out() {
  std::vector<std::pair<int, CollectiveCall>> left_out;
  {
    const std::lock_guard lock(mutex_);
    for (const End& end : std::exchange(ends_, {})) {
      const auto place = under_way_.find(end.next_call);
      if (place != under_way_.end()) left_out.emplace_back(end.rank, *place->second.first);
    }
  }
  std::ranges::stable_sort(left_out, {}, &std::pair<int, CollectiveCall>::first);
  std::vector<std::string> lines;
  for (const auto& [rank, call] : left_out)
    lines.push_back(
        fmt::format("rank {} calls MPI_Finalize without {}, which rank {} calls: all ranks of a communicator make the same "
                    "collective calls in the same order",
                    rank, call_text(call.site), call.rank));
  return lines;
}

void World::leave(std::uint64_t id, std::uint32_t number, int ranks, int rank, std::vector<int> value) {
  const std::lock_guard lock(mutex_);
  Left& left = left_[{id, number}];
  left.values.resize(static_cast<std::size_t>(ranks));
  left.values[static_cast<std::size_t>(rank)] = std::move(value);
}

std::shared_ptr<const void> World::read_made(std::uint64_t id, std::uint32_t number,
                                             const std::function<std::shared_ptr<const void>(const Values&)>& make) {
  const std::lock_guard lock(mutex_);
  const auto place = left_.find({id, number});
  Left& left = place->second;
  if (!left.made) left.made = make(left.values);
  std::shared_ptr<const void> made = left.made;
  if (++left.readers == left.values.size()) left_.erase(place);
  return made;
}

Membership World::membership(const Group& first, const Group& last) {
  const auto list = [](const Group& group) { return std::vector(group.members().begin(), group.members().end()); };
  RankLists key{list(first), list(last)};
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = agreed_.try_emplace(std::move(key));
  if (is_new) place->second = {{new_id(), first, last}, first.size() + last.size()};
  Membership members = place->second.members;
  if (--place->second.left == 0) agreed_.erase(place);
  return members;
}

Group World::everyone(int size) {
  const std::lock_guard lock(mutex_);
  if (everyone_.size() != size) {
    std::vector<int> members(static_cast<std::size_t>(size));
    std::iota(members.begin(), members.end(), 0);
    everyone_ = Group(std::move(members));
  }
  return everyone_;
}

std::uint64_t World::id_for_copy(std::uint64_t id, std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = copies_.try_emplace({id, number}, 0);
  if (is_new) place->second = new_id();
  return place->second;
}

int World::number_for_tag(const std::string& tag) {
  const std::lock_guard lock(mutex_);
  return text_tags_.try_emplace(tag, -1 - static_cast<int>(text_tags_.size())).first->second;
}

void World::note(int rank, std::string text, Breach breach) {
  const std::lock_guard lock(mutex_);
  notes_[rank].push_back({std::move(text), breach});
}

std::vector<std::string> World::notes() const {
  return notes([](const Note&) { return true; });
}

std::vector<std::string> World::breaches() const {
  return notes([](const Note& note) { return note.breach == Breach::yes; });
}

std::vector<std::string> World::notes(bool (*is_asked)(const Note&)) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> all;
  for (const auto& [rank, notes] : notes_) {
    for (const Note& note : notes)
      if (is_asked(note)) all.push_back(fmt::format("rank {}: {}", rank, note.text));
  }
  return all;
}

}  // namespace heddle::mpi
