#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do commands still give the figures that were recorded?

Runs each line of commands.txt as `heddle LINE --json -` and compares its exit status and its JSON with recorded.json. Of each run that
is the figures people read, and a digest of all the rest but for `host`, which differs from machine to machine. What is meant to change is
recorded anew with --update, and the difference is read before it is committed.

Usage: check_behaviour.py [--update] <heddle>
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RECORDED = HERE / "recorded.json"
FIGURES = ("algorithm", "ranks", "bytes", "time_s", "contention_free_s", "rounds", "messages", "sent_bytes_max", "least", "safe", "enough")
LEFT_OUT = ("host", "version", "threads", "check")  # either kind of threads gives the same; the checksum is of the version, too


def without(value):
    if isinstance(value, dict):
        return {name: without(part) for name, part in value.items() if name not in LEFT_OUT}
    if isinstance(value, list):
        return [without(part) for part in value]
    return value


def rows(document):
    """Every object in the document that has an algorithm's figures, outermost first."""
    if isinstance(document, dict):
        if "algorithm" in document:
            yield document
            return
        document = list(document.values())
    if isinstance(document, list):
        for part in document:
            yield from rows(part)


def summary(heddle: str, line: str) -> dict:
    words = shlex.split(line, posix=True)
    done = subprocess.run([heddle, *words, "--json", "-"], capture_output=True, text=True, check=False, timeout=600)
    found = {"status": done.returncode}
    if done.stdout.lstrip().startswith(("{", "[")):
        document = without(json.loads(done.stdout))
        found["rows"] = [" ".join(f"{name}={row[name]}" for name in FIGURES if name in row) for row in rows(document)]
        found["all"] = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:16]
    if done.returncode != 0:
        found["said"] = done.stderr.strip().splitlines()[:3]
    return found


def main() -> int:
    update = "--update" in sys.argv
    heddle = sys.argv[-1]
    lines = [line for line in (HERE / "commands.txt").read_text().splitlines() if line and not line.startswith("#")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        now = dict(zip(lines, pool.map(lambda line: summary(heddle, line), lines)))
    if update:
        RECORDED.write_text(json.dumps(now, indent=1) + "\n")
        print(f"{len(now)} commands recorded")
        return 0
    recorded = json.loads(RECORDED.read_text())
    different = [line for line in lines if now[line] != recorded.get(line)]
    for line in different:
        before, after = recorded.get(line, {}), now[line]
        print(f"heddle {line}")
        for name in ("status", "said", "all"):
            if before.get(name) != after.get(name):
                print(f"  {name}: recorded {before.get(name)}, now {after.get(name)}")
        old, new = before.get("rows", []), after.get("rows", [])
        for row in old:
            if row not in new:
                print(f"  - {row}")
        for row in new:
            if row not in old:
                print(f"  + {row}")
    print(f"{len(lines) - len(different)} of {len(lines)} commands as recorded")
    return 1 if different or len(recorded) != len(lines) else 0


if __name__ == "__main__":
    sys.exit(main())
