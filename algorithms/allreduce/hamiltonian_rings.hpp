// SPDX-License-Identifier: Apache-2.0
// Allreduce by rings along two edge-disjoint Hamiltonian cycles of a 2D torus. The story is in hamiltonian_rings.cpp.
#pragma once

#include <string_view>

#include "algorithms/registry.hpp"
#include "core/communicator.hpp"

namespace heddle::allreduce {

/// In place. Throws UsageError for an op that is not commutative, or where there is no grid that it can serve.
void hamiltonian_rings(Communicator& comm, VectorView inout, const ReduceOp& op);

/// What it needs, and whether a shape has it.
inline constexpr std::string_view kHamiltonianTorus = "a 2D torus of r x c with r a multiple of c and gcd(r, c-1) = 1";
bool is_hamiltonian_torus(const Shape& shape);

}  // namespace heddle::allreduce
