// SPDX-License-Identifier: Apache-2.0
// What all sections are built of: headings, controls with their labels, the tip beside the pointer, colours of the theme.
"use strict";
(function (h) {
  let ids = 0;
  h.freshId = (word) => word + "-" + ++ids;

  /** A section of the page with its link in the contents. */
  h.section = (id, title) => {
    d3.select("#contents").append("a").attr("href", "#" + id).text(title);
    const section = d3.select("#main").append("section").attr("id", id).attr("aria-labelledby", id + "-title");
    section.append("h2").attr("id", id + "-title").text(title);
    return section;
  };

  h.controls = (parent, label) => parent.append("div").attr("class", "controls").attr("role", "group").attr("aria-label", label);

  h.button = (parent, label, act) => parent.append("button").attr("type", "button").text(label).on("click", act);

  /** choices: [[value, text], …] */
  h.choice = (parent, label, choices, chosen, act) => {
    const id = h.freshId("choice");
    const field = parent.append("span").attr("class", "field");
    field.append("label").attr("for", id).text(label);
    const select = field.append("select").attr("id", id).on("change", function () { act(this.value); });
    for (const [value, text] of choices) select.append("option").attr("value", value).property("selected", value === chosen).text(text);
    return select;
  };

  h.radios = (parent, label, choices, chosen, act) => {
    const name = h.freshId("radios");
    const field = parent.append("fieldset");
    field.append("legend").text(label);
    for (const [value, text] of choices) {
      const line = field.append("label");
      line.append("input").attr("type", "radio").attr("name", name).attr("value", value).property("checked", value === chosen)
        .on("change", () => act(value));
      line.append("span").text(text);
    }
    return field;
  };

  h.check = (parent, label, checked, act) => {
    const line = parent.append("label").attr("class", "field");
    line.append("input").attr("type", "checkbox").property("checked", checked).on("change", function () { act(this.checked); });
    line.append("span").text(label);
    return line;
  };

  /** A slider over whole numbers; `text` says what a number means. */
  h.slider = (parent, label, most, value, text, act) => {
    const id = h.freshId("slider");
    const field = parent.append("span").attr("class", "field wide");
    field.append("label").attr("for", id).text(label);
    const input = field.append("input").attr("type", "range").attr("id", id).attr("min", 0).attr("max", most).attr("step", 1);
    const output = field.append("output").attr("for", id);
    const show = (number) => {
      input.property("value", number).attr("aria-valuetext", text(number));
      output.text(text(number));
    };
    input.on("input", function () {
      show(Number(this.value));
      act(Number(this.value));
    });
    show(value);
    return { show, input, value: () => Number(input.property("value")), setMost: (number) => input.attr("max", number) };
  };

  h.note = (parent, text) => parent.append("p").attr("class", "note").text(text);

  h.details = (parent, summary) => {
    const details = parent.append("details");
    details.append("summary").text(summary);
    return details;
  };

  // ---- the tip ----

  const tip = () => d3.select("#tip");
  h.showTip = (lines) => {
    const event = d3.event;
    tip().attr("hidden", null).selectAll("div").data(lines).join("div").text((line) => line);
    const box = tip().node().getBoundingClientRect();
    const x = Math.min(event.clientX + 14, window.innerWidth - box.width - 8);
    const y = event.clientY + 18 + box.height > window.innerHeight ? event.clientY - box.height - 10 : event.clientY + 18;
    tip().style("left", Math.max(4, x) + "px").style("top", Math.max(4, y) + "px");
  };
  h.hideTip = () => tip().attr("hidden", true);
  /** `lines` makes the tip's lines of a datum. */
  h.tipOn = (selection, lines) =>
    selection.on("mousemove", (datum) => h.showTip(lines(datum))).on("mouseleave", h.hideTip);

  // ---- colours ----

  const listeners = [];
  h.onTheme = (act) => listeners.push(act);
  h.isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  };
  h.color = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  /** Viridis: what is most stands out from the background. */
  h.heat = (part) => {
    const inside = Math.max(0, Math.min(1, part));
    return d3.interpolateViridis(h.isDark() ? 0.22 + 0.78 * inside : 0.87 * (1 - inside));
  };
  h.hues = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f5fb5", "#8c6d31", "#d62f5e", "#7a7a7a"];
  h.dashes = ["", "7 3", "2 3"];

  h.setUpTheme = () => {
    const button = d3.select("#theme");
    const show = () => {
      button.text(h.isDark() ? "Light colours" : "Dark colours");
      for (const act of listeners) act();
    };
    button.on("click", () => {
      document.documentElement.dataset.theme = h.isDark() ? "light" : "dark";
      show();
    });
    window.matchMedia("(prefers-color-scheme: dark)").addListener(show);
    show();
  };

  /** Draws once the browser has time, and only the last of what was asked for. */
  h.soon = (draw) => {
    let waiting = false;
    return () => {
      if (waiting) return;
      waiting = true;
      window.requestAnimationFrame(() => {
        waiting = false;
        draw();
      });
    };
  };
})(heddle);
