// SPDX-License-Identifier: Apache-2.0
// Where the time of each algorithm went: a bar of its critical path, and the explanation in words.
"use strict";
(function (h) {
  h.parts = [
    ["startup_s", "start-up", "#56b4e9"],
    ["propagation_s", "propagation", "#009e73"],
    ["serialisation_s", "serialisation", "#0072b2"],
    ["contention_s", "contention", "#d55e00"],
    ["local_work_s", "local work", "#cc79a7"],
    ["waiting_s", "waiting", "#9a9a9a"],
  ];

  const partsOf = (run) => h.parts.map(([key, name, color]) => ({ name, color, ps: (run.critical_path[key] || 0) * 1e12 }));

  function legend(parent, shown) {
    const list = parent.append("ul").attr("class", "legend").attr("aria-label", "Parts of the critical path");
    for (const [, name, color] of h.parts.filter(([key]) => shown.some((run) => run.critical_path[key] > 0))) {
      const item = list.append("li");
      item.append("span").attr("class", "swatch").style("background", color);
      item.append("span").text(name);
    }
  }

  h.drawExplanations = (runs, select, words) => {
    const shown = runs.filter((run) => run.critical_path && run.time_s > 0).sort((a, b) => a.time_s - b.time_s);
    if (shown.length === 0) return;
    const section = h.section("time", "Where the time went");
    h.note(section, "The critical path of each algorithm: what had to happen one after the other, by kind. All bars have one scale.");
    legend(section, shown);
    const most = d3.max(shown, (run) => run.time_s);
    const list = section.append("div").attr("class", "bars");
    for (const run of shown) {
      const line = list.append("div").attr("class", "bar");
      line.append("button").attr("type", "button").attr("class", "name").text(run.algorithm)
        .attr("title", "Show this algorithm in the diagrams below").on("click", () => select(run.algorithm));
      const parts = partsOf(run).filter((part) => part.ps > 0);
      const total = d3.sum(parts, (part) => part.ps);
      const bar = line.append("div").attr("class", "track").append("div").attr("class", "stack").attr("role", "img")
        .style("width", (100 * run.time_s) / most + "%")
        .attr("aria-label", run.algorithm + ": " + parts.map((part) => part.name + " " + h.percent(part.ps / total)).join(", "));
      const pieces = bar.selectAll("span").data(parts).join("span").style("background", (part) => part.color)
        .style("width", (part) => (100 * part.ps) / total + "%");
      h.tipOn(pieces, (part) => [run.algorithm, part.name + ": " + h.time(part.ps) + ", " + h.percent(part.ps / total)]);
      line.append("span").attr("class", "value").text(h.time(run.time_s * 1e12));
      if (run.explanation) {
        const details = h.details(line, "Explain " + run.algorithm);
        details.append("pre").text(run.explanation.replace(/^# ?/gm, "").trimEnd());
      }
    }
    h.details(section, "What the numbers of the explanations are").append("pre").text(words.replace(/^# ?/gm, "").trimEnd());
  };
})(heddle);
