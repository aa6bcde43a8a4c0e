// SPDX-License-Identifier: Apache-2.0
// What passes between fuzz() and a process that runs cases for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/cases/coverage.hpp"
#include "fuzz/cases/run_case.hpp"
#include "lab/describe/experiment.hpp"

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

/// One side of a socket between two processes: messages, each with its length before it. Many small ones are written and read together.
/// For one thread. Does not own the file.
class MessageSocket {
 public:
  explicit MessageSocket(int file) : file_(file) {}

  /// Kept until flush().
  void put(std::string_view bytes);
  std::size_t unsent() const { return out_.size(); }
  /// Blocks until all is written. False if the other side is gone.
  bool flush();

  /// The next message that is here already.
  std::optional<std::string> take();
  enum class Arrived : std::uint8_t { something, nothing, end };
  /// Reads what there is; `wait`: until there is something. `end`: the other side is gone, or what it writes is no message.
  Arrived read(bool wait);

 private:
  int file_;
  std::string out_;
  std::string in_;
  std::size_t taken_ = 0;  ///< of `in_`
};

}  // namespace heddle
