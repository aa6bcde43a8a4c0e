// SPDX-License-Identifier: Apache-2.0
// How much memory a run will take, so that one that cannot fit is refused before it begins.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "heddle/errors.hpp"
#include "heddle/units.hpp"

namespace heddle {

/// For `ranks` ranks on a fabric of `links` links, each rank holding `payload_per_rank` of its own. An estimate from below:
/// tasks, their touched stacks, links, vectors; not messages on their way.
Bytes estimate_memory(std::int64_t ranks, std::int64_t links, Bytes payload_per_rank);

/// What this machine has, or the process' group of processes may have of it where that is less.
Bytes machine_memory();

/// Throws InputError that names `what` ("ring:1000000000"), the estimate, the machine's memory and what to use instead, if it does
/// not fit. `what` is made only then: a short run would spend more on its words than on the question.
void require_memory(Bytes estimate, const std::function<std::string()>& what,
                    std::string_view instead = "fewer ranks or a smaller --data-memory");

/// Before a run that is estimated at `estimate`: the heap is made larger at once, in large pages where the system has them. A run that
/// takes its memory bit by bit would wait for the system at each page of 4 KiB. What is not used of it costs no memory. Nothing
/// happens before small runs, in a process that has a limit on its address space, and where malloc() keeps large blocks apart from
/// its heap.
void grow_heap(Bytes estimate);

/// What says that the system had no memory for `what`, after all.
OutOfMemory no_memory(Bytes estimate, std::string_view what);

}  // namespace heddle
