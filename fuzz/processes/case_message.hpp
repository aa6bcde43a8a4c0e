// SPDX-License-Identifier: Apache-2.0
// What passes between fuzz() and a process that runs cases for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/cases/coverage.hpp"
#include "fuzz/cases/run_case.hpp"
#include "lab/experiment/experiment.hpp"

namespace heddle {

/// Asks for a case by its number, or by its text.
struct CaseRequest {
  std::optional<std::uint64_t> index = {};
  std::string text = {};
  bool twice = false;        ///< and compares
  std::uint32_t layout = 0;  ///< not 0: with the process's memory elsewhere (shift_addresses)
};

struct CaseReply {
  FuzzCoverage::Row row = {};
  CaseEnd end = {};
  std::string text = {};    ///< the case, with its order where orders are explored; of a failure
  std::string error = {};   ///< not empty: it is no case (InputError), and nothing else is said
  bool is_refusal = false;  ///< the error is a ResourceError

  /// Throws the error, if there is one, with these words before it.
  void require_no_error(std::string_view before = "") const;
};

std::string pack(const CaseRequest& request);
std::string pack(const CaseReply& reply);
/// Read what pack() writes. Throw InputError for anything else.
CaseRequest unpack_request(std::string_view bytes);
CaseReply unpack_reply(std::string_view bytes);

/// With its length before it, blocking. False if the other side is gone.
bool write_message(int file, std::string_view bytes);
std::optional<std::string> read_message(int file);

}  // namespace heddle
