// SPDX-License-Identifier: Apache-2.0
// One call of one algorithm on one fabric, as a value with one line of text that says all of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"
#include "core/datatype.hpp"
#include "core/reduce_op.hpp"
#include "core/units.hpp"
#include "emu/run/emulation_settings.hpp"
#include "topo/fabric.hpp"

namespace heddle {

/// What is not said is as `heddle run` has it. A value; nothing in it is checked before it is run.
struct FuzzCase {
  Collective collective = Collective::allreduce;
  std::string algorithm;  ///< with its options: "chain:segments=8"
  std::string topology = "star:2";
  std::optional<int> ranks = {};  ///< no value: as many as the topology has endpoints
  std::string placement = "linear";
  /// Which of them call together: "4" (consecutive ranks, four by four), "strided:4" (every fourth), these with + between them;
  /// empty: all. All groups of a case have as many ranks, which count, blocks and root are about.
  std::string groups = {};

  std::int64_t count = 0;                 ///< elements of the whole vector, all of them held
  std::vector<std::int64_t> blocks = {};  ///< sizes of its blocks, `count` together; empty: cut as evenly as it goes
  Datatype type = Datatype::i32();
  const ReduceOp* op = &ReduceOp::sum();  ///< of a collective that reduces; a built-in one or affine_op()
  int root = 0;                           ///< of a collective that has one
  bool in_place = true;
  std::uint64_t seed = 1;  ///< of the data

  // Speeds of all links, of whatever tier, and of messages.
  Bandwidth bandwidth = LinkSpeed{}.bandwidth;
  Time latency = LinkSpeed{}.latency;
  Time hop = {};
  Time alpha = {};

  Buffering buffering = {};
  std::optional<std::uint64_t> order_seed = {};
  ExploredOrder order = {};
  Threads threads = default_threads();
  std::vector<std::string> faults =
      {};  ///< as emu/faults/fault_spec.hpp reads them: "rank:3,stops"; of the ranks of all groups

  /// The arguments that make `heddle run` do this: "allreduce --algo ring --topo star:5 --size 28". What is as `heddle run` has
  /// it anyway is left out.
  std::string text() const;
};

/// Text that has quotes of its own or none, as one word for a shell.
std::string quoted_for_shell(std::string_view text);

/// Reads what text() writes: these flags, in any order. Throws InputError that names the flag or the word.
FuzzCase parse_fuzz_case(std::string_view text);

}  // namespace heddle
