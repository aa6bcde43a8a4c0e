// SPDX-License-Identifier: Apache-2.0
// What the processor refuses in a program's own code ends its rank with a failure that says where, and not heddle.
#pragma once

namespace heddle::mpi {

/// From now on, where heddle handles the process's signals at all. Cheap where that is so already.
void take_faults_of_programs();

}  // namespace heddle::mpi
