// SPDX-License-Identifier: Apache-2.0
// A reduce along a circulant tree, in at most ⌊log2 p⌋ rounds for any p. The story is in circulant.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::reduce {

/// Afterwards the root's vector is the result; the others' are undefined. Throws UsageError for an op that is not commutative.
void circulant(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root);

}  // namespace heddle::reduce
