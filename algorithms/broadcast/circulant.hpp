// SPDX-License-Identifier: Apache-2.0
// A broadcast along a circulant tree, in ⌈log2 p⌉ rounds for any p. The story is in circulant.cpp.
#pragma once

#include "core/communicator.hpp"

namespace heddle::broadcast {

/// From the root's vector to everyone's.
void circulant(Communicator& comm, VectorView vector, Rank root);

}  // namespace heddle::broadcast
