// SPDX-License-Identifier: Apache-2.0
// Curves of a sweep: one for each algorithm, with a legend of buttons, and below them which is best where.
"use strict";
(function (h) {
  h.measures = {
    time: { name: "time", axis: "Time", of: (run) => run.time_s * 1e12, text: h.time, least: true },
    busbw: { name: "bus bandwidth", axis: "Bus bandwidth", of: (run) => run.busbw_Bps, text: h.rate, least: false },
    algbw: { name: "algorithm bandwidth", axis: "Algorithm bandwidth", of: (run) => run.algbw_Bps, text: h.rate, least: false },
  };

  const width = 960;
  const [left, right, top, low] = [78, 18, 14, 46];
  const height = 460;
  const band = 26;

  /** ticks: at powers, as many as there is room for. */
  function ticksOf(domain, isLog, base) {
    if (!isLog) return d3.ticks(domain[0], domain[1], 7);
    const [first, last] = domain.map((value) => Math.log(value) / Math.log(base));
    const step = Math.max(1, Math.ceil((Math.floor(last) - Math.ceil(first)) / 8));
    const powers = d3.range(Math.ceil(first - 1e-9), last + 1e-9, step).map((power) => Math.pow(base, power));
    return powers.length >= 2 ? powers : d3.ticks(domain[0], domain[1], 5);
  }

  /**
   * Draws into `section`. state: {runs, x: {key, name, text, log}, measure, logX, logY, hidden: Set, style: algorithm => {color, dash},
   * at: the x that is shown in full}. Returns the function that draws anew.
   */
  h.curves = (section, state, onPoint) => {
    const svg = section.append("div").attr("class", "frame figure").append("svg").attr("class", "curves").attr("role", "img").attr("viewBox", `0 0 ${width} ${height + band + 26}`);
    const axisX = svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - low})`);
    const axisY = svg.append("g").attr("class", "axis").attr("transform", `translate(${left},0)`);
    const nameX = svg.append("text").attr("class", "word").attr("x", (left + width - right) / 2).attr("y", height - 8).attr("text-anchor", "middle");
    const nameY = svg.append("text").attr("class", "word").attr("transform", `translate(15,${(top + height - low) / 2}) rotate(-90)`).attr("text-anchor", "middle");
    const marker = svg.append("line").attr("class", "marker").attr("y1", top).attr("y2", height - low);
    const lines = svg.append("g").attr("class", "curve");
    const points = svg.append("g").attr("class", "points");
    const best = svg.append("g").attr("class", "best");
    const bestName = svg.append("text").attr("class", "word").attr("x", left - 8).attr("y", height + band / 2).attr("dy", "0.35em").attr("text-anchor", "end").text("best");

    return () => {
      const measure = h.measures[state.measure];
      const x = (run) => run[state.x.key];
      const isThere = (run) => measure.of(run) !== null && measure.of(run) !== undefined && Number.isFinite(measure.of(run)) && (!state.logY || measure.of(run) > 0) && (!state.logX || x(run) > 0);
      const measured = state.runs.filter((run) => run.time_s !== undefined && isThere(run));
      const shown = measured.filter((run) => !state.hidden.has(run.algorithm));
      const extent = (values, isLog) => {
        const [least, most] = d3.extent(values);
        if (least === undefined) return [1, 10];
        if (isLog) return least === most ? [least / 2, most * 2] : [least, most];
        return [0, most || 1];
      };
      const scale = (isLog) => (isLog ? d3.scaleLog() : d3.scaleLinear());
      const domainX = extent(measured.map(x), state.logX);
      const domainY = extent((shown.length ? shown : measured).map(measure.of), state.logY);
      const sx = scale(state.logX).domain(domainX).range([left + 8, width - right - 8]);
      const sy = scale(state.logY).domain(domainY).range([height - low - 6, top + 6]);
      axisX.call(d3.axisBottom(sx).tickValues(ticksOf(domainX, state.logX, 2)).tickFormat(state.x.text));
      axisY.call(d3.axisLeft(sy).tickValues(ticksOf(domainY, state.logY, 10)).tickFormat(measure.text).tickSizeInner(-(width - left - right)));
      nameX.text(state.x.name);
      nameY.text(measure.axis);
      const series = d3.nest().key((run) => run.algorithm).entries(shown);
      const path = d3.line().x((run) => sx(x(run))).y((run) => sy(measure.of(run)));
      lines.selectAll("path").data(series, (one) => one.key).join("path").attr("d", (one) => path(one.values.sort((a, b) => x(a) - x(b))))
        .attr("stroke", (one) => state.style(one.key).color).attr("stroke-dasharray", (one) => state.style(one.key).dash || null);
      const dots = points.selectAll("circle").data(shown).join("circle").attr("cx", (run) => sx(x(run))).attr("cy", (run) => sy(measure.of(run))).attr("r", 3.5)
        .attr("fill", (run) => state.style(run.algorithm).color);
      h.tipOn(dots, (run) => [run.algorithm, `${state.x.name}: ${state.x.text(x(run))}`].concat(
        Object.values(h.measures).map((each) => `${each.name}: ${each.text(each.of(run))}`), [`${h.several(run.rounds, "round")}, ${h.several(run.messages, "message")}`]));
      dots.on("click", (run) => onPoint(x(run)));
      const values = [...new Set(measured.map(x))].sort((a, b) => a - b);
      const spot = state.at !== null && values.includes(state.at) ? sx(state.at) : null;
      marker.attr("hidden", spot === null ? true : null).attr("x1", spot).attr("x2", spot);
      const winners = values.map((value) => {
        const there = shown.filter((run) => x(run) === value).sort((a, b) => a.time_s - b.time_s);
        return { value, run: there[0], names: there.filter((run) => run.time_s === there[0].time_s).map((run) => run.algorithm) };
      }).filter((winner) => winner.run);
      const edge = (a, b) => (sx(a) + sx(b)) / 2;
      const spans = winners.map((winner, i) => ({
        winner,
        from: i === 0 ? left : edge(winners[i - 1].value, winner.value),
        to: i + 1 === winners.length ? width - right : edge(winner.value, winners[i + 1].value),
      }));
      const joined = [];
      for (const span of spans) {
        const last = joined[joined.length - 1];
        if (last && last.winner.names.join() === span.winner.names.join()) { last.to = span.to; last.until = span.winner.value; }
        else joined.push(Object.assign({ until: span.winner.value }, span));
      }
      const boxes = best.selectAll("rect").data(joined).join("rect").attr("x", (s) => s.from).attr("width", (s) => Math.max(1, s.to - s.from - 1)).attr("y", height)
        .attr("height", band).attr("fill", (s) => state.style(s.winner.run.algorithm).color);
      h.tipOn(boxes, (s) => [`best from ${state.x.text(s.winner.value)} to ${state.x.text(s.until)}:`].concat(s.winner.names));
      const name = (s) => s.winner.names[0] + (s.winner.names.length > 1 ? ` or ${s.winner.names.length - 1} more` : "");
      best.selectAll("text").data(joined.filter((s) => s.to - s.from > 6.6 * name(s).length + 8)).join("text").attr("x", (s) => (s.from + s.to) / 2)
        .attr("y", height + band / 2).attr("dy", "0.35em").attr("text-anchor", "middle").text(name);
      bestName.attr("hidden", joined.length ? null : true);
      svg.attr("aria-label", `${measure.axis} of ${h.several(series.length, "algorithm")} by ${state.x.name.toLowerCase()}. ` +
        joined.map((s) => `Best from ${state.x.text(s.winner.value)} to ${state.x.text(s.until)}: ${name(s)}`).join(". "));
    };
  };
})(heddle);
