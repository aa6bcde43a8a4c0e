// SPDX-License-Identifier: Apache-2.0
// Reads "clos:hosts=16,leaves=8,spines=4,…": hosts on each leaf, leaves and spines in each pod (of which there is one, unless
// pods says more), cores in all. Two equations hold between the fields:
//
//   at a leaf:   hosts           = oversubscription      · spines           · cables
//   at a spine:  leaves · cables = core_oversubscription · (cores / planes) · core_cables
//
// (Collectives Explainer 03, §1: s = p_down / p_up at equal speeds.) What is left out is derived: a field that an equation
// lacks from that equation, with cables, core_cables, planes and, where they are needed, the oversubscriptions 1.
#include <fmt/format.h>

#include <cmath>

#include "core/read_number.hpp"
#include "topo/fabric/size_limit.hpp"
#include "topo/families/clos/clos.hpp"
#include "topo/spec/families.hpp"

namespace heddle {
namespace {

/// Counts as floating point: exact as far as a fabric can go, and beyond every integer without overflow.
using Count = std::optional<double>;

/// "5.33", "0.25", "16".
std::string number_text(double value) {
  return std::abs(value - std::round(value)) < 1e-9 ? fmt::format("{:.10g}", std::round(value)) : fmt::format("{:.3g}", value);
}

class ClosReader {
 public:
  explicit ClosReader(SpecFields& fields)
      : fields_(fields),
        hosts_(count("hosts")),
        leaves_(count("leaves")),
        spines_(count("spines")),
        cables_(count("cables")),
        oversubscription_(ratio("oversubscription")),
        pods_(count("pods")),
        cores_(count("cores")),
        core_cables_(count("core_cables")),
        core_oversubscription_(ratio("core_oversubscription")),
        planes_(count("planes")) {}

  FoldedClosSize read() {
    if (!pods_ && (cores_ || core_cables_ || core_oversubscription_ || planes_))
      fields_.refuse("cores join pods: pods is missing, as in pods=4");
    solve_leaf();
    if (pods_) solve_spine();
    return checked_size();
  }

 private:
  Count count(std::string_view name) {
    const std::optional<std::int64_t> value = fields_.number(name);
    return value ? Count(static_cast<double>(*value)) : Count();
  }

  Count ratio(std::string_view name) {
    const std::optional<std::string_view> text = fields_.text(name);
    if (!text) return {};
    const auto value = read_number<double>(*text);
    if (!value || !std::isfinite(*value) || *value <= 0)
      fields_.refuse(fmt::format("{} '{}' is not a number above 0", name, *text));
    return *value;
  }

  /// Refuses what does not come out whole, as `arithmetic` says it: "hosts=16 over leaves=3 is 5.33 per leaf".
  double whole(double value, std::string_view arithmetic, std::string_view unit) const {
    const double nearest = std::round(value);
    if (nearest < 1 || std::abs(value - nearest) > 1e-9 * nearest)
      fields_.refuse(fmt::format("{} is {} {}, not a whole number", arithmetic, number_text(value), unit));
    return nearest;
  }
  double over(std::string_view what, double value, std::string_view by, double divisor, std::string_view unit) const {
    return whole(value / divisor, fmt::format("{}={} over {}={}", what, number_text(value), by, number_text(divisor)), unit);
  }

  void solve_leaf() {
    if (!leaves_) fields_.refuse("leaves is missing, how many a pod has, as in leaves=8");
    if (!hosts_ && !spines_) fields_.refuse("hosts on each leaf, or spines, or both are needed, as in hosts=16");
    const double s = oversubscription_.value_or(1);
    if (!spines_) {
      cables_ = cables_.value_or(1);
      spines_ = whole(*hosts_ / s / *cables_,
                      fmt::format("{} hosts per leaf at oversubscription {} over {} cables to each spine", number_text(*hosts_),
                                  number_text(s), number_text(*cables_)),
                      "spines");
    } else if (!hosts_) {
      cables_ = cables_.value_or(1);
      const double uplinks = *spines_ * *cables_;
      hosts_ =
          whole(s * uplinks, fmt::format("oversubscription {} at {} uplinks of a leaf", number_text(s), number_text(uplinks)),
                "hosts per leaf");
    } else if (!cables_) {
      cables_ = !oversubscription_ ? 1
                                   : whole(*hosts_ / s / *spines_,
                                           fmt::format("{} hosts per leaf at oversubscription {} over {} spines",
                                                       number_text(*hosts_), number_text(s), number_text(*spines_)),
                                           "cables each");
    }
    require_ratio("oversubscription", oversubscription_, *hosts_, "hosts per leaf", *spines_, "spines", *cables_);
  }

