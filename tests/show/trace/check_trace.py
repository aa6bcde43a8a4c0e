#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_trace.py SCHEMA DIRECTORY -- COMMAND...: runs the command with --trace and --json and fails unless the trace is valid by
the schema and says the same as the report: tracks, messages, loads of links, the time; and is made so that viewers show it."""

import collections
import fractions
import json
import os
import subprocess
import sys

import jsonschema

RANKS, LINKS, SWITCHES = 1, 2, 3


def microseconds(text):
    """The whole picoseconds that a decimal is nearest to."""
    return fractions.Fraction(round(float(text) * 1e6), 1000000)


def run(command, directory):
    trace = os.path.join(directory, "trace.json")
    report = os.path.join(directory, "report.json")
    os.makedirs(directory, exist_ok=True)
    subprocess.run([*command, "--trace", trace, "--json", report, "--links", "1000000"], check=True, stdout=subprocess.DEVNULL)
    with open(trace, encoding="utf-8") as file:
        loaded = json.load(file, parse_float=microseconds)
    with open(trace, encoding="utf-8") as file:
        plain = json.load(file)
    with open(report, encoding="utf-8") as file:
        measured = json.load(file)
    return plain, loaded, measured["runs"][0]


def check_schema(trace, schema_path):
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    assert validator.is_valid({"traceEvents": []})
    for wrong in ({"ph": "B", "pid": 1, "tid": 1, "name": "no time"}, {"ph": "Q", "pid": 1}, {"ph": "s", "pid": 1, "tid": 1, "ts": 0}):
        assert not validator.is_valid({"traceEvents": [wrong]}), f"the schema lets {wrong} pass"
    for error in validator.iter_errors(trace):
        raise AssertionError(f"{list(error.absolute_path)}: {error.message}")


def names(events, kind):
    return {(e["pid"], e.get("tid")): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == kind}


def check_tracks(events, report):
    tracks = {track: name for track, name in names(events, "thread_name").items() if track[0] == RANKS}
    ranks = [name for name in tracks.values() if ", task" not in name]
    assert len(ranks) == report["ranks"], f"{len(ranks)} tracks of ranks instead of {report['ranks']}"
    # A rank's tasks stand below it.
    rank_of = [int(name.split()[1].rstrip(",")) for _, name in sorted(tracks.items())]
    assert rank_of == sorted(rank_of), "tracks are out of order"
    used = {(e["pid"], e["tid"]) for e in events if "tid" in e and e["ph"] != "M"}
    assert used <= set(names(events, "thread_name")), "an event is on a track without a name"


def check_nesting(events):
    """Stretches of a track neither overlap nor run backwards."""
    open_since = {}
    latest = collections.defaultdict(int)
    for event in events:
        if event["ph"] not in "BEX":
            continue
        track = (event["pid"], event["tid"])
        assert event["ts"] >= latest[track], f"track {track} goes back in time"
        latest[track] = event["ts"]
        if event["ph"] == "B":
            assert track not in open_since, f"two stretches at once on track {track}"
            open_since[track] = event["ts"]
        elif event["ph"] == "E":
            assert open_since.pop(track) < event["ts"], "a stretch without duration"
        else:
            assert event["dur"] == 0
    assert not open_since, "a stretch without an end"


def check_messages(events, report):
    """Each message is an arrow from its sender's mark to its receiver's, and its parts are the time between."""
    expected = sum(1 for e in events if e["ph"] == "X" and e["cat"] == "send")
    assert expected == report["messages"], f"{expected} messages sent, the report says {report['messages']}"
    started, ended = {}, {}
    before = None
    for event in events:
        if event["ph"] in "sf":
            ends = started if event["ph"] == "s" else ended
            assert event["id"] not in ends, "two arrows of one id"
            assert before["ph"] == "X" and (before["tid"], before["ts"]) == (event["tid"], event["ts"]), "an arrow holds on to nothing"
            assert before["args"]["message"] == event["id"]
            ends[event["id"]] = before
        before = event
    assert len(started) == expected and started.keys() == ended.keys()
    for message, arrival in ended.items():
        parts = sum(value for key, value in arrival["args"].items() if key.endswith("_us"))
        assert arrival["ts"] - started[message]["ts"] == parts, f"the parts of message {message} do not add up"
        assert all(value >= 0 for key, value in arrival["args"].items() if key.endswith("_us"))


def check_links(events, report):
    """What a link's load adds up to over time is what the report says that it carried."""
    steps = collections.defaultdict(list)
    for event in events:
        if event["ph"] == "C":
            assert event["pid"] == LINKS
            steps[event["name"]].append((event["ts"], event["args"]["flows"], event["args"]["bytes_per_second"]))
    carried = {link["name"]: link for link in report["links"] if link["bytes"] > 0}
    assert steps.keys() == carried.keys(), f"loads of {len(steps)} links, {len(carried)} carried something"
    for name, loads in steps.items():
        assert loads[-1][1:] == (0, 0), f"{name} is loaded at the end"
        total = sum((after[0] - now[0]) * now[2] for now, after in zip(loads, loads[1:])) / 1000000
        # Drain times are whole picoseconds and rates whole bytes per second.
        assert abs(total - carried[name]["bytes"]) <= max(2, carried[name]["bytes"] / 100000), (
            f"{name}: {float(total)} bytes by its load, {carried[name]['bytes']} by the report"
        )
        assert max(flows for _, flows, _ in loads) == carried[name]["peak_flows"], f"{name}: peak"


def main():
    schema, directory = sys.argv[1:3]
    plain, trace, report = run(sys.argv[4:], directory)
    check_schema(plain, schema)
    events = trace["traceEvents"]
    about = trace["otherData"]
    assert about["producer"].startswith("heddle ") and about["context"]["ranks"] == report["ranks"]
    assert about["messages"] == sum(e["ph"] == "s" for e in events)
    spans = sum(e["ph"] == "B" and e["pid"] == RANKS for e in events)
    assert spans == about["spans"] > 0, f"{spans} stretches of ranks, {about['spans']} counted"
    check_tracks(events, report)
    check_nesting(events)
    if about["operations_in_network"] == 0:
        check_messages(events, report)
        check_links(events, report)
    operations = sum(e["ph"] == "B" and e["pid"] == SWITCHES for e in events)
    assert operations == about["operations_in_network"]
    last = max(e["ts"] for e in events if e["ph"] in "EX")
    assert round(last * 1000000) == round(report["time_s"] * 1e12), f"ends at {float(last)} us, time is {report['time_s']} s"
    kinds = collections.Counter(e["ph"] for e in events)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))


if __name__ == "__main__":
    main()
