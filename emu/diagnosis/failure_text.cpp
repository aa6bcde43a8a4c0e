// SPDX-License-Identifier: Apache-2.0
#include "emu/diagnosis/failure_text.hpp"

#include <fmt/format.h>

#include <new>

#include "core/errors.hpp"
#include "core/printable.hpp"

namespace heddle::emu {

std::string count_text(std::int64_t count, Datatype type) { return fmt::format("{} x {}", count, to_string(type)); }

std::string message_text(std::int64_t count, Datatype type, int source, int dest, int tag) {
  return fmt::format("the message of {} from rank {} to rank {} (tag {})", count_text(count, type), source, dest, tag);
}

std::string request_text(bool is_send, std::int64_t count, Datatype type, int peer, int tag) {
  const std::string whom = peer < 0 ? std::string("any rank") : fmt::format("rank {}", peer);
  return is_send ? fmt::format("to send {} to {} (tag {})", count_text(count, type), whom, tag)
                 : fmt::format("to receive {} from {} (tag {})", count_text(count, type), whom, tag);
}

std::string room_text(int peer, int tag) { return fmt::format("for room to send to rank {} (tag {})", peer, tag); }

std::string what_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    return printable(error.what());
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

bool is_refusal(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_array_new_length&) {
    return false;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const ResourceError&) {
    return true;
  } catch (...) {
    return false;
  }
}

bool is_usage_error(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const UsageError&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace heddle::emu
