// SPDX-License-Identifier: Apache-2.0
// The page of `heddle sweep`.
"use strict";
(function (h) {
  const axes = {
    bytes: { key: "bytes", name: "Bytes of the whole vector", text: h.bytes },
    ranks: { key: "ranks", name: "Ranks", text: h.count },
  };

  function drawCurves(data, measured) {
    const section = h.section("curves", "Curves");
    const distinct = (key, runs) => new Set(runs.map((run) => run[key])).size;
    const fabrics = [...new Set(measured.map((run) => run.fabric))];
    const names = [...new Set(measured.map((run) => run.algorithm))];
    const across = distinct("bytes", measured) > 1 || distinct("ranks", measured) < 2 ? "bytes" : "ranks";
    const styles = new Map(names.map((name, i) => [name, { color: h.hues[i % h.hues.length], dash: h.dashes[Math.floor(i / h.hues.length) % h.dashes.length] }]));
    const state = { x: axes[across], measure: "time", logX: true, logY: true, hidden: new Set(), style: (name) => styles.get(name), runs: [], at: null, fabric: fabrics[0] };

    const controls = h.controls(section, "Curves");
    if (across === "bytes" && fabrics.length > 1) h.choice(controls, "Fabric", fabrics.map((name) => [name, name]), state.fabric, (fabric) => { state.fabric = fabric; take(); });
    h.radios(controls, "Measure", Object.entries(h.measures).map(([key, one]) => [key, one.name]), state.measure, (measure) => {
      state.measure = measure;
      redraw();
    });
    h.check(controls, "Logarithmic across", true, (on) => { state.logX = on; redraw(); });
    h.check(controls, "Logarithmic up", true, (on) => { state.logY = on; redraw(); });

    const legend = section.append("div").attr("class", "keys").attr("role", "group").attr("aria-label", "Algorithms: press to hide or show");
    const keys = legend.selectAll("button").data(names).join("button").attr("type", "button").attr("aria-pressed", "true").on("click", (name) => {
      if (!state.hidden.delete(name)) state.hidden.add(name);
      redraw();
    });
    const icon = keys.append("svg").attr("width", 26).attr("height", 10).attr("aria-hidden", "true");
    icon.append("line").attr("x1", 0).attr("x2", 26).attr("y1", 5).attr("y2", 5).attr("stroke", (name) => state.style(name).color).attr("stroke-width", 2.5)
      .attr("stroke-dasharray", (name) => state.style(name).dash || null);
    keys.append("span").text((name) => name);
    const all = h.controls(section, "All algorithms");
    h.button(all, "Show all", () => { state.hidden.clear(); redraw(); });
    h.button(all, "Hide all", () => { names.forEach((name) => state.hidden.add(name)); redraw(); });

    const draw = h.curves(section, state, (value) => choose(value));
    const reading = h.controls(section, "Values at one point");
    let values = [];
    const slider = h.slider(reading, "Values at", 1, 0, (i) => (values.length ? state.x.text(values[i]) : ""), (i) => { state.at = values[i]; redraw(); });
    const table = h.table(section, {
      caption: "Values at this point, best first",
      columns: [
        { name: "Algorithm", text: (run) => run.algorithm },
        { name: "Time", number: true, of: (run) => run.time_s, text: (run) => h.time(run.time_s * 1e12) },
        { name: "Times the best", number: true, of: (run) => run.ratio, text: (run) => run.ratio.toFixed(2) + " ×" },
        { name: "busbw", number: true, of: (run) => run.busbw_Bps, text: (run) => h.rate(run.busbw_Bps) },
        { name: "Contention", number: true, of: (run) => run.contention_free_s && run.time_s / run.contention_free_s,
          text: (run) => (run.contention_free_s > 0 ? (run.time_s / run.contention_free_s).toFixed(2) + " ×" : "–") },
      ],
      rows: [],
    });

    function choose(value) {
      state.at = value;
      slider.show(values.indexOf(value));
      redraw();
    }
    function take() {
      state.runs = across === "bytes" ? measured.filter((run) => run.fabric === state.fabric) : measured;
      values = [...new Set(state.runs.map((run) => run[state.x.key]))].sort((a, b) => a - b);
      slider.setMost(values.length - 1);
      choose(values[Math.floor(values.length / 2)]);
    }
    function redraw() {
      keys.attr("aria-pressed", (name) => String(!state.hidden.has(name)));
      draw();
      const there = state.runs.filter((run) => run[state.x.key] === state.at && !state.hidden.has(run.algorithm)).sort((a, b) => a.time_s - b.time_s);
      table.replace(there.map((run) => Object.assign({ ratio: there[0].time_s > 0 ? run.time_s / there[0].time_s : 1 }, run)));
    }
    take();
    h.onTheme(redraw);
  }

  function drawCrossings(data) {
    if (data.crossings.length === 0) return;
    const section = h.section("crossings", "Where the best changes");
    h.table(section, {
      caption: "Sizes at which another algorithm becomes the best",
      columns: [
        { name: "Fabric", text: (c) => c.fabric },
        { name: "Between", number: true, of: (c) => c.below, text: (c) => h.bytes(c.below) },
        { name: "And", number: true, of: (c) => c.above, text: (c) => h.bytes(c.above) },
        { name: "Best before", text: (c) => c.from },
        { name: "Best from there on", text: (c) => c.to },
        { name: "Both as fast at about", number: true, of: (c) => c.at, text: (c) => (c.at === null ? "not known" : h.bytes(c.at)) },
      ],
      rows: data.crossings,
    });
  }

  /** How far times lie apart over the seeds of ECMP. */
  function drawSeeds(section, measured) {
    const runs = measured.filter((run) => run.over_seeds);
    if (runs.length === 0) return;
    const time = (key) => ({ number: true, of: (run) => run.over_seeds[key], text: (run) => h.time(run.over_seeds[key] * 1e12) });
    h.table(section, {
      caption: "Over the seeds of ECMP, of which other tables and curves have the median",
      columns: [
        { name: "Algorithm", text: (run) => run.algorithm },
        { name: "Fabric", text: (run) => run.fabric },
        { name: "Size", number: true, of: (run) => run.bytes, text: (run) => h.bytes(run.bytes) },
        { name: "Seeds", number: true, of: (run) => run.over_seeds.seeds, text: (run) => h.count(run.over_seeds.seeds) },
        Object.assign({ name: "Least" }, time("least_s")),
        Object.assign({ name: "First quartile" }, time("first_quartile_s")),
        { name: "Median", number: true, of: (run) => run.time_s, text: (run) => h.time(run.time_s * 1e12) },
        Object.assign({ name: "Third quartile" }, time("third_quartile_s")),
        Object.assign({ name: "Most" }, time("most_s")),
      ],
      rows: runs,
    });
  }

  h.drawSweep = (data) => {
    const measured = data.runs.filter((run) => run.time_s !== undefined);
    if (measured.length) drawCurves(data, measured);
    drawCrossings(data);
    const section = h.section("results", "Results");
    const missing = data.planned - data.runs.length;
    h.note(section, `A time is shown only of a run whose every check passed: ${h.several(measured.length, "result")} right, ${data.runs.length - measured.length} wrong` +
      (data.shard ? `; part ${data.shard} of the sweep.` : missing > 0 && !data.complete ? `; ${missing} not run.` : "."));
    for (const note of data.notes) h.note(section, note);
    const text = (key, format) => (run) => (run[key] === undefined || run[key] === null ? "–" : format(run[key]));
    h.table(section, {
      caption: "All runs",
      columns: [
        { name: "Algorithm", text: (run) => run.algorithm },
        { name: "Fabric", text: (run) => run.fabric },
        { name: "Ranks", number: true, of: (run) => run.ranks, text: (run) => h.count(run.ranks) },
        { name: "Placement", text: (run) => run.placement },
        { name: "Size", number: true, of: (run) => run.bytes, text: (run) => h.bytes(run.bytes) },
        { name: "Time", number: true, of: (run) => run.time_s, text: text("time_s", (s) => h.time(s * 1e12)) },
        { name: "busbw", number: true, of: (run) => run.busbw_Bps, text: text("busbw_Bps", h.rate) },
        { name: "Rounds", number: true, of: (run) => run.rounds, text: text("rounds", h.count) },
        { name: "Peak flows", number: true, of: (run) => run.peak_flows, text: text("peak_flows", h.count) },
        { name: "Result", text: (run) => (run.error ? h.kindText(run.error.kind) : "right") },
      ],
      rows: data.runs,
      filter: { label: "Filter algorithms and fabrics", of: (run) => `${run.algorithm} ${run.fabric} ${run.placement}` },
      mark: (run) => (run.error ? "wrong" : null),
    });
    const remarks = new Map();  // sizes by text
    for (const run of data.runs) {
      if (!run.remark) continue;
      const text = `${run.algorithm}: ${run.remark}`;
      remarks.set(text, (remarks.get(text) || new Set()).add(h.bytes(run.bytes)));
    }
    for (const [text, sizes] of remarks) h.note(section, `At ${[...sizes].join(", ")}: ${text}.`);
    drawSeeds(section, measured);
    h.drawFaults(section, data.runs);
    h.drawLeftOut(section, data.left_out);
    h.drawCommand(section, data.command);
    h.drawContext(section, Object.entries(data.context.parameters).concat((data.context.fabrics || []).map((fabric) => [fabric.fabric, fabric])));
    h.drawFailures(data.runs.filter((run) => run.error).map((run) => ({ title: `${run.algorithm} on ${run.fabric} with ${h.bytes(run.bytes)}`, failure: run.error })));
  };
})(heddle);
