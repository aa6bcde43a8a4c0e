#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_commands.py HEDDLE DIRECTORY [--plugin LIBRARY]
Makes a page of each kind in DIRECTORY, with flags that are given several times, then runs the command that the page shows: it must make the
same page. No browser is needed. Without a plugin there is no page of findings."""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

FLAGS = {
    "run": [
        "run", "allreduce", "--algo", "ring,bucket", "--topo", "torus:4x4", "--size", "64KiB", "--bw", "12GB/s", "--background", "0->5@50%",
        "--background", "2->7@10%", "--groups", "4 along x+columns",
    ],
    "run_faults": [
        "run", "allreduce", "--algo", "ring", "--topo", "ring:4", "--size", "64KiB", "--fault", "link:0->1,slow=2", "--fault", "rank:3,slow=2",
    ],
    "run_plugins": ["run", "broadcast", "--algo", "my_chain,chain", "--topo", "ring:4", "--size", "64"],
    "sweep": [
        "sweep", "allreduce", "--algo", "ring,bucket", "--topo", "torus:2x2", "--topo", "ring:4,star:4", "--size", "1KiB,4KiB", "--bw", "50GB/s",
        "--bw", "12GB/s", "--latency", "100ns", "--latency", "1us", "--placement", "linear", "--placement", "random:3", "--fault", "none",
        "--fault", "rank:1,slow=2", "--base", "fault=none", "--out-of-place",
    ],
    "sweep_broadcast": ["sweep", "broadcast", "--algo", "my_chain,chain", "--topo", "ring:4", "-b", "64", "-e", "256", "-f", "2"],
    "findings": ["fuzz", "broadcast", "--cases", "40", "--keep-going", "--max-ranks", "6", "--stack", "128KiB", "--case-seconds", "30"],
}

OF_PLUGINS = ("findings", "run_plugins", "sweep_broadcast")


def data_of(page):
    """But for what the host needed."""
    data = json.loads(re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page.read_text(), re.DOTALL)[1])
    for run in data.get("runs", []):
        run.pop("host", None)
    if data["kind"] == "findings":
        del data["document"]["host"]
    return data


def make(command, page, status):
    done = subprocess.run([*command, "--html", str(page)], capture_output=True, text=True, check=False)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}, not {status}:\n{done.stdout}{done.stderr}")


def check(heddle, name, flags, directory):
    status = 1 if name == "findings" else 0
    first = directory / f"{name}.html"
    again = directory / f"{name}-again.html"
    again.unlink(missing_ok=True)
    make([heddle, *flags], first, status)
    shown = data_of(first)["command"]
    # A shell reads it, as it is copied.
    line = shown.replace("heddle", f"'{heddle}'", 1)
    make(["sh", "-c", f'{line} "$@"', "sh"], again, status)
    if data_of(first) != data_of(again):
        sys.exit(f"{name}: another page comes of its command: {shown}")
    print(f"{name}: {shown}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--plugin", type=pathlib.Path)
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    plugins = []
    if options.plugin:
        # The one path is as no path should be, the other as they are.
        odd = options.directory / "it's mine & $HOME"
        odd.mkdir(exist_ok=True)
        shutil.copy(options.plugin, odd / "rows.so")
        plugins = ["--plugin", str(odd / "rows.so")]
    for name, flags in FLAGS.items():
        if name in OF_PLUGINS and not plugins:
            continue
        with_plugins = plugins if name in OF_PLUGINS else []
        check(options.heddle, name, [*flags, *with_plugins], options.directory)


main()
