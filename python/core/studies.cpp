// SPDX-License-Identifier: Apache-2.0
// What algorithms send between a fabric's groups.
#include <pybind11/stl.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lab/studies/traffic.hpp"
#include "python/core/bindings.hpp"
#include "python/core/rank_rows.hpp"
#include "python/core/stop.hpp"
#include "show/reports/study_reports.hpp"

namespace heddle::python {

namespace {

/// The texts of the flags of `heddle traffic` that are given, by keyword.
TrafficRequest traffic_request(const std::map<std::string, std::string>& given) {
  TrafficRequest request;
  const auto take = [&](const char* keyword, auto& member) {
    if (const auto found = given.find(keyword); found != given.end()) member = found->second;
  };
  take("collective", request.collective);
  take("algorithms", request.algorithms);
  take("topology", request.topology);
  take("ranks", request.ranks);
  take("placement", request.placement);
  take("placements", request.placements);
  take("seed", request.seed);
  take("tier", request.tier);
  return request;
}

/// The table of `heddle traffic` and its JSON document.
std::pair<std::string, std::string> count_traffic(const std::map<std::string, std::string>& given,
                                                  const std::vector<std::string>& plugins, const std::vector<PythonRow>& rows) {
  const auto stop = make_locked<StopQuestion>();
  const CalledRows called(rows, stop);
  std::pair<std::string, std::string> made;
  {
    const py::gil_scoped_release unlocked;
    TrafficRequest request = traffic_request(given);
    request.plugins = plugins;
    request.own = called.entries();
    const TrafficPlan plan = plan_traffic(request);
    std::vector<TrafficStudy> studies;
    try {
      stop->watch([&] {
        for (const int ranks : plan.counts)
          if (!stop->is_stopped()) studies.push_back(plan.study(ranks));
      });
    } catch (...) {
      if (!stop->is_stopped()) throw;
    }
    const Document report = traffic_report(plan, studies);
    made = {report_text(report), json_text(json_of(report))};
  }
  called.close();
  stop->rethrow();
  return made;
}

}  // namespace

void add_studies(py::module_& module) {
  module.def("traffic", &count_traffic, py::arg("given"), py::arg("plugins"), py::arg("rows"));
}

}  // namespace heddle::python
