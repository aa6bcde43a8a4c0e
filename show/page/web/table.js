// SPDX-License-Identifier: Apache-2.0
// A table that is sorted by any column, by buttons in its head, and filtered by a word.
"use strict";
(function (h) {
  /**
   * columns: [{name, of: row => value to sort by, text: row => what stands there, number: whether it stands to the right,
   * cell: (td, row) => fills it in place of text}]. Rows without a value come last. filter: {label, of: row => text}.
   */
  h.table = (parent, { caption, columns, rows, filter, mark }) => {
    let sorted = null;
    let word = "";
    let count = null;
    if (filter) {
      const id = h.freshId("filter");
      const line = parent.append("div").attr("class", "controls");
      const field = line.append("span").attr("class", "field");
      field.append("label").attr("for", id).text(filter.label);
      field.append("input").attr("type", "search").attr("id", id).on("input", function () {
        word = this.value.trim().toLowerCase();
        draw();
      });
      count = line.append("span").attr("class", "note").attr("role", "status");
    }
    const frame = parent.append("div").attr("class", "frame").attr("tabindex", 0).attr("role", "region").attr("aria-label", caption);
    const table = frame.append("table");
    table.append("caption").text(caption);
    const heads = table.append("thead").append("tr").selectAll("th").data(columns).join("th").attr("scope", "col")
      .classed("number", (column) => column.number);
    heads.append("button").attr("type", "button").text((column) => column.name).on("click", (column) => {
      sorted = sorted && sorted.column === column && sorted.up ? { column, up: false } : { column, up: true };
      draw();
    });
    const body = table.append("tbody");

    function order(rows) {
      if (!sorted) return rows;
      const { column, up } = sorted;
      const of = column.of || column.text;
      const isNone = (value) => value === null || value === undefined;
      return rows.slice().sort((a, b) => {
        const [one, other] = [of(a), of(b)];
        if (isNone(one) || isNone(other)) return isNone(one) - isNone(other);
        return up ? d3.ascending(one, other) : d3.descending(one, other);
      });
    }

    function draw() {
      const shown = order(rows.filter((row) => !word || filter.of(row).toLowerCase().includes(word)));
      heads.attr("aria-sort", (column) => (sorted && sorted.column === column ? (sorted.up ? "ascending" : "descending") : null));
      const lines = body.selectAll("tr").data(shown).join("tr");
      if (mark) lines.attr("class", mark);
      lines.selectAll("*").remove();
      lines.each(function (row) {
        columns.forEach((column, i) => {
          const cell = d3.select(this).append(i === 0 ? "th" : "td").classed("number", column.number);
          if (i === 0) cell.attr("scope", "row");
          if (column.cell) column.cell(cell, row);
          else cell.text(column.text(row));
        });
      });
      if (count) count.text(word ? shown.length + " of " + h.several(rows.length, "row") : h.several(rows.length, "row"));
    }
    draw();
    return { replace: (others) => { rows = others; draw(); }, draw };
  };
})(heddle);
