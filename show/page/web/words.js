// SPDX-License-Identifier: Apache-2.0
// Numbers as words: times, bytes, rates, counts.
"use strict";
const heddle = {};

(function (h) {
  const group = d3.format(",");

  /** Four digits at most, without an exponent. */
  function short(number) {
    if (number === 0) return "0";
    const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.abs(number)))));
    const text = number.toFixed(digits);
    return text.includes(".") ? text.replace(/\.?0+$/, "") : group(Number(text));
  }

  function scaled(number, units) {
    const last = units.length - 1;
    let i = 0;
    while (i < last && Math.abs(number) >= units[i + 1][0]) ++i;
    return short(number / units[i][0]) + " " + units[i][1];
  }

  const times = [[1, "ps"], [1e3, "ns"], [1e6, "µs"], [1e9, "ms"], [1e12, "s"]];
  const sizes = [[1, "B"], [1024, "KiB"], [1024 ** 2, "MiB"], [1024 ** 3, "GiB"], [1024 ** 4, "TiB"]];
  const rates = [[1, "B/s"], [1e3, "kB/s"], [1e6, "MB/s"], [1e9, "GB/s"], [1e12, "TB/s"]];

  h.short = short;
  h.count = (number) => group(number);
  /** Of picoseconds. */
  h.time = (ps) => (ps === 0 ? "0" : scaled(ps, times));
  h.bytes = (bytes) => scaled(bytes, sizes);
  h.rate = (rate) => (rate === null || rate === undefined ? "–" : scaled(rate, rates));
  h.percent = (part) => short(100 * part) + " %";
  h.several = (number, one, many) => group(number) + " " + (number === 1 ? one : many || one + "s");
  /** "3, 4, 7–9" of [3, 4, 7, 7, 8, 9, …]: pairs of first and last. */
  h.ranges = (pairs, most) => {
    const texts = [];
    for (let i = 0; i < pairs.length; i += 2) texts.push(pairs[i] === pairs[i + 1] ? String(pairs[i]) : pairs[i] + "–" + pairs[i + 1]);
    const left = texts.length - most;
    return left > 0 ? texts.slice(0, most).join(", ") + " and " + h.several(left, "more range") : texts.join(", ");
  };
  h.countOfRanges = (pairs) => {
    let count = 0;
    for (let i = 0; i < pairs.length; i += 2) count += pairs[i + 1] - pairs[i] + 1;
    return count;
  };
  h.rank = (rank) => (rank < 0 ? "the switches" : "rank " + rank);
})(heddle);
