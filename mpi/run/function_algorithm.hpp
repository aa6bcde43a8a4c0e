// SPDX-License-Identifier: Apache-2.0
// A collective function of MPI's signature in a shared library, as an algorithm like any other.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/registry.hpp"
#include "heddle/units.hpp"
#include "mpi/run/function_call.hpp"

namespace heddle::mpi {

/// In front of the file and the function: "mpi:libmine.so:my_allreduce".
inline constexpr std::string_view kFunctionPrefix = "mpi:";
bool is_function_name(std::string_view algorithm);
/// Whether it is one of these, whatever its name.
bool is_function(const Algorithm& algorithm);
/// What a function has left in each call and nobody frees; empty: nothing, or it is none.
std::string leftovers(const Algorithm& algorithm);
/// The same, told once in the life of the process.
std::string take_leftovers(const Algorithm& algorithm);

/// What code of others expects of a system (ulimit -s); of thousands of ranks a part of it, as addresses end, too.
Bytes usual_stack(int ranks);

/// "mpi:FILE:FUNCTION[:option=value…]". Options:
///   ranks=power_of_two|even|8|2-64         numbers of ranks that it serves
///   count=at_least_ranks|multiple_of_ranks counts of elements that it serves
///   op=commutative                         operations that it serves
///   bits=may_differ                        ranks may hold results that differ by rounding
///   in_place=no                            it is never called with MPI_IN_PLACE, but with a copy of the input
///   counts=64                              its lists of counts and displacements are MPI_Count and MPI_Aint
///   root=0                                 roots that it serves
///   as=NAME                                whose parameters it has: allgatherv, reduce_scatter_block, gatherv, scatterv, alltoallv
/// Each rank has a copy of the library, which is as new for each run. Throws InputError for a file that `heddle mpicc` has not linked,
/// a function that is not there, an option that there is not.
Algorithm function_algorithm(Collective collective, std::string_view name);
/// The same, to be called by collectives of programs. Each call finds the library as new.
Algorithm serving_algorithm(Collective collective, std::string_view name);

/// Whether a file is linked by `heddle mpicc`.
bool is_function_library(const std::string& path);

/// Those that a library declares itself by HEDDLE_MPI_ALGORITHM of heddle_mpi.h, by the names of their functions; empty: none. Throws InputError.
std::vector<Algorithm> declared_algorithms(const std::string& path);

/// A function of one's own program, in a test: its static variables are those of all ranks.
Algorithm function_algorithm(Collective collective, std::string_view name, AnyFunction function, std::string_view options);

}  // namespace heddle::mpi
