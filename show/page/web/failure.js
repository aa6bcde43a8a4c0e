// SPDX-License-Identifier: Apache-2.0
// What went wrong: the explanation of each failed run, and a deadlock's cycle as a picture.
"use strict";
(function (h) {
  /** [3, 1, 2] of "cycle: rank 3 -> 1 -> 2 -> 3"; null: there is none, or not all of it is named. */
  function cycleOf(text) {
    const found = /cycle: rank ([\d >-]+)/.exec(text);
    if (!found) return null;
    const ranks = found[1].split("->").map((word) => Number(word.trim()));
    return ranks.slice(0, -1);
  }

  function drawCycle(parent, ranks) {
    const size = 300;
    const radius = ranks.length > 1 ? 100 : 0;
    const at = (i) => {
      const angle = (2 * Math.PI * i) / ranks.length - Math.PI / 2;
      return [size / 2 + radius * Math.cos(angle), size / 2 + radius * Math.sin(angle)];
    };
    const figure = parent.append("figure");
    const svg = figure.append("svg").attr("class", "cycle moves").attr("viewBox", `0 0 ${size} ${size}`).attr("role", "img")
      .attr("aria-label", "Each waits for the next: " + ranks.concat(ranks[0]).map((rank) => "rank " + rank).join(", "));
    const id = h.freshId("head");
    svg.append("defs").append("marker").attr("id", id).attr("viewBox", "0 0 8 8").attr("refX", 7).attr("refY", 4).attr("markerWidth", 8)
      .attr("markerHeight", 8).attr("markerUnits", "userSpaceOnUse").attr("orient", "auto").append("path").attr("d", "M0,0.8L8,4L0,7.2Z");
    svg.append("g").attr("class", "arrows").selectAll("path").data(ranks).join("path").attr("marker-end", `url(#${id})`).attr("d", (_, i) => {
      const [[x1, y1], [x2, y2]] = [at(i), at((i + 1) % ranks.length)];
      const length = Math.max(1, Math.hypot(x2 - x1, y2 - y1));
      const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
      const bend = 0.12 * length;
      return `M${x1 + 16 * ux},${y1 + 16 * uy}Q${(x1 + x2) / 2 - uy * bend},${(y1 + y2) / 2 + ux * bend} ${x2 - 17 * ux},${y2 - 17 * uy}`;
    });
    const dots = svg.append("g").attr("class", "ranks").selectAll("g").data(ranks).join("g").attr("transform", (_, i) => `translate(${at(i)})`);
    dots.append("circle").attr("r", 15).attr("class", "back");
    dots.append("circle").attr("r", 15).attr("class", "rim");
    dots.append("text").attr("dy", "0.35em").attr("text-anchor", "middle").attr("font-size", 12).text((rank) => rank);
    figure.append("figcaption").text("The deadlock's cycle: each rank waits for the next.");
  }

  h.kindText = (kind) => kind.replace(/_/g, " ");

  /** An article about one failure; `title` says whose. */
  h.drawFailure = (parent, title, failure) => {
    const article = parent.append("article").attr("class", "failure");
    article.append("h3").text(`${title}: ${h.kindText(failure.kind)}`);
    article.append("pre").text(failure.explanation);
    const cycle = cycleOf(failure.explanation);
    if (cycle && cycle.length) drawCycle(article, cycle);
    return article;
  };

  h.drawFailures = (failures) => {
    if (failures.length === 0) return;
    const section = h.section("failures", "What went wrong");
    for (const { title, failure } of failures) h.drawFailure(section, title, failure);
  };
})(heddle);
