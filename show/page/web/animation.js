// SPDX-License-Identifier: Apache-2.0
// An algorithm step by step: who sends which blocks to whom, and what each rank holds then.
"use strict";
(function (h) {
  /** What is held after each step: terms(step)[row * blocks + block]. Kept for every so many steps, and made from there. */
  class Holdings {
    constructor(steps) {
      this.steps = steps;
      this.size = steps.rows.length * steps.blocks;
      this.every = Math.max(1, Math.ceil(steps.steps.length / 64));
      const first = new Uint16Array(this.size);
      this.apply(first, steps.before);
      this.kept = [first];
      const held = first.slice();
      steps.steps.forEach((step, i) => {
        this.apply(held, step.gains);
        if ((i + 1) % this.every === 0) this.kept.push(held.slice());
      });
    }
    apply(held, gains) {
      for (let i = 0; i < gains.length; i += 3) held[gains[i] * this.steps.blocks + gains[i + 1]] = gains[i + 2];
    }
    after(step) {
      const from = Math.floor(step / this.every);
      const held = this.kept[from].slice();
      for (let i = from * this.every; i < step; ++i) this.apply(held, this.steps.steps[i].gains);
      return held;
    }
    /** How many of the blocks that ranks need in the end they hold whole: [whole, needed] of each row. */
    complete(held) {
      return this.steps.rows.map((_, row) => {
        const [first, count] = [this.steps.needed[2 * row], this.steps.needed[2 * row + 1]];
        let whole = 0;
        for (let b = first; b < first + count; ++b) whole += held[row * this.steps.blocks + b] >= this.steps.whole ? 1 : 0;
        return [whole, count];
      });
    }
  }

  /** Where ranks stand: as on the fabric if it has a place for each, not all in a line; else on a circle. */
  function places(fabric, count) {
    const ranks = d3.range(count);
    const known = new Map((fabric.vertices || []).filter((v) => v.rank >= 0).map((v) => [v.rank, v]));
    const isOnLine = (axis) => new Set(ranks.map((rank) => known.has(rank) && known.get(rank).at[axis])).size === 1;
    if (ranks.every((rank) => known.has(rank)) && !isOnLine(0) && !isOnLine(1)) {
      const at = new Map(ranks.map((rank) => [rank, known.get(rank).at]));
      const radius = Math.max(5, d3.min(ranks, (rank) => known.get(rank).size[0]) / 2);
      return { at, radius, width: fabric.width, height: fabric.height, onFabric: true };
    }
    const size = 460;
    const at = new Map(ranks.map((rank) => {
      const angle = (2 * Math.PI * rank) / count - Math.PI / 2;
      return [rank, [size / 2 + 195 * Math.cos(angle), size / 2 + 195 * Math.sin(angle)]];
    }));
    return { at, radius: Math.max(4, Math.min(16, 560 / count)), width: size, height: size, onFabric: false };
  }

  h.drawAnimation = (data, runs, chosen) => {
    const shown = runs.filter((run) => run.steps);
    if (shown.length === 0) return () => {};
    const section = h.section("steps", "Step by step");
    const state = { steps: null, holdings: null, step: 0, timer: null, delay: 600 };

    const controls = h.controls(section, "Step by step");
    const choice = h.choice(controls, "Algorithm", shown.map((run) => [run.algorithm, run.algorithm]), chosen, show);
    h.choice(controls, "Speed", [["1600", "slow"], ["600", "usual"], ["200", "fast"], ["60", "very fast"]], "600", (delay) => {
      state.delay = Number(delay);
      if (state.timer) { stop(); start(); }
    });
    const player = h.controls(section, "Steps");
    h.button(player, "First", () => go(0));
    h.button(player, "Back", () => go(state.step - 1));
    const play = h.button(player, "Play", () => (state.timer ? stop() : start()));
    h.button(player, "Forward", () => go(state.step + 1));
    h.button(player, "Last", () => go(state.steps.steps.length));
    const stepText = (step) => (step === 0 ? "before the first" : "after step " + step + " of " + (state.steps ? state.steps.steps.length : 0));
    const slider = h.slider(player, "Step", 1, 0, stepText, (step) => go(step));
    const status = section.append("p").attr("class", "status").attr("role", "status").attr("aria-live", "polite");
    const why = h.note(section, "");
    const views = section.append("div").attr("class", "views");
    const map = views.append("div").attr("class", "view");
    map.append("h3").text("Who sends to whom");
    const svg = map.append("div").attr("class", "frame figure").append("svg").attr("role", "img").attr("class", "moves");
    const matrix = views.append("div").attr("class", "view");
    matrix.append("h3").text("What each rank holds");
    const canvas = matrix.append("div").attr("class", "frame figure").append("canvas").attr("role", "img");
    const legend = matrix.append("ul").attr("class", "legend");
    for (const [name, text] of [["none", "nothing of the block"], ["some", "some contributions to it"], ["whole", "the whole block"], ["new", "new in this step"]]) {
      const item = legend.append("li");
      item.append("span").attr("class", "swatch cell " + name);
      item.append("span").text(text);
    }
    const table = h.table(h.details(section, "Messages of this step"), {
      caption: "Messages of this step",
      columns: [
        { name: "From", of: (m) => m[0], text: (m) => h.rank(m[0]) },
        { name: "To", of: (m) => m[1], text: (m) => h.rank(m[1]) },
        { name: "Blocks", of: (m) => h.countOfRanges(m[2]), text: (m) => h.ranges(m[2], 12) },
      ],
      rows: [],
    });

    function layOut() {
      const steps = state.steps;
      const fabric = data.fabric.why_not ? {} : data.fabric;
      state.places = places(fabric, steps.ranks);
      const { at, radius, width, height } = state.places;
      svg.selectAll("*").remove();
      svg.attr("viewBox", `0 0 ${width} ${height}`).style("max-width", 1.4 * width + "px");
      svg.append("defs").append("marker").attr("id", "head").attr("viewBox", "0 0 8 8").attr("refX", 7).attr("refY", 4)
        .attr("markerWidth", 7).attr("markerHeight", 7).attr("markerUnits", "userSpaceOnUse").attr("orient", "auto").append("path").attr("d", "M0,0.8L8,4L0,7.2Z");
      if (state.places.onFabric) {
        const boxes = Object.assign({}, fabric, { vertices: fabric.vertices.filter((v) => v.rank < 0) });
        h.drawFabric(svg, boxes);
      }
      state.arrows = svg.append("g").attr("class", "arrows");
      const isRow = new Set(steps.rows);
      svg.append("g").attr("class", "others").selectAll("circle").data(d3.range(steps.ranks).filter((rank) => !isRow.has(rank))).join("circle")
        .attr("cx", (rank) => at.get(rank)[0]).attr("cy", (rank) => at.get(rank)[1]).attr("r", radius / 2).append("title").text((rank) => "rank " + rank);
      const dots = svg.append("g").attr("class", "ranks").selectAll("g").data(steps.rows).join("g").attr("transform", (rank) => `translate(${at.get(rank)})`);
      dots.append("circle").attr("r", radius).attr("class", "back");
      dots.append("path").attr("class", "done");
      dots.append("circle").attr("r", radius).attr("class", "rim");
      if (radius >= 6) dots.append("text").attr("dy", "0.35em").attr("text-anchor", "middle").attr("font-size", Math.min(15, radius * 0.9)).text((rank) => rank);
      h.tipOn(dots, (rank) => {
        const row = steps.rows.indexOf(rank);
        const [whole, needed] = state.complete[row];
        return ["rank " + rank, `${whole} of ${h.several(needed, "block")} complete`].concat(
          steps.classes ? [`stands for ${h.several(steps.classes[row], "rank")} that send and receive alike`] : []);
      });
      state.dots = dots;
    }

    function drawMoves(moves) {
      const { at, radius, width, height } = state.places;
      const middle = [width / 2, height / 2];
      const known = moves.filter((m) => at.has(m[0]) || at.has(m[1]));
      const spot = (rank) => at.get(rank) || middle;
      const crowded = known.length > 600;
      const arrows = state.arrows.selectAll("path").data(known).join("path").attr("marker-end", "url(#head)").classed("crowded", crowded)
        .attr("d", (m) => {
          const [[x1, y1], [x2, y2]] = [spot(m[0]), spot(m[1])];
          const length = Math.max(1e-6, Math.hypot(x2 - x1, y2 - y1));
          const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
          const bend = Math.min(30, 0.12 * length);
          const [mx, my] = [(x1 + x2) / 2 - uy * bend, (y1 + y2) / 2 + ux * bend];
          return `M${x1 + ux * radius},${y1 + uy * radius}Q${mx},${my} ${x2 - ux * (radius + 1)},${y2 - uy * (radius + 1)}`;
        });
      h.tipOn(arrows, (m) => [`${h.rank(m[0])} to ${h.rank(m[1])}`, `${h.several(h.countOfRanges(m[2]), "block")}: ${h.ranges(m[2], 8)}`]);
    }

    function drawMatrix(held, before) {
      const { rows, blocks, whole, needed } = state.steps;
      const side = Math.max(4, Math.min(24, Math.floor(520 / rows.length)));
      const wide = Math.max(2, Math.min(24, Math.floor(520 / blocks)));
      const [left, top] = [44, 18];
      const [width, height] = [left + wide * blocks + 4, top + side * rows.length + 4];
      const dots = window.devicePixelRatio || 1;
      const node = canvas.attr("width", width * dots).attr("height", height * dots).style("width", width + "px").style("height", height + "px").node();
      const pen = node.getContext("2d");
      pen.scale(dots, dots);
      pen.clearRect(0, 0, width, height);
      const [none, some, done, fresh, ink] = ["cell-none", "cell-some", "cell-whole", "cell-new", "ink"].map(h.color);
      const mixed = d3.interpolateRgb(none, some);
      const [gapX, gapY] = [wide > 4 ? 1 : 0, side > 4 ? 1 : 0];
      pen.font = "10px sans-serif";
      pen.fillStyle = ink;
      const every = Math.ceil(12 / side);
      pen.textAlign = "right";
      rows.forEach((rank, row) => { if (row % every === 0) pen.fillText(String(rank), left - 6, top + side * row + side / 2 + 3.5); });
      pen.textAlign = "center";
      const everyBlock = Math.ceil(26 / wide);
      for (let b = 0; b < blocks; b += everyBlock) pen.fillText(String(b), left + wide * b + wide / 2, top - 6);
      for (let row = 0; row < rows.length; ++row) {
        for (let b = 0; b < blocks; ++b) {
          const cell = row * blocks + b;
          const isNeeded = b >= needed[2 * row] && b < needed[2 * row] + needed[2 * row + 1];
          pen.globalAlpha = isNeeded || held[cell] ? 1 : 0.45;
          const [x, y] = [left + wide * b, top + side * row];
          pen.fillStyle = held[cell] >= whole ? done : held[cell] ? mixed(0.25 + (0.75 * held[cell]) / whole) : none;
          pen.fillRect(x, y, wide - gapX, side - gapY);
          if (before && held[cell] > before[cell]) {
            pen.globalAlpha = 1;
            pen.fillStyle = fresh;
            const mark = Math.max(1, Math.min(4, side / 4));
            pen.fillRect(x, y + side - gapY - mark, wide - gapX, mark);
          }
        }
      }
      pen.globalAlpha = 1;
    }

    canvas.on("mousemove", function () {
      const steps = state.steps;
      const box = this.getBoundingClientRect();
      const wide = (box.width - 48) / steps.blocks;
      const side = (box.height - 22) / steps.rows.length;
      const block = Math.floor((d3.event.clientX - box.left - 44) / wide);
      const row = Math.floor((d3.event.clientY - box.top - 18) / side);
      if (block < 0 || block >= steps.blocks || row < 0 || row >= steps.rows.length) return h.hideTip();
      const terms = state.held[row * steps.blocks + block];
      const name = steps.by_source ? "block from rank " + block : "block " + block;
      h.showTip([`rank ${steps.rows[row]}, ${name}`, terms >= steps.whole ? "whole" : terms ? `${terms} of ${steps.whole} contributions` : "nothing of it"]);
    }).on("mouseleave", h.hideTip);

    function draw() {
      const { steps, holdings, step } = state;
      const held = holdings.after(step);
      state.held = held;
      const before = step > 0 ? holdings.after(step - 1) : null;
      state.complete = holdings.complete(held);
      const moves = step > 0 ? steps.steps[step - 1].moves : [];
      drawMoves(moves);
      const full = ([whole, needed]) => (needed ? whole / needed : 1);
      const arc = d3.arc().innerRadius(0).outerRadius(state.places.radius).startAngle(0);
      state.dots.select(".done").attr("d", (_, row) => arc({ endAngle: 2 * Math.PI * full(state.complete[row]) }));
      drawMatrix(held, before);
      const [whole, needed] = [d3.sum(state.complete, (c) => c[0]), d3.sum(state.complete, (c) => c[1])];
      const moved = step === 0 ? "Before the first step" : `Step ${step} of ${steps.steps.length}: ${h.several(steps.steps[step - 1].messages, "message")}`;
      const end = whole === needed ? `all ${h.count(needed)} needed blocks are complete` : `${h.count(whole)} of ${h.count(needed)} needed blocks are complete`;
      status.text(`${moved}; ${end}${steps.classes ? " on the ranks that are shown" : ""}.`);
      svg.attr("aria-label", "Messages between ranks. " + status.text());
      canvas.attr("aria-label", "Ranks down, blocks across. " + status.text());
      table.replace(moves.slice(0, 1000));
    }

    function go(step) {
      const next = Math.max(0, Math.min(state.steps.steps.length, step));
      if (next === state.steps.steps.length) stop();
      state.step = next;
      slider.show(next);
      draw();
    }
    function stop() {
      window.clearTimeout(state.timer);
      state.timer = null;
      play.text("Play");
    }
    function start() {
      if (state.step >= state.steps.steps.length) go(0);
      play.text("Pause");
      const next = () => {
        state.timer = window.setTimeout(() => { go(state.step + 1); if (state.timer) next(); }, state.delay);
      };
      next();
    }

    const parts = [player, status, views];
    function show(algorithm) {
      const run = shown.find((each) => each.algorithm === algorithm);
      if (!run) return;
      stop();
      choice.property("value", algorithm);
      const isThere = !run.steps.why_not;
      for (const part of parts) part.attr("hidden", isThere ? null : true);
      if (!isThere) {
        why.text(`The steps of ${algorithm} are not drawn: ${run.steps.why_not}.`);
        return;
      }
      const steps = run.steps;
      state.steps = steps;
      state.holdings = new Holdings(steps);
      state.step = 0;
      const sentences = ["A step is a round: messages whose place in the chain of messages is the same. The data is cut into as few blocks as the algorithm tells apart."];
      if (steps.classes) sentences.push(`${steps.rows.length} of ${steps.ranks} ranks are drawn, one of each class that sends and receives as much in each step` +
        (steps.classes_left_out ? `; ${h.several(steps.classes_left_out, "more class", "more classes")} are left out.` : "."));
      if (steps.by_source) sentences.push("Blocks are numbered by the rank that they come from.");
      why.text(sentences.join(" "));
      slider.setMost(steps.steps.length);
      slider.show(0);
      layOut();
      draw();
    }
    h.onTheme(() => state.steps && draw());
    return show;
  };
})(heddle);
