// SPDX-License-Identifier: Apache-2.0
// An alarm for tests of engines.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "emu/engine/engine.hpp"

namespace heddle::emu {

using Rung = std::vector<std::pair<Time, std::uint64_t>>;

/// Notes when it rang, and does what the test wants.
class Bell final : public Alarm {
 public:
  explicit Bell(Engine& engine) : engine_(engine) {}
  void on_timer(std::uint64_t payload) override {
    rung.emplace_back(engine_.now(), payload);
    if (on_ring) on_ring(payload);
  }

  Rung rung;
  std::function<void(std::uint64_t)> on_ring;

 private:
  Engine& engine_;
};

}  // namespace heddle::emu
