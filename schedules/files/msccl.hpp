// SPDX-License-Identifier: Apache-2.0
// Reads schedules in MSCCL's XML (microsoft/msccl, Azure/msccl-executor-nccl; docs/schedules.md has the grammar).
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "heddle/collective.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

/// The schedule in `text`, the content of `file`, which is named in messages. `collective`: what a file that does not say (no coll) is
/// for. Throws InputError, one line with file, line, gpu, tb and step, for what is wrong: XML, a missing or unknown value, a step or a
/// thread that there is not, a traffic pattern that is no collective. What require_valid() finds is not looked for.
ScheduleProgram read_msccl(std::string text, const std::string& file, std::optional<Collective> collective = std::nullopt);

/// The schedule in a file. Throws InputError as well where it cannot be read, or would take more than about 2 GiB of memory.
ScheduleProgram read_msccl_file(const std::string& file, std::optional<Collective> collective = std::nullopt);

// What files leave out, and their steps show.

/// Whether a schedule works on two vectors (it uses its input and its output, and writes all of each output) or on one. Its root is
/// known.
PlaceModes guess_modes(const ScheduleProgram& program);

/// The rank that a schedule's collective goes out from: the only one that never receives, and never sends for one that ends there;
/// where several do, or none, 0.
int guess_root(const ScheduleProgram& program);

/// The schedule in MSCCL's XML, as read_msccl reads it: one line for each step. The same schedule gives the same bytes. A root other than 0
/// stands in an attribute of heddle's own (root).
void write_msccl(const ScheduleProgram& program, std::ostream& out);

}  // namespace heddle
