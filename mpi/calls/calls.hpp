// SPDX-License-Identifier: Apache-2.0
// What each function of MPI does, by chapter of the standard. Each file fills in its part of the table that a program is given.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "mpi/image/table.hpp"

namespace heddle::mpi {

void add_message_calls(heddle_mpi_functions& table);              ///< chapter 3: sends, receives, probes
void add_completion_calls(heddle_mpi_functions& table);           ///< chapter 3: waits, tests, persistent requests
void add_generalized_request_calls(heddle_mpi_functions& table);  ///< chapter 13: work of a program as a request
void add_datatype_calls(heddle_mpi_functions& table);             ///< chapter 5
void add_collective_calls(heddle_mpi_functions& table);           ///< chapter 6
void add_reduction_calls(heddle_mpi_functions& table);            ///< chapter 6: those that combine
void add_communicator_calls(heddle_mpi_functions& table);         ///< chapter 7: communicators
void add_group_calls(heddle_mpi_functions& table);                ///< chapter 7: groups
void add_attribute_calls(heddle_mpi_functions& table);            ///< chapter 7: attributes and names
void add_topology_calls(heddle_mpi_functions& table);             ///< chapter 8
void add_neighbour_calls(heddle_mpi_functions& table);            ///< chapter 8: neighbourhood collectives
void add_session_calls(heddle_mpi_functions& table);              ///< chapter 11: sessions
void add_error_calls(heddle_mpi_functions& table);                ///< chapter 9: errors and their handlers
void add_fortran_calls(heddle_mpi_functions& table);              ///< chapter 19: handles as integers, Fortran's statuses
void add_info_calls(heddle_mpi_functions& table);                 ///< chapter 10
void add_environment_calls(heddle_mpi_functions& table);  ///< chapters 9 and 11: start and end, clocks, versions, memory

/// Hands `text` to a program that has room for so many characters, at least 1 for the zero at its end. `length`: of what it gets.
void give_text(std::string_view text, std::size_t room, char* to, int* length);

/// "MPI_ERR_ARG"; of a code that is none of MPI's: "the code 77".
std::string error_name(int code);

/// All of it, and what stands in for libc. `guards_heap`: malloc and new put guard zones round blocks. Lives as long as the process.
const heddle_mpi_table& program_table(bool guards_heap);

}  // namespace heddle::mpi
