// SPDX-License-Identifier: Apache-2.0
// The page of `heddle fuzz`.
"use strict";
(function (h) {
  h.drawFindings = (data) => {
    const found = data.document;
    const section = h.section("results", "Results");
    section.append("p").text(`${h.several(found.cases, "case")} of ${h.several(found.rows_covered, "algorithm")} with seed ${found.context.seed}: ` +
      (found.findings.length ? h.several(found.findings.length, "finding") + "." : "all right."));
    if (found.findings.length) {
      h.table(section, {
        caption: "Findings",
        columns: [
          { name: "Algorithm", of: (f) => f.algorithm, cell: (cell, f) => cell.append("a").attr("href", "#finding-" + found.findings.indexOf(f)).text(f.algorithm) },
          { name: "Collective", text: (f) => f.collective },
          { name: "What", text: (f) => h.kindText(f.kind) },
          { name: "Shrunk case", cell: (cell, f) => cell.append("code").text(f.case), text: (f) => f.case },
          { name: "More cases like it", number: true, of: (f) => f.more_cases, text: (f) => h.count(f.more_cases) },
        ],
        rows: found.findings,
        filter: { label: "Filter findings", of: (f) => `${f.algorithm} ${f.collective} ${f.kind} ${f.case}` },
      });
    }
    h.drawCommand(section, data.command);
    if (found.findings.length === 0) return;
    const all = h.section("findings", "What went wrong");
    found.findings.forEach((finding, i) => {
      const article = h.drawFailure(all, `${finding.collective} ${finding.algorithm}`, finding).attr("id", "finding-" + i);
      const list = article.append("dl").attr("class", "context");
      const add = (name, text) => { if (text) { list.append("dt").text(name); list.append("dd").append("code").text(text); } };
      add("Shrunk case", finding.case);
      add("Repeats it", finding.repeat);
      add("As drawn", finding.drawn);
      add("Depends on", finding.depends_on);
      if (finding.test) h.details(article, "As a test").append("pre").text(finding.test);
    });
  };
})(heddle);
