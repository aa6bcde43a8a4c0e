#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fuzzes the plugin of planted bugs once: each row must have a finding whose text has the words of its true cause.

usage: check_planted_bugs.py HEDDLE PLUGIN TABLE [CASES]

A line of TABLE is a row, a blank and a regular expression that kind and explanation of one of its findings must match.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def read_table(path):
    lines = Path(path).read_text().splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


def findings_of(heddle, plugin, cases):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "fuzz.json"
        command = [heddle, "fuzz", "--plugin", plugin, "--keep-going", "--cases", cases, "--case-seconds", "2"]
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
    required = read_table(table)
    texts, cases, rows = findings_of(heddle, plugin, sys.argv[4] if len(sys.argv) > 4 else "12000")
    complaints = []
    if len(required) != rows:
        complaints.append(f"{rows} rows, {len(required)} lines for them")
    for row, words in required.items():
        if row not in texts:
            complaints.append(f"{row}: not found")
        elif not any(re.search(words, text, re.DOTALL) for text in texts[row]):
            complaints.append(f"{row}: no explanation has '{words}':\n" + "\n".join(texts[row]))
    print(f"{len(required)} bugs, {cases} cases")
    if complaints:
        sys.exit("\n".join(complaints))


main()
