// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "schedules/program/schedule_program.hpp"

namespace heddle {

/// The schedule in MSCCL's XML, as read_msccl reads it: one line for each step. The same schedule gives the same bytes. A root other than 0
/// stands in an attribute of heddle's own (root).
void write_msccl(const ScheduleProgram& program, std::ostream& out);

}  // namespace heddle
