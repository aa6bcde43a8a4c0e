// SPDX-License-Identifier: Apache-2.0
// Operations of reductions: MPI's own (MPI 5.0, §6.9.2 to §6.9.4), and those that a program makes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "heddle/reduce_op.hpp"
#include "mpi/types/type.hpp"

namespace heddle::mpi {

/// A predefined operation by the number of its handle: 0x21 is MPI_SUM.
using OpId = std::uint16_t;

/// "MPI_SUM"; empty where the number is no operation's.
std::string_view operation_name(OpId op);

/// Elements as heddle reduces them.
struct Reducer {
  ReduceOp op;
  Datatype type;  ///< one element of MPI's type, holes included
};

/// A predefined operation on a predefined type. No value where there is none: MPI_BAND on MPI_DOUBLE, any on a derived type.
std::optional<Reducer> predefined_reducer(OpId op, const Type& type);
/// Whether MPI defines it. Beyond that heddle serves what MPICH does: MPI_CHAR as a number, and MPI_LXOR on floating-point numbers.
bool is_standard(OpId op, const Type& type);

/// One of heddle's operations on elements that `type` has one of, with holes around it.
Reducer spaced_reducer(const ReduceOp& op, Datatype element, const Type& type);

/// A function that a program has handed to MPI_Op_create.
struct UserFunction {
  MPI_User_function* function = nullptr;
  MPI_User_function_c* large = nullptr;  ///< from MPI_Op_create_c; one of the two is set
  bool commutes = false;
  /// Makes the call that it is given, as the rank whose function it is. Null: it is called as it is.
  std::function<void(const std::function<void()>&)> call_as = {};
  /// Told where it has written to its first vector, which is input: it writes to a copy. From any thread; null: nobody is told.
  std::function<void()> wrote_input = {};
};

/// The function on elements of `type`, whose handle it is called with. It is called on the thread that combines, with the left operand
/// as `invec`. No value where the type's bytes lie outside of its extent, or it has no element that could be held.
std::optional<Reducer> user_reducer(const UserFunction& function, const Type& type, MPI_Datatype handle,
                                    const std::string& name);

}  // namespace heddle::mpi
