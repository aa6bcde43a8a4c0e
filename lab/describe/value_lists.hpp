// SPDX-License-Identifier: Apache-2.0
// Flags of several values: numbers and sizes in steps, and lists of which the values have commas of their own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emu/settings/emulation_settings.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/routing.hpp"

namespace heddle {

/// Ascending, each once. A range needs its step: x4 (each four times the last) or +1KiB. Throws InputError.
std::vector<Bytes> parse_sizes(std::string_view text);

/// The same for numbers of ranks; a range without a step is every number.
std::vector<int> parse_rank_counts(std::string_view text);

/// nccl-tests' flags for sizes, as written.
struct NcclSizes {
  std::optional<std::string> least;   ///< -b
  std::optional<std::string> most;    ///< -e
  std::optional<std::string> factor;  ///< -f
  std::optional<std::string> step;    ///< -i

  bool any() const { return least || most || factor || step; }
};

/// What nccl-tests would run: -b alone is one size; from -b to -e by 1 MiB unless -f or -i says otherwise. Throws InputError
/// that names the flag.
std::vector<Bytes> sizes_of(const NcclSizes& flags);

// Several values of one axis in one text, where the values have commas of their own.

/// "torus:8x8,star:512,alu,multicast" is two topologies: a comma parts them where a word and a colon follow, as every family
/// but no option of one is written.
std::vector<std::string> split_topologies(std::string_view text);

/// A value and how it is called in labels: "400Gbps".
template <class T>
struct Named {
  std::string text;
  T value;

  bool operator==(const Named&) const = default;
};

/// Points of faults that are there at once, as add_fault (emu/settings/faults.hpp) reads each; of "none" there is none.
/// "none,link:0->1,slow=4,rank:3,stops" is three points: a comma parts them where none, or a kind of fault and a colon, follow.
/// A + before a kind of fault joins two that are there at once: "link:0->1,slow=4+rank:3,late=20us". Throws InputError for a
/// part that is empty or begins with no kind of fault.
std::vector<Named<std::vector<std::string>>> split_faults(std::string_view text);

/// Routings that are shown together: one, or ECMP under several seeds. "adaptive,ecmp:1:32" is two points, of which the second has 32 seeds. Throws InputError for what is no routing, and for seeds that
/// do not ascend or are more than 10,000.
std::vector<Named<std::vector<Routing>>> split_routings(std::string_view text);

/// "fluid,packets:buffer=8,queues=fifo" is two models: a comma parts them where a model's name follows. Throws InputError for what
/// is no model.
std::vector<Named<Model>> split_models(std::string_view text);
/// The same for runs under each of them, of which the others are held against the first. Throws InputError for one that is there twice.
std::vector<Model> different_models(std::string_view text);

}  // namespace heddle
