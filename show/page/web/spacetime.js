// SPDX-License-Identifier: Apache-2.0
// Messages over time: a line from the sender's row, when its first byte entered the network, to the receiver's, when its last arrived.
"use strict";
(function (h) {
  const [source, dest, round, bytes, posted, started, entered, drained, arrived, alone] = d3.range(10);

  /** Times from the run's begin. */
  function message(fields) {
    const begin = fields[posted] + fields[started] + fields[entered];
    return {
      from: fields[source],
      to: fields[dest],
      round: fields[round],
      bytes: fields[bytes],
      posted: fields[posted],
      entered: begin,
      arrived: begin + fields[drained] + fields[arrived],
      contention: Math.max(0, fields[drained] - fields[alone]),
      alone: fields[alone],
    };
  }
  const link = (fields) => ({ from: fields[0], to: fields[1], round: fields[2], started: fields[3], entered: fields[4], arrived: fields[5], contention: fields[6] });

  h.drawSpacetime = (data, runs, chosen) => {
    const shown = runs.filter((run) => run.sample);
    if (shown.length === 0) return () => {};
    const section = h.section("messages", "Messages over time");
    const ranks = data.context.ranks;
    const width = 1100;
    const left = 64;
    const right = 16;
    const top = 26;
    const row = Math.max(560 / ranks, Math.min(22, 560 / ranks), 0.5);
    const height = top + Math.min(26, row) * ranks + 10;
    const y = d3.scaleLinear().domain([-0.5, ranks - 0.5]).range([top, height - 10]);
    const state = { run: null, x: d3.scaleLinear(), view: [0, 1], waits: true, messages: true, path: true, phases: true };

    const controls = h.controls(section, "Messages over time");
    const choice = h.choice(controls, "Algorithm", shown.map((run) => [run.algorithm, run.algorithm]), chosen, show);
    h.check(controls, "Messages", true, (on) => set("messages", on));
    h.check(controls, "Waits", true, (on) => set("waits", on));
    h.check(controls, "Critical path", true, (on) => set("path", on));
    h.check(controls, "Phases", true, (on) => set("phases", on));
    const view = h.controls(section, "Part of the time that is shown");
    h.button(view, "Zoom in", () => zoom(0.5));
    h.button(view, "Zoom out", () => zoom(2));
    h.button(view, "Earlier", () => pan(-0.4));
    h.button(view, "Later", () => pan(0.4));
    h.button(view, "Whole run", () => look([0, 1]));
    const legend = section.append("ul").attr("class", "legend");
    for (const [name, text] of [["message", "message"], ["contended", "message slowed down by others in its links"], ["wait", "rank waits"], ["path", "critical path"]]) {
      const item = legend.append("li");
      item.append("span").attr("class", "swatch line " + name);
      item.append("span").text(text);
    }
    const phaseLegend = section.append("ul").attr("class", "legend").attr("aria-label", "Phases");
    const about = h.note(section, "").attr("role", "status");
    const svg = section.append("div").attr("class", "frame figure").attr("tabindex", 0).attr("role", "group")
      .attr("aria-label", "Messages over time; arrow keys move, plus and minus zoom").on("keydown", keyed)
      .append("svg").attr("role", "img").attr("class", "spacetime").attr("viewBox", `0 0 ${width} ${height}`);
    const clip = h.freshId("clip");
    svg.append("clipPath").attr("id", clip).append("rect").attr("x", left).attr("y", top - 4).attr("width", width - left - right).attr("height", height - top);
    const axis = svg.append("g").attr("class", "axis").attr("transform", `translate(0,${top - 4})`);
    const rows = svg.append("g").attr("class", "axis rows");
    const every = Math.ceil(ranks / Math.max(1, Math.floor((height - top) / 14)));
    rows.selectAll("text").data(d3.range(0, ranks, every)).join("text").attr("x", left - 8).attr("y", (r) => y(r)).attr("dy", "0.35em")
      .attr("text-anchor", "end").text((r) => (ranks <= 40 ? "rank " + r : r));
    const inside = svg.append("g").attr("clip-path", `url(#${clip})`).append("g");
    const phases = inside.append("g").attr("class", "phases");
    const lanes = inside.append("g").attr("class", "lanes");
    if (ranks <= 128) lanes.selectAll("line").data(d3.range(ranks)).join("line").attr("y1", y).attr("y2", y);
    const waits = inside.append("g").attr("class", "waits");
    const switches = inside.append("g").attr("class", "switches");
    const messages = inside.append("g").attr("class", "messages");
    const path = inside.append("g").attr("class", "chain");
    const pathTable = h.table(h.details(section, "Messages of the critical path"), {
      caption: "Messages of the critical path, from the first to the last",
      columns: [
        { name: "Number", text: (m) => m.number, number: true },
        { name: "From", text: (m) => h.rank(m.from), of: (m) => m.from },
        { name: "To", text: (m) => h.rank(m.to), of: (m) => m.to },
        { name: "Round", text: (m) => m.round, number: true },
        { name: "Enters", of: (m) => m.entered, text: (m) => h.time(m.entered), number: true },
        { name: "Arrives", of: (m) => m.arrived, text: (m) => h.time(m.arrived), number: true },
        { name: "Contention", of: (m) => m.contention, text: (m) => h.time(m.contention), number: true },
      ],
      rows: [],
    });

    function set(what, on) {
      state[what] = on;
      waits.attr("hidden", state.waits ? null : true);
      messages.attr("hidden", state.messages ? null : true);
      switches.attr("hidden", state.messages ? null : true);
      path.attr("hidden", state.path ? null : true);
      phases.attr("hidden", state.phases ? null : true);
      phaseLegend.attr("hidden", state.phases ? null : true);
    }

    // All is placed for the whole run once; a part of it is the same, stretched.
    function look([begin, end]) {
      const length = Math.max(1e-6, Math.min(1, end - begin));
      const first = Math.max(0, Math.min(1 - length, begin));
      state.view = [first, first + length];
      const inner = width - left - right;
      inside.attr("transform", `translate(${left - (first / length) * inner},0) scale(${1 / length},1)`);
      const [from, to] = state.view.map((part) => part * state.run.completion_ps);
      const scale = d3.scaleLinear().domain([from, to]).range([left, width - right]);
      axis.call(d3.axisTop(scale).ticks(8).tickFormat(h.time).tickSizeOuter(0));
    }
    function zoom(by) {
      const [begin, end] = state.view;
      const middle = (begin + end) / 2;
      const half = ((end - begin) / 2) * by;
      look([middle - half, middle + half]);
    }
    function pan(by) {
      const [begin, end] = state.view;
      const aside = (end - begin) * by;
      look([begin + aside, end + aside]);
    }
    function keyed() {
      const acts = { ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), "+": () => zoom(0.5), "-": () => zoom(2), Home: () => look([0, 1]) };
      const act = acts[d3.event.key];
      if (!act) return;
      d3.event.preventDefault();
      act();
    }
    svg.call(d3.drag().on("drag", () => {
      const box = svg.node().getBoundingClientRect();
      pan(-d3.event.dx / box.width);
    }));

    const lines = (m) => [
      `${h.rank(m.from)} to ${h.rank(m.to)}, round ${m.round}`,
      m.bytes === undefined ? null : h.bytes(m.bytes),
      `enters at ${h.time(m.entered)}, arrives at ${h.time(m.arrived)}`,
      m.contention > 0 ? `${h.time(m.contention)} of it by contention` : "not slowed down by others",
    ].filter((line) => line);

    function drawPhases(x) {
      const { names, drawn } = state.run.sample.phases;
      const used = Array.from(new Set(drawn.map((stretch) => stretch[1]))).sort(d3.ascending);
      const color = d3.scaleOrdinal(d3.schemeSet2).domain(used);
      const item = phaseLegend.selectAll("li").data(used).join("li");
      item.selectAll("span").remove();
      item.append("span").attr("class", "swatch").style("background", color);
      item.append("span").text((phase) => "phase " + names[phase]);
      const thick = Math.max(0.5, y(1) - y(0));
      h.tipOn(phases.selectAll("rect").data(drawn).join("rect").attr("x", (s) => x(s[2])).attr("width", (s) => x(s[3]))
        .attr("y", (s) => y(s[0]) - thick / 2).attr("height", thick).attr("fill", (s) => color(s[1])),
        (s) => [`${h.rank(s[0])}: ${names[s[1]]}`, `from ${h.time(s[2])} to ${h.time(s[2] + s[3])}`]);
    }

    function draw() {
      const run = state.run;
      const inner = width - left - right;
      const x = (ps) => (ps / run.completion_ps) * inner;
      const all = run.sample.messages.drawn.map(message);
      const sent = all.filter((m) => m.from >= 0);
      const worst = d3.max(sent, (m) => m.contention / Math.max(1, m.alone)) || 1;
      drawPhases(x);
      lanes.selectAll("line").attr("x1", 0).attr("x2", inner);
      waits.selectAll("rect").data(run.sample.waits.drawn).join("rect").attr("class", (w) => (w[1] === "work" ? "work" : null))
        .attr("x", (w) => x(w[2])).attr("width", (w) => x(w[3])).attr("y", (w) => y(w[0]) - Math.min(5, 0.3 * (y(1) - y(0))))
        .attr("height", Math.max(0.5, Math.min(10, 0.6 * (y(1) - y(0)))));
      const slowed = (m) => m.contention > 0.001 * m.alone;
      const drawn = messages.selectAll("line").data(sent).join("line").attr("x1", (m) => x(m.entered)).attr("y1", (m) => y(m.from))
        .attr("x2", (m) => x(m.arrived)).attr("y2", (m) => y(m.to)).attr("class", (m) => (slowed(m) ? "contended" : null))
        .style("opacity", (m) => (slowed(m) ? 0.35 + 0.65 * Math.min(1, m.contention / Math.max(1, m.alone) / worst) : null));
      h.tipOn(drawn, lines);
      h.tipOn(switches.selectAll("rect").data(all.filter((m) => m.from < 0)).join("rect").attr("x", (m) => x(m.entered))
        .attr("width", (m) => Math.max(1, x(m.arrived) - x(m.entered))).attr("y", y(-0.5)).attr("height", y(ranks - 0.5) - y(-0.5)), lines);
      const chain = (run.path || []).map(link);
      const row = (rank, other) => (rank < 0 ? (other < 0 ? (ranks - 1) / 2 : other) : rank);
      const spots = [];
      for (const m of chain) spots.push([x(m.entered), y(row(m.from, m.to))], [x(m.arrived), y(row(m.to, m.from))]);
      if (chain.length) spots.push([inner, spots[spots.length - 1][1]]);
      path.selectAll("path").data(chain.length ? [spots] : []).join("path").attr("d", d3.line());
      h.tipOn(path.selectAll("line").data(chain).join("line").attr("x1", (m) => x(m.entered)).attr("y1", (m) => y(row(m.from, m.to)))
        .attr("x2", (m) => x(m.arrived)).attr("y2", (m) => y(row(m.to, m.from))), lines);
      pathTable.replace(chain.slice(0, 500).map((m, i) => Object.assign({ number: i + 1 }, m)));
      const part = (of, one) => (of.drawn.length < of.seen ? `${h.count(of.drawn.length)} of ${h.several(of.seen, one)} drawn, chosen evenly` : `all ${h.several(of.seen, one)} drawn`);
      const pathText = run.path === null ? "the run had too many messages to keep its critical path" : `${h.several(chain.length, "message")} on the critical path`;
      about.text(`${run.algorithm}: ${part(run.sample.messages, "message")}; ${part(run.sample.waits, "wait")}${run.sample.waits.every > 1 ? ` of every ${run.sample.waits.every}th rank` : ""}; ${pathText}` +
        (chain.length > 500 ? ", of which the table below has the first 500." : "."));
      svg.attr("aria-label", "Ranks down, time across. " + about.text());
      look([0, 1]);
    }

    function show(algorithm) {
      const run = shown.find((each) => each.algorithm === algorithm);
      if (!run) return;
      choice.property("value", algorithm);
      state.run = run;
      const isThere = run.completion_ps > 0;
      svg.attr("hidden", isThere ? null : true);
      if (isThere) draw();
      else about.text(`${algorithm} takes no time.`);
    }
    return show;
  };
})(heddle);
