// SPDX-License-Identifier: Apache-2.0
// The fabric with the load of its links, in the whole run or in a span of its time.
"use strict";
(function (h) {
  /** Parts of 65,535 in base 64, as numbers. */
  function unpacked(text, most) {
    const bytes = window.atob(text);
    const numbers = new Float64Array(bytes.length / 2);
    for (let i = 0; i < numbers.length; ++i)
      numbers[i] = ((bytes.charCodeAt(2 * i) + 256 * bytes.charCodeAt(2 * i + 1)) / 65535) * most;
    return numbers;
  }

  const measures = {
    utilisation: { name: "utilisation", text: h.percent, about: "share of the link's capacity" },
    bytes: { name: "bytes", text: h.bytes, about: "bytes carried" },
    contention: { name: "contention", text: h.time, about: "time that messages in the link lost, together, because others shared it" },
    queue: { name: "queue", text: (packets) => packets.toPrecision(3) + " packets", about: "packets that wait for the link, on average over the whole run", whole: true },
    stalled: { name: "stalled", text: h.percent, about: "share of the whole run's time that the link stands still for want of room", whole: true },
  };

  /** Loads of one algorithm: value(link's place, span or null for the whole run) by measure. */
  class Loads {
    constructor(run, fabric) {
      const loads = run.loads;
      this.spans = loads.spans;
      this.width = loads.span_ps;
      this.end = run.completion_ps;
      this.totals = loads.total_bytes;
      this.bandwidths = fabric.bandwidth_Bps;
      this.bytes = unpacked(loads.bytes, loads.most_bytes);
      this.lost = unpacked(loads.lost_ps, loads.most_lost_ps);
      this.ofWhole = { queue: loads.queue, stalled: loads.stalled };  // of runs in packets
      this.faults = new Map((loads.faults || []).map(([link, text, steps]) => [link, { text, steps, down: steps.some((step) => step[1] === 0) }]));
      this.totalLost = this.totals.map((_, i) => d3.sum(this.lost.subarray(i * this.spans, (i + 1) * this.spans)));
    }
    lengthOf(span) {
      return span === null ? this.end : Math.max(1, Math.min(this.end, (span + 1) * this.width) - span * this.width);
    }
    /** What faults leave a link of its bandwidth, on average over a span. */
    left(link, span) {
      const fault = this.faults.get(link);
      if (!fault) return 1;
      const begin = span === null ? 0 : span * this.width;
      const end = begin + this.lengthOf(span);
      let sum = 0;
      let [since, part] = [begin, 1];
      for (const [at, next] of fault.steps) {
        const change = Math.min(Math.max(at, begin), end);
        sum += part * (change - since);
        if (at < end || end === begin) part = next;
        since = change;
      }
      return end > begin ? (sum + part * (end - since)) / (end - begin) : part;
    }
    value(measure, link, span) {
      const cell = link * this.spans + span;
      if (measures[measure].whole) return this.ofWhole[measure] ? this.ofWhole[measure][link] : 0;
      if (measure === "contention") return span === null ? this.totalLost[link] : this.lost[cell];
      const bytes = span === null ? this.totals[link] : this.bytes[cell];
      if (measure === "bytes") return bytes;
      const bandwidth = this.bandwidths[link];
      if (bandwidth === null || this.end === 0 || bytes === 0) return 0;
      return bytes / ((bandwidth * this.left(link, span) * this.lengthOf(span)) / 1e12);
    }
    most(measure, whole) {
      let most = 0;
      for (let link = 0; link < this.totals.length; ++link) {
        if (whole) most = Math.max(most, this.value(measure, link, null));
        else for (let span = 0; span < this.spans; ++span) most = Math.max(most, this.value(measure, link, span));
      }
      return most;
    }
  }

  /** Vertices and words of a drawing, over whatever lies below. */
  h.drawFabric = (svg, fabric) => {
    const group = svg.append("g").attr("class", "fabric");
    const vertices = group.selectAll("g").data(fabric.vertices).join("g");
    vertices.append("title").text((v) => v.about);
    vertices.filter((v) => v.box).append("rect").attr("x", (v) => v.at[0] - v.size[0] / 2).attr("y", (v) => v.at[1] - v.size[1] / 2)
      .attr("width", (v) => v.size[0]).attr("height", (v) => v.size[1]).attr("rx", 3);
    vertices.filter((v) => !v.box).append("circle").attr("cx", (v) => v.at[0]).attr("cy", (v) => v.at[1]).attr("r", (v) => v.size[0] / 2);
    const turned = (x, y, upright) => (upright ? `rotate(-90 ${x} ${y})` : null);
    vertices.filter((v) => v.label).append("text").attr("x", (v) => v.at[0]).attr("y", (v) => v.at[1]).attr("dy", "0.35em")
      .attr("text-anchor", "middle").attr("font-size", (v) => v.font).attr("transform", (v) => turned(v.at[0], v.at[1], v.upright)).text((v) => v.label);
    group.selectAll("text.word").data(fabric.texts).join("text").attr("class", "word").attr("x", (t) => t.at[0]).attr("y", (t) => t.at[1])
      .attr("font-size", (t) => t.font).attr("text-anchor", (t) => t.anchor)
      .attr("transform", (t) => turned(t.at[0], t.at[1], t.upright)).text((t) => t.text);
    return vertices;
  };

  function drawScale(parent) {
    const scale = parent.append("div").attr("class", "scale").attr("aria-hidden", "true");
    const least = scale.append("span").text("0");
    const colors = scale.append("span").attr("class", "colors");
    const most = scale.append("span");
    return (text) => {
      const stops = d3.range(0, 1.01, 0.1).map((part) => h.heat(part));
      colors.style("background", "linear-gradient(to right, " + stops.join(",") + ")");
      least.text("0");
      most.text(text);
    };
  }

  h.drawHeatmap = (data, runs, chosen) => {
    const shown = runs.filter((run) => run.loads);
    const section = h.section("heatmap", "Load of the fabric's links");
    if (data.fabric.why_not) {
      h.note(section, "Not drawn: " + data.fabric.why_not);
      return () => {};
    }
    if (shown.length === 0) {
      h.note(section, "Not drawn: no algorithm was right.");
      return () => {};
    }
    const fabric = data.fabric;
    const loads = new Map(shown.map((run) => [run.algorithm, new Loads(run, fabric)]));
    const place = new Map(fabric.ids.map((id, i) => [id, i]));
    const state = { algorithm: null, measure: "utilisation", span: null, timer: null };

    const controls = h.controls(section, "Heat map");
    const choice = h.choice(controls, "Algorithm", shown.map((run) => [run.algorithm, run.algorithm]), chosen, show);
    const known = Object.entries(measures).filter(([key, m]) => {
      if (key === "contention") return shown.some((run) => !run.loads.queue);  // packets wait in queues
      return !m.whole || shown.some((run) => run.loads[key]);
    });
    h.radios(controls, "Colour shows", known.map(([key, m]) => [key, m.name]), state.measure, (measure) => {
      state.measure = measure;
      draw();
    });
    const timeText = (step) => {
      const of = loads.get(state.algorithm);
      if (!of || step === 0) return "the whole run";
      return h.time((step - 1) * of.width) + " to " + h.time(Math.min(of.end, step * of.width));
    };
    const times = h.controls(section, "Time of the heat map");
    const play = h.button(times, "Play", () => (state.timer ? stop() : start()));
    const slider = h.slider(times, "Time", 1, 0, timeText, (step) => {
      state.span = step === 0 ? null : step - 1;
      draw();
    });
    const setScale = drawScale(section);
    const about = h.note(section, "").attr("role", "status");
    const svg = section.append("div").attr("class", "frame figure").append("svg").attr("role", "img").attr("class", "map")
      .attr("viewBox", `0 0 ${fabric.width} ${fabric.height}`).style("max-width", Math.max(340, fabric.width * 1.25) + "px");
    const lines = svg.append("g").selectAll("g").data(fabric.links).join("g").attr("class", "link");
    lines.append("line").attr("x1", (l) => l.from[0]).attr("y1", (l) => l.from[1]).attr("x2", (l) => l.to[0]).attr("y2", (l) => l.to[1]);
    lines.filter((l) => l.arrow).append("path");
    const bars = svg.append("g").selectAll("rect").data(fabric.bars).join("rect").attr("class", "load").attr("y", (b) => b.at[1]).attr("height", (b) => b.size[1]);
    const marks = svg.append("g").attr("class", "faults");
    h.drawFabric(svg, fabric);
    for (const note of fabric.notes) h.note(section, note);
    const list = h.details(section, "The most loaded links");
    const table = h.table(list, {
      caption: "Most loaded links",
      columns: [
        { name: "Link", text: (row) => row.name },
        { name: "Bytes", of: (row) => row.bytes, text: (row) => h.bytes(row.bytes), number: true },
        { name: "Utilisation", of: (row) => row.utilisation, text: (row) => h.percent(row.utilisation), number: true },
        { name: "Time lost by contention", of: (row) => row.contention, text: (row) => h.time(row.contention), number: true },
      ],
      rows: [],
    });

    const atFault = h.note(section, "");
    /** In the middle of a link that is down a cross, of one that is slow a ring. */
    function drawFaults() {
      const of = loads.get(state.algorithm);
      const at = [];
      const add = (link, x, y) => {
        const fault = of.faults.get(place.get(link));
        if (fault) at.push({ name: fabric.names[place.get(link)], fault, x, y });
      };
      for (const line of fabric.links) for (const link of line.links) add(link, (line.from[0] + line.to[0]) / 2, (line.from[1] + line.to[1]) / 2);
      for (const bar of fabric.bars) add(bar.link, bar.at[0] + bar.size[0] / 2, bar.at[1] + bar.size[1] / 2);
      const drawn = marks.selectAll("path").data(at).join("path").attr("d", (m) => (m.fault.down ? "M-5,-5L5,5M-5,5L5,-5" : "M5,0A5,5 0 1 1 -5,0A5,5 0 1 1 5,0"))
        .attr("transform", (m) => `translate(${m.x} ${m.y})`).attr("data-fault", (m) => `${m.name} ${m.fault.text}`);
      drawn.selectAll("title").data((m) => [m]).join("title").text((m) => `${m.name}: ${m.fault.text}`);
      const texts = [...of.faults].map(([link, fault]) => `${fabric.names[link]} ${fault.text}`);
      const more = texts.length > 8 ? ` and ${texts.length - 8} more` : "";
      atFault.text(texts.length ? `At fault (cross: down, ring: slow): ${texts.slice(0, 8).join("; ")}${more}. Utilisation is of what a fault leaves.` : "");
    }

    const mosts = new Map();
    /** One scale for all algorithms; of utilisation, all of it. */
    function mostOf(measure, whole) {
      const key = measure + whole;
      if (!mosts.has(key)) mosts.set(key, measure === "utilisation" ? 1 : d3.max([...loads.values()], (of) => of.most(measure, whole)));
      return mosts.get(key);
    }

    function arrow(line, width) {
      const [dx, dy] = [line.to[0] - line.from[0], line.to[1] - line.from[1]];
      const length = Math.max(1e-6, Math.hypot(dx, dy));
      const [ux, uy] = [dx / length, dy / length];
      const size = Math.min(length / 2, 4 + 1.6 * width);
      const half = size * 0.45;
      const [bx, by] = [line.to[0] - ux * size, line.to[1] - uy * size];
      return `M${line.to[0]},${line.to[1]}L${bx - uy * half},${by + ux * half}L${bx + uy * half},${by - ux * half}Z`;
    }

    const draw = h.soon(() => {
      const of = loads.get(state.algorithm);
      const measure = measures[state.measure];
      const most = mostOf(state.measure, state.span === null);
      const value = (links) => d3.max(links, (link) => of.value(state.measure, place.get(link), state.span));
      const part = (number) => (most > 0 ? number / most : 0);
      const color = (number) => (number > 0 ? h.heat(part(number)) : h.color("idle"));
      lines.each(function (line) {
        const number = value(line.links);
        const width = number > 0 ? line.slender * (1 + (fabric.widest - 1) * Math.min(1, part(number))) : 0.8 * line.slender;
        const one = d3.select(this);
        one.attr("data-value", number);
        one.select("line").attr("stroke", color(number)).attr("stroke-width", width).attr("stroke-dasharray", number > 0 ? null : "2 3");
        one.select("path").attr("d", arrow(line, width)).attr("fill", color(number));
      });
      bars.each(function (bar) {
        const number = value([bar.link]);
        const width = bar.growth === "filled" ? bar.size[0] : bar.size[0] * Math.min(1, part(number));
        d3.select(this).attr("data-value", number).attr("width", width).attr("x", bar.growth === "left" ? bar.at[0] + bar.size[0] - width : bar.at[0])
          .attr("fill", color(number));
      });
      setScale(measure.text(most));
      const rows = fabric.ids.map((_, i) => ({
        name: fabric.names[i],
        key: of.value(state.measure, i, state.span),
        bytes: of.value("bytes", i, state.span),
        utilisation: of.value("utilisation", i, state.span),
        contention: of.value("contention", i, state.span),
      }));
      const first = rows.filter((row) => row.key > 0).sort((a, b) => b.key - a.key).slice(0, 16);
      table.replace(first);
      const what = `${state.algorithm}, ${timeText(slider.value())}: `;
      const text = first.length ? what + `most: ${first[0].name} with ${measure.text(first[0].key)} (${measure.about}).` : what + "nothing.";
      about.text(text + (shown.length > 1 && state.measure !== "utilisation" ? " One scale for all algorithms." : ""));
      svg.attr("aria-label", "Heat map of the fabric. " + text);
    });

    const linkLines = (links) => {
      const of = loads.get(state.algorithm);
      const i = place.get(links.slice().sort((a, b) => of.value(state.measure, place.get(b), state.span) - of.value(state.measure, place.get(a), state.span))[0]);
      const names = [fabric.names[i] + (links.length > 1 ? " (most loaded of " + links.length + ")" : "")];
      for (const link of links) {
        const fault = of.faults.get(place.get(link));
        if (fault) names.push(`at fault: ${fabric.names[place.get(link)]} ${fault.text}`);
      }
      for (const [key, measure] of known) names.push(measure.name + ": " + measure.text(of.value(key, i, state.span)));
      return names;
    };
    h.tipOn(lines, (line) => linkLines(line.links));
    h.tipOn(bars, (bar) => linkLines([bar.link]));

    function stop() {
      window.clearInterval(state.timer);
      state.timer = null;
      play.text("Play");
    }
    function start() {
      play.text("Pause");
      state.timer = window.setInterval(() => {
        const next = slider.value() + 1;
        if (next > Number(slider.input.attr("max"))) return stop();
        slider.show(next);
        state.span = next - 1;
        draw();
      }, 120);
      if (slider.value() >= Number(slider.input.attr("max"))) slider.show(0);
    }
    function show(algorithm) {
      if (!loads.has(algorithm)) return;
      stop();
      state.algorithm = algorithm;
      state.span = null;
      choice.property("value", algorithm);
      slider.setMost(loads.get(algorithm).spans);
      slider.show(0);
      drawFaults();
      draw();
    }
    h.onTheme(() => state.algorithm && draw());
    return show;
  };
})(heddle);
