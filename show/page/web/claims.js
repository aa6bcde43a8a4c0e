// SPDX-License-Identifier: Apache-2.0
// The page of `heddle claims`.
"use strict";
(function (h) {
  const verdict = (claim) => claim.verdict || (claim.error ? "error" : claim.ran ? "none" : "not run");
  const relative = (part) => (part === null ? "–" : (part > 0 ? "+" : "") + h.percent(part));

  function drawFindings(parent, claim) {
    h.table(parent, {
      caption: "Findings of " + claim.name,
      columns: [
        { name: "Subject", text: (f) => f.subject },
        { name: "Printed", text: (f) => f.printed },
        { name: "Measured", text: (f) => f.measured },
        { name: "Difference", number: true, of: (f) => f.difference, text: (f) => relative(f.difference) },
        { name: "Tolerance", number: true, of: (f) => f.tolerance, text: (f) => (f.tolerance === null ? f.within || "–" : "± " + h.percent(f.tolerance)) },
        { name: "Verdict", text: (f) => f.verdict },
        { name: "Why", text: (f) => f.why },
        { name: "Command", cell: (cell, f) => f.command && cell.append("code").text(f.command), text: (f) => f.command },
      ],
      rows: claim.findings,
      mark: (f) => (f.verdict === "does not hold" ? "wrong" : null),
    });
  }

  h.drawClaims = (data) => {
    const claims = data.document.claims;
    const section = h.section("claims", "Claims");
    const rows = d3.merge(claims.map((claim) => claim.findings));
    const counts = d3.nest().key((finding) => finding.verdict).rollup((of) => of.length).entries(rows);
    section.append("p").text(`${h.several(claims.length, "claim")}, ${h.several(rows.length, "finding")}: ` + counts.map((one) => `${h.count(one.value)} ${one.key}`).join("; ") + ".");
    const state = { verdict: "", source: "" };
    const controls = h.controls(section, "Which claims");
    const choices = (names) => [["", "all"]].concat([...new Set(names)].map((name) => [name, name]));
    h.choice(controls, "With a verdict", choices(rows.map((finding) => finding.verdict)), "", (chosen) => { state.verdict = chosen; take(); });
    h.choice(controls, "Source", choices(claims.map((claim) => claim.source)), "", (chosen) => { state.source = chosen; take(); });
    const table = h.table(section, {
      caption: "Claims and their verdicts",
      columns: [
        { name: "Claim", of: (claim) => claim.name, cell: (cell, claim) => {
          if (claim.findings.length || claim.error) cell.append("a").attr("href", "#claim-" + claim.name).text(claim.name);
          else cell.text(claim.name);
        } },
        { name: "Verdict", text: verdict },
        { name: "Findings", number: true, of: (claim) => claim.findings.length, text: (claim) => h.count(claim.findings.length) },
        { name: "Statement", text: (claim) => claim.statement },
        { name: "Section", text: (claim) => claim.section },
        { name: "Source", text: (claim) => claim.source },
      ],
      rows: claims,
      filter: { label: "Filter claims", of: (claim) => [claim.name, claim.statement, claim.source, claim.section, verdict(claim)].join(" ") },
      mark: (claim) => (claim.error || claim.verdict === "does not hold" ? "wrong" : null),
    });
    const take = () => table.replace(claims.filter((claim) => (!state.verdict || claim.findings.some((finding) => finding.verdict === state.verdict)) && (!state.source || claim.source === state.source)));
    h.drawCommand(section, data.command);

    const detailed = claims.filter((claim) => claim.findings.length || claim.error);
    if (detailed.length === 0) return;
    const findings = h.section("findings", "Findings");
    for (const claim of detailed) {
      const details = h.details(findings, `${claim.name}: ${verdict(claim)}`).attr("id", "claim-" + claim.name);
      details.append("p").text(claim.statement);
      details.append("p").attr("class", "note").text(claim.citation);
      if (claim.error) details.append("pre").text(claim.error);
      // Made when it is opened: there are hundreds of rows.
      let isMade = false;
      details.on("toggle", () => {
        if (isMade || !claim.findings.length) return;
        isMade = true;
        drawFindings(details, claim);
      });
    }
    const open = () => {
      const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (target && target.tagName === "DETAILS") target.open = true;
    };
    window.addEventListener("hashchange", open);
    open();
  };
})(heddle);
