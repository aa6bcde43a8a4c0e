// SPDX-License-Identifier: Apache-2.0
// Draws what the page's data is of.
"use strict";
(function (h) {
  const data = JSON.parse(document.getElementById("data").textContent);
  d3.select("#title").text(data.title);
  d3.select("#about").text(`Made by heddle ${data.version}. Drawn with d3 ${d3.version} (Copyright 2010–2020 Mike Bostock, BSD-3-Clause).`);
  const pages = { run: h.drawRun, sweep: h.drawSweep, claims: h.drawClaims, findings: h.drawFindings };
  pages[data.kind](data);
  h.setUpTheme();
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") h.hideTip(); });
  window.addEventListener("beforeprint", () => d3.selectAll("details").attr("open", ""));
  document.documentElement.dataset.ready = "yes";
})(heddle);
