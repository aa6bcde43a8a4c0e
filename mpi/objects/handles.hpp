// SPDX-License-Identifier: Apache-2.0
// The handles that a rank's program holds, and the objects behind them. A handle of heddle's own is 64 bits: kind, rank, generation
// and place. So a freed handle, one of another rank and one that never was are told apart. For one rank's thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi/image/table.hpp"

namespace heddle::mpi {

struct CallSite;

enum class HandleKind : std::uint8_t {
  none,
  communicator,
  group,
  datatype,
  operation,
  request,
  message,
  info,
  error_handler,
  session
};

/// What a number is, taken for a handle.
struct HandleParts {
  HandleKind kind;
  int rank;
  std::uint32_t generation;
  std::uint32_t place;
};

inline constexpr std::uint64_t kLeastOwnHandle = 1024;  ///< below are MPI's predefined ones

constexpr std::uint64_t handle_number(const HandleParts& parts) {
  return static_cast<std::uint64_t>(parts.kind) << 60 | static_cast<std::uint64_t>(parts.rank) << 36 |
         static_cast<std::uint64_t>(parts.generation & 0xFFF) << 24 | (parts.place + 1);
}
constexpr HandleParts parts_of(std::uint64_t number) {
  return {static_cast<HandleKind>(number >> 60), static_cast<int>(number >> 36 & 0xFFFFFF),
          static_cast<std::uint32_t>(number >> 24 & 0xFFF), static_cast<std::uint32_t>((number & 0xFFFFFF) - 1)};
}

template <class Mpi>
std::uint64_t number_of(Mpi handle) {
  return reinterpret_cast<std::uintptr_t>(handle);
}

/// A handle as an integer of Fortran's (MPI 5.0, §19.3.4): its place and a part of its generation, above all predefined ones.
template <class Mpi>
int to_int(Mpi handle) {
  const std::uint64_t number = number_of(handle);
  if (number < kLeastOwnHandle) return static_cast<int>(number);
  return static_cast<int>(1U << 30 | (parts_of(number).generation & 0x3F) << 24 | (number & 0xFFFFFF));
}

/// Objects of one kind. `Mpi` is what the program sees: MPI_Comm. An object stays where it is until it is removed.
template <class T, class Mpi, HandleKind kKind>
class Handles {
 public:
  /// `site`: where the call under way is kept, which makes what is added.
  Handles(int rank, CallSite* const& site) : rank_(rank), site_(site) {}

  Mpi add(std::unique_ptr<T> object) {
    std::uint32_t place = static_cast<std::uint32_t>(slots_.size());
    if (free_.empty()) {
      slots_.emplace_back();
    } else {
      place = free_.back();
      free_.pop_back();
    }
    slots_[place].object = std::move(object);
    slots_[place].made_by = site_;
    return handle(place);
  }
  /// One of MPI's own, which the program need not free.
  Mpi add_own(std::unique_ptr<T> object) {
    const Mpi made = add(std::move(object));
    slots_[parts_of(number_of(made)).place].made_by = nullptr;
    return made;
  }
  /// Nullptr where it is none of this rank's, of this kind, that lives.
  T* find(Mpi of) {
    const std::uint64_t number = number_of(of);
    if (number < kLeastOwnHandle) return nullptr;
    const HandleParts parts = parts_of(number);
    if (parts.kind != kKind || parts.rank != rank_ || parts.place >= slots_.size()) return nullptr;
    Slot& slot = slots_[parts.place];
    return slot.object && (slot.generation & 0xFFF) == parts.generation ? slot.object.get() : nullptr;
  }
  /// The handle of a number that to_int() gave. A freed one is told apart until its place has been used 64 times more.
  Mpi from_int(int number) const {
    if (static_cast<std::uint64_t>(number) < kLeastOwnHandle) return reinterpret_cast<Mpi>(static_cast<std::uintptr_t>(number));
    const std::uint32_t place = (static_cast<std::uint32_t>(number) & 0xFFFFFF) - 1;
    const std::uint32_t generation = static_cast<std::uint32_t>(number) >> 24 & 0x3F;
    const std::uint32_t now = place < slots_.size() ? slots_[place].generation : 0;
    return handle(place, now - ((now - generation) & 0x3F));
  }
  /// The object, no longer the handle's. It must be there.
  std::unique_ptr<T> take(Mpi of) {
    const std::uint32_t place = parts_of(number_of(of)).place;
    free_.push_back(place);
    ++slots_[place].generation;
    return std::move(slots_[place].object);
  }
  /// Why find() found nothing: "has been freed".
  std::string why_none(Mpi of) const {
    const std::uint64_t number = number_of(of);
    if (number == 0) return "is null";
    const HandleParts parts = parts_of(number);
    if (number < kLeastOwnHandle || parts.kind == HandleKind::none || parts.kind > HandleKind::session)
      return "is no handle of this kind";
    if (parts.kind != kKind) return "is a handle of another kind";
    if (parts.rank != rank_) return "is no handle that this rank has";
    return parts.place < slots_.size() ? "has been freed" : "was never made";
  }
  /// The calls that made those that live and that `is_asked` for, and how many of these each made. What no call made is left out.
  std::vector<std::pair<const CallSite*, int>> makers(bool (*is_asked)(const T&) = [](const T&) { return true; }) const {
    std::vector<std::pair<const CallSite*, int>> all;
    for (const Slot& slot : slots_) {
      if (!slot.object || slot.made_by == nullptr || !is_asked(*slot.object)) continue;
      const auto known = std::ranges::find(all, slot.made_by, &std::pair<const CallSite*, int>::first);
      known != all.end() ? void(++known->second) : void(all.emplace_back(slot.made_by, 1));
    }
    return all;
  }
  /// The first of those that live whose object matches.
  template <class Matches>
  std::optional<Mpi> find_if(const Matches& matches) const {
    for (std::uint32_t place = 0; place < slots_.size(); ++place)
      if (slots_[place].object && matches(std::as_const(*slots_[place].object))) return handle(place);
    return std::nullopt;
  }
  /// Calls visit(handle, object) for those that live, in the order of their places.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (std::uint32_t place = 0; place < slots_.size(); ++place) {
      if (slots_[place].object) visit(handle(place), *slots_[place].object);
    }
  }

 private:
  struct Slot {
    std::unique_ptr<T> object;
    const CallSite* made_by = nullptr;
    std::uint32_t generation = 0;
  };
  Mpi handle(std::uint32_t place) const { return handle(place, slots_[place].generation); }
  Mpi handle(std::uint32_t place, std::uint32_t generation) const {
    return reinterpret_cast<Mpi>(static_cast<std::uintptr_t>(handle_number({kKind, rank_, generation, place})));
  }

  int rank_;
  CallSite* const& site_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace heddle::mpi
