// SPDX-License-Identifier: Apache-2.0
// How far a run is from the optimum of its fabric, in the factors of the papers on tori: computed from what the critical path
// measured, not from formulas. docs/model.md, "Deficiencies".
#pragma once

#include <optional>

#include "core/collective.hpp"
#include "core/units.hpp"
#include "emu/report/report.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

/// Explainer 05: a time is n_α·α + n_β·M/B and what else there is. No value where M is 0.
struct Coefficients {
  std::int32_t n_alpha = 0;      ///< start-ups on the critical path
  std::optional<double> n_beta;  ///< bytes of its messages, over M
};
Coefficients coefficients(const Report& report, Bytes vector);

/// Of an allreduce of M bytes on p > 1 ranks, β being the time of a byte on all links that leave an endpoint together: the
/// optimum is 2·M·β, which is M/(D·B) on a torus of D dimensions.
struct Deficiencies {
  // Swing, §2.2: T = log₂p·α·Λ + 2·M·β·Ψ·Ξ.
  double latency;                    ///< Λ: start-ups on the critical path over log₂p
  std::optional<double> bandwidth;   ///< Ψ: its serialisation over 2·M·β
  std::optional<double> congestion;  ///< Ξ: serialisation and contention over serialisation
  // Trivance, §2.3.
  double latency_base_3;                     ///< Λ: start-ups over log₃p
  double sent;                               ///< Δ: the most bytes that a rank sends, over 2·M
  std::optional<double> transmission_delay;  ///< Θ: serialisation and contention over 2·M·β, which is Ψ·Ξ
};

/// No value for other collectives, one rank, no bytes. Ψ, Ξ and Θ have none where links are unlimited.
std::optional<Deficiencies> deficiencies(const Report& report, Collective collective, Bytes vector, const Fabric& fabric,
                                         const Placement& placement);

}  // namespace heddle
