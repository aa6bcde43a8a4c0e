// SPDX-License-Identifier: Apache-2.0
// The ranks of a recorded job on a fabric with groups.
#pragma once

#include "topo/jobs/recorded_jobs.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

/// The job's groups, in the order of the machine's numbers, are the first groups of the fabric's largest tier that is not all of
/// it; within a group ranks sit on its first endpoints in order. Throws InputError if the job has another number of nodes than
/// `ranks`, or the fabric has no groups, too few or too small ones.
Placement job_placement(const RecordedJob& job, int ranks, const Topology& topology);

}  // namespace heddle
