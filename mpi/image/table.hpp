// SPDX-License-Identifier: Apache-2.0
// What passes between heddle and a copy of a program, for heddle's own C++: its macros cast as C does, of which no compiler warns here.
#pragma once
#pragma GCC system_header

#include "mpi/libc/table.h"
