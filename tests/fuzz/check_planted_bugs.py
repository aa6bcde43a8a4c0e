#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fuzzes the plugin of planted bugs: each row must have a finding whose text has the words of its true cause.

usage: check_planted_bugs.py HEDDLE PLUGIN TABLE [CASES]

All rows have a quarter of the cases. A row that has no such finding then has as many as it would have of all cases, each made twice:
what has been found need not be found again, and one case in 16, of which half show what goes by chance, are too few. What goes on for
ever is waited for in full, each time that it is made smaller: a quarter of a second. Where the machine has much else to do that is too
little: a row that is not found then has half a second for each case, then 2 s, then 10 s. A line of TABLE is a row, a blank and a regular
expression that kind and explanation of one of its findings must match.
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


def findings_of(heddle, plugin, cases, seconds, rows=()):
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "fuzz.json"
        command = [heddle, "fuzz", "--plugin", plugin, "--keep-going", "--cases", str(cases), "--case-seconds", str(seconds)]
        if rows:
            command += ["--twice", "1", "--algo", ",".join(rows)]
        done = subprocess.run([*command, "--json", str(report)], capture_output=True, text=True, errors="replace", check=False)
        if done.returncode not in (0, 1):
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
    cases = int(sys.argv[4]) if len(sys.argv) > 4 else 12000
    texts, made, rows = findings_of(heddle, plugin, cases // 4, 0.25)

    def unexplained():
        return [row for row, words in required.items() if not any(re.search(words, text, re.DOTALL) for text in texts.get(row, []))]

    for seconds in (0.5, 2, 10):
        rare = unexplained()
        if not rare:
            break
        # Of one row alone a few cases may show nothing.
        others, more, _ = findings_of(heddle, plugin, max(cases * len(rare) // rows, cases // 8), seconds, rare)
        made += more
        for row, found in others.items():
            texts.setdefault(row, []).extend(found)
    complaints = []
    if len(required) != rows:
        complaints.append(f"{rows} rows, {len(required)} lines for them")
    for row in unexplained():
        said = "not found" if row not in texts else f"no explanation has '{required[row]}':\n" + "\n".join(texts[row])
        complaints.append(f"{row}: {said}")
    print(f"{len(required)} bugs, {made} cases")
    if complaints:
        sys.exit("\n".join(complaints))


main()
