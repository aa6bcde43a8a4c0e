#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fuzzes the plugin of planted bugs once: each row must have a finding whose text has the words of its true cause.

usage: check_planted_bugs.py HEDDLE PLUGIN TABLE [SECONDS]

A line of TABLE is a row, a blank and a regular expression that kind and explanation of one of its findings must match. A line that
begins with "open" names a row that is not found for certain yet, or wrongly explained, and says why: it is reported, not required.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def read_table(path):
    required, still_open = {}, {}
    for line in Path(path).read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("open "):
            _, row, why = line.split(" ", 2)
            still_open[row] = why
        else:
            row, words = line.split(" ", 1)
            required[row] = words
    return required, still_open


def findings_of(heddle, plugin, seconds):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "fuzz.json"
        command = [heddle, "fuzz", "--plugin", plugin, "--keep-going", "--seconds", seconds, "--case-seconds", "2"]
        done = subprocess.run([*command, "--json", str(report)], capture_output=True, text=True, errors="replace", check=False)
        if done.returncode != 1:
            sys.exit(f"status {done.returncode}, not 1:\n{done.stdout}{done.stderr}")
        document = json.loads(report.read_text())
    texts = {}
    for finding in document["findings"]:
        text = f"{finding['kind']}: {finding['explanation']}\n{finding['depends_on']}"
        texts.setdefault(finding["algorithm"], []).append(text)
    return texts, document["cases"], document["rows"]


def main():
    heddle, plugin, table = sys.argv[1:4]
    required, still_open = read_table(table)
    texts, cases, rows = findings_of(heddle, plugin, sys.argv[4] if len(sys.argv) > 4 else "40")
    complaints = []
    if len(required) + len(still_open) != rows:
        complaints.append(f"{rows} rows, {len(required)} + {len(still_open)} lines for them")
    for row, words in required.items():
        if row not in texts:
            complaints.append(f"{row}: not found")
        elif not any(re.search(words, text, re.DOTALL) for text in texts[row]):
            complaints.append(f"{row}: no explanation has '{words}':\n" + "\n".join(texts[row]))
    for row, why in still_open.items():
        print(f"open: {row} ({'found' if row in texts else 'not found'}): {why}")
    print(f"{len(required)} bugs, {cases} cases")
    if complaints:
        sys.exit("\n".join(complaints))


main()