  void solve_spine() {
    const double planes = planes_.value_or(1);
    if (planes_) over("spines", *spines_, "planes", planes, "per plane");
    const double below = *leaves_ * *cables_;
    const double s = core_oversubscription_.value_or(1);
    if (!cores_) {
      core_cables_ = core_cables_.value_or(1);
      cores_ = planes * whole(below / s / *core_cables_,
                              fmt::format("{} cables down at core_oversubscription {} over {} cables to each core",
                                          number_text(below), number_text(s), number_text(*core_cables_)),
                              "cores of a plane");
    }
    const double cores_of_plane = planes_ ? over("cores", *cores_, "planes", planes, "per plane") : *cores_;
    if (!core_cables_)
      core_cables_ = !core_oversubscription_
                         ? 1
                         : whole(below / s / cores_of_plane,
                                 fmt::format("{} cables down at core_oversubscription {} over {} cores", number_text(below),
                                             number_text(s), number_text(cores_of_plane)),
                                 "cables each");
    require_ratio("core_oversubscription", core_oversubscription_, below, "cables down", cores_of_plane, "cores",
                  *core_cables_);
  }

  void require_ratio(std::string_view name, Count asked, double down, std::string_view downs, double above,
                     std::string_view aboves, double cables) const {
    if (!asked) return;
    const double ratio = down / (above * cables);
    if (std::abs(ratio - *asked) > 1e-9 * *asked)
      fields_.refuse(fmt::format("{} {} over {} {} x {} cables is {} {}, not {}", number_text(down), downs, number_text(above),
                                 aboves, number_text(cables), name, number_text(ratio), number_text(*asked)));
  }

  FoldedClosSize checked_size() const {
    const double pods = pods_.value_or(1);
    const double planes = planes_.value_or(1);
    const double leaves = *leaves_ * pods;
    const double spines = *spines_ * pods;
    const double hosts = *hosts_ * leaves;
    const double spine_uplinks = pods_ ? *cores_ / planes * *core_cables_ : 0;
    require_numberable(std::string(fields_.whole()), hosts,
                       FoldedClos::numbers_needed(hosts, leaves, *spines_ * *cables_, spines, spine_uplinks, pods));
    FoldedClosSize size;
    size.hosts = static_cast<int>(hosts);
    size.hosts_per_leaf = static_cast<int>(*hosts_);
    size.leaves = static_cast<int>(leaves);
    size.spines = static_cast<int>(spines);
    size.cables = static_cast<int>(*cables_);
    size.pods = static_cast<int>(pods);
    size.cores = static_cast<int>(cores_.value_or(0));
    size.core_cables = static_cast<int>(core_cables_.value_or(1));
    size.planes = static_cast<int>(planes);
    return size;
  }

  SpecFields& fields_;
  Count hosts_;
  Count leaves_;
  Count spines_;
  Count cables_;
  Count oversubscription_;
  Count pods_;
  Count cores_;
  Count core_cables_;
  Count core_oversubscription_;
  Count planes_;
};

}  // namespace

FoldedClosSize read_clos(SpecFields& fields) { return ClosReader(fields).read(); }

namespace {

std::unique_ptr<Topology> build_clos(SpecFields& fields) { return std::make_unique<Clos>(read_clos(fields)); }

}  // namespace

std::vector<FamilyRow> clos_spec_families() {
  return {{{"clos", "clos:hosts=16,leaves=8,spines=4", "hosts below leaves below spines, and pods of them below cores"},
           build_clos}};
}

}  // namespace heddle
