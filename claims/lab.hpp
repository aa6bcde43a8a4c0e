// SPDX-License-Identifier: Apache-2.0
// Where claims are measured: checked runs by the command that repeats them, each made once however many claims ask for it.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "emu/record/report.hpp"
#include "heddle/units.hpp"

namespace heddle::claims {

/// Thread-safe. Runs go on the caller's thread; prepare() uses all cores.
class Lab {
 public:
  /// What `heddle run <arguments>` measures: "allreduce --algo ring --topo torus:8x8 --size 1MiB --preset trivance". One
  /// algorithm. Throws what run_checked throws, and InputError for arguments that the command refuses or that name several.
  const Report& run(const std::string& arguments);

  /// run(arguments).completion, in microseconds.
  double microseconds(const std::string& arguments);

  /// Makes all of these runs side by side, so that run() has them at once. Blocks until all are done.
  void prepare(const std::vector<std::string>& arguments);

  /// Calls it with 0 to count - 1, on all cores. What it calls may wait for runs that others of these make.
  static void side_by_side(std::int64_t count, const std::function<void(std::int64_t)>& one);

 private:
  using Result = std::shared_future<std::shared_ptr<const Report>>;

  std::mutex mutex_;
  std::unordered_map<std::string, Result> results_;
};

}  // namespace heddle::claims
