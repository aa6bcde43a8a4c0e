// SPDX-License-Identifier: Apache-2.0
// The page of `heddle run`.
"use strict";
(function (h) {
  const contention = (run) => (run.contention_free_s > 0 ? run.time_s / run.contention_free_s : null);
  const result = (run) => (run.error ? h.kindText(run.error.kind) : run.stopped ? "stopped" : "right");

  /** The link that is worst is named with its number. */
  function packetColumns() {
    const worst = (link, number) => (link ? `${number} (${link})` : number);
    const stalled = (run) => (run.packets && run.time_s > 0 ? run.packets.stalled_max_ps / 1e12 / run.time_s : null);
    return [
      { name: "Longest queue", number: true, of: (run) => (run.packets ? run.packets.queue_max : null),
        text: (run) => (run.packets ? worst(run.packets.queue_max_link, run.packets.queue_max) : "–") },
      { name: "Stalled", number: true, of: stalled, text: (run) => (stalled(run) === null ? "–" : worst(run.packets.stalled_max_link, h.percent(stalled(run)))) },
    ];
  }

  function columns(runs, select) {
    const measured = (key, text) => ({ number: true, of: (run) => run[key], text: (run) => (run[key] === undefined || run[key] === null ? "–" : text(run[key])) });
    return [
      {
        name: "Algorithm",
        of: (run) => run.algorithm,
        cell: (cell, run) => {
          if (run.error || run.stopped) cell.text(run.algorithm);
          else h.button(cell, run.algorithm, () => select(run.algorithm)).attr("class", "name").attr("title", "Show it in the diagrams below");
        },
      },
      Object.assign(measured("time_s", (s) => h.time(s * 1e12)), { name: "Time" }),
      Object.assign(measured("algbw_Bps", h.rate), { name: "algbw" }),
      Object.assign(measured("busbw_Bps", h.rate), { name: "busbw" }),
      { name: "Result", text: result },
      Object.assign(measured("rounds", h.count), { name: "Rounds" }),
      Object.assign(measured("messages", h.count), { name: "Messages" }),
      Object.assign(measured("sent_bytes_max", h.bytes), { name: "Max sent" }),
      Object.assign(measured("peak_flows", h.count), { name: "Peak flows" }),
      { name: "Contention", number: true, of: contention, text: (run) => (contention(run) ? contention(run).toFixed(2) + " ×" : "–") },
    ].concat(runs.some((run) => run.packets) ? packetColumns() : [])
      .concat(runs.some((run) => run.same_messages_as) ? [{ name: "Same messages as", text: (run) => run.same_messages_as || "" }] : []);
  }

  h.contextText = (value) => {
    if (value === null || value === undefined) return "none";
    if (Array.isArray(value)) return value.map(h.contextText).join("; ");
    if (typeof value === "object") return Object.entries(value).map(([key, inner]) => `${key} ${h.contextText(inner)}`).join(", ");
    return String(value);
  };

  h.drawCommand = (section, command) => {
    if (!command) return;  // of a document that does not say it
    section.append("h3").text("The command that repeats it");
    const line = section.append("div").attr("class", "command");
    line.append("code").text(command);
    if (!navigator.clipboard) return;
    h.button(line, "Copy the command", () => navigator.clipboard.writeText(command).then(() => said.text("copied"), () => said.text("the browser refuses to copy")));
    const said = line.append("span").attr("role", "status").attr("class", "note");
  };

  h.drawContext = (section, entries) => {
    const list = h.details(section, "All that was asked for").append("dl").attr("class", "context");
    for (const [key, value] of entries) {
      list.append("dt").text(key.replace(/_/g, " "));
      list.append("dd").text(h.contextText(value));
    }
  };

  h.drawLeftOut = (section, leftOut) => {
    if (leftOut.length === 0) return;
    const list = h.details(section, h.several(leftOut.length, "algorithm") + " that cannot serve").append("ul");
    for (const left of leftOut) list.append("li").text(`${left.algorithm}: ${left.reason}`);
  };

  /** What became of faults: which changed nothing, which link was the worst, which adaptive routing went round. */
  h.drawFaults = (section, runs) => {
    const notes = new Map();
    const add = (text, run) => notes.set(text, (notes.get(text) || new Set()).add(run.algorithm));
    for (const run of runs) {
      (run.idle_faults || []).forEach((fault, i) => add(`never struck: ${fault} (${run.idle_fault_reasons[i]})`, run));
      if (run.worst_link) add(`the worst link: ${run.worst_link.fault || run.worst_link}`, run);
      for (const fault of run.faults_gone_round || [])
        add(`adaptive routing goes round ${fault}: links and ways beside take what it cannot carry; --routing ecmp:SEED does not go round`, run);
    }
    if (notes.size === 0) return;
    const list = h.details(section, "What became of faults").attr("open", "").append("ul");
    for (const [text, algorithms] of notes) list.append("li").text(`${text} (${[...algorithms].join(", ")})`);
  };

  h.drawRun = (data) => {
    const { context, runs } = data;
    const shows = [];
    const select = (algorithm) => {
      for (const show of shows) show(algorithm);
      const target = document.getElementById("heatmap") || document.getElementById("steps");
      if (target) target.scrollIntoView({ behavior: "smooth" });
    };

    const section = h.section("results", "Results");
    const what = context.program ? [context.program].concat(context.arguments).join(" ") : context.collective;
    const bytes = context.program || context.collective === "barrier" ? "" : `, ${h.bytes(context.bytes)} of ${context.datatype}${context.op === "none" ? "" : " " + context.op}`;
    section.append("p").text(`${what} on ${context.topology}: ${h.several(context.ranks, "rank")}${bytes}, placement ${context.placement}, buffering ${context.buffering}.` +
      ` ${context.preset ? "Preset " + context.preset + ": " : ""}${data.speeds}.`);
    const wrong = runs.filter((run) => run.error).length;
    h.note(section, `A time is shown only of a run whose every check passed: ${h.several(runs.length - wrong, "result")} right, ${wrong} wrong` +
      (runs.length < data.planned ? `; the run ended before ${data.planned - runs.length} more.` : "."));
    for (const text of data.notes) h.note(section, text);
    h.table(section, {
      caption: "Algorithms",
      columns: columns(runs, select),
      rows: runs,
      filter: { label: "Filter algorithms", of: (run) => run.algorithm },
      mark: (run) => (run.error ? "wrong" : null),
    });
    for (const run of runs) if (run.remark) h.note(section, `${run.algorithm}: ${run.remark}.`);
    h.drawFaults(section, runs);
    h.drawLeftOut(section, data.left_out);
    h.drawCommand(section, data.command);
    h.drawContext(section, Object.entries(context));

    h.drawFailures(runs.filter((run) => run.error).map((run) => ({ title: run.algorithm, failure: run.error })));
    const right = runs.filter((run) => !run.error && !run.stopped);
    if (right.length === 0) return;
    h.drawExplanations(right, select, data.legend);
    const best = right.filter((run) => run.time_s > 0).sort((a, b) => a.time_s - b.time_s)[0] || right[0];
    for (const draw of [h.drawHeatmap, h.drawSpacetime, h.drawAnimation]) shows.push(draw(data, right, best.algorithm));
    for (const show of shows) show(best.algorithm);
  };
})(heddle);
