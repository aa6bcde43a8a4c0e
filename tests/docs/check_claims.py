#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_claims.py HEDDLE SLOW...: compares docs/claims.md and docs/claims/ with what `heddle claims` finds.

Of the pages, without running anything: each source's has every claim of `heddle claims --list`, in order, and their pictures; the
verdict of each sums up those of its rows, as the first page has it; the first page's totals are those of the rows; each of its
findings for authors, ten at most, is of a claim with a row that a run contradicts. Then the claims run, and all that a page says
of them (statement, verdict, each finding with its numbers, reasons, commands) must be what they print. Those named SLOW run only
where HEDDLE_TEST_EFFORT=thorough; those with --full only, on 4,096 ranks and more, never. One picture is drawn again.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
RENEW = "to renew the pages: heddle claims --full --markdown docs/claims.md"
DRAWN = "trivance/fig-6a"
VERDICTS = [
    "holds",
    "holds within",
    "holds under other assumptions",
    "definition, not tested",
    "not tested",
    "does not hold: the source contradicts itself",
    "does not hold: a run shows otherwise",
]
HOLDING = VERDICTS[:3]
DIFFERS = VERDICTS[-1]


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout.decode("utf-8")


def claims_of(pages):
    """The text of each claim by its name, in order, without the next page's title that may follow it."""
    parts = re.split(r"^## ([a-z]+/\S+)$", pages, flags=re.MULTILINE)
    return {name: re.split(r"^# ", text, flags=re.MULTILINE)[0].strip() for name, text in zip(parts[1::2], parts[2::2])}


def plain(verdict):
    """Without its tolerance or its other assumptions."""
    for whole in ("holds within", "holds under other assumptions"):
        if verdict.startswith(whole):
            return whole
    return verdict


def rows_of(text):
    """The verdict of each row of the claim's table."""
    table = re.search(r"^\| of \| printed .*\n(?:\|.*\n?)+", text, flags=re.MULTILINE)
    lines = table.group().splitlines()[2:] if table else []
    return [plain(re.split(r"(?<!\\) \| ", line.removesuffix(" |"))[-1]) for line in lines]


def summary_of(rows):
    """What Outcome::verdict() makes of them."""
    counts = [rows.count(verdict) for verdict in VERDICTS]
    if len(rows) in counts:
        return VERDICTS[counts.index(len(rows))]
    holding = sum(verdict in HOLDING for verdict in rows)
    if holding < len(rows):
        others = "".join(f"; {n} {v}" for n, v in zip(counts, VERDICTS) if n and v not in HOLDING)
        return f"{holding} of {len(rows)} hold{others}"
    otherwise = rows.count("holds under other assumptions")
    return f"holds, {otherwise} of {len(rows)} under other assumptions" if otherwise else "holds within"


def verdict_of(text):
    """What stands in bold before the statement, after the citation, which has no ': '."""
    return re.match(r"\*\*.+?: (.+?)\.\*\*", text).group(1)


def table_after(page, title):
    """The cells of each line of a table under a heading of the second level."""
    part = re.split(r"^## ", page, flags=re.MULTILINE)
    text = next((it for it in part if it.startswith(title + "\n")), "")
    lines = [line for line in text.splitlines() if line.startswith("| ")][1:]
    return [re.split(r"(?<!\\) \| ", line.removeprefix("| ").removesuffix(" |")) for line in lines]


def differences_of_totals(first, shown):
    lines = {}
    for name, text in shown.items():
        lines.setdefault(name.split("/")[0], []).append(rows_of(text))
    lines["all"] = [rows for part in list(lines.values()) for rows in part]
    expected = []
    for parts in lines.values():
        rows = [row for part in parts for row in part]
        expected.append([str(len(parts)), str(len(rows))] + [str(rows.count(verdict)) for verdict in VERDICTS])
    printed = [cells[1:] for cells in table_after(first, "Rows by verdict")]
    if printed != expected:
        yield f"Rows by verdict: {printed} are not those of the pages, {expected}"


def differences_within(first, shown):
    yield from differences_of_totals(first, shown)
    for name, text in shown.items():
        rows = rows_of(text)
        verdict = verdict_of(text)
        unknown = [row for row in rows if row not in VERDICTS]
        if unknown:
            yield f"{name}: no verdict: {', '.join(unknown)}"
        elif verdict != summary_of(rows):
            yield f"{name}: '{verdict}' does not sum up its rows: '{summary_of(rows)}'"
        source = name.split("/")[0]
        anchor = re.sub(r"[/.]", "", name)
        line = next((it for it in first.splitlines() if it.startswith(f"| [{name}](claims/{source}.md#{anchor}) |")), "")
        if not line.endswith(f" | {verdict} |"):
            yield f"{name}: '{verdict}', and the first page: '{line}'"
        for picture in re.findall(r"^!\[.*\]\((.+)\)$", text, flags=re.MULTILINE):
            if not (DOCS / "claims" / picture).is_file():
                yield f"{name}: no picture claims/{picture}"
    findings = re.findall(r"^### .+\n\n\[([^]]+)\]", first, flags=re.MULTILINE)
    if len(findings) > 10:
        yield f"{len(findings)} findings for authors: ten at most"
    yield from (f"{name}: a finding for authors, and no row differs" for name in findings if DIFFERS not in rows_of(shown[name]))


def differences_of_picture(heddle):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "drawn.svg"
        run(heddle, "claims", DRAWN, "--plot", str(path))
        if path.read_bytes() != (DOCS / "claims" / (DRAWN.replace("/", "-") + ".svg")).read_bytes():
            yield f"{DRAWN}: its picture is drawn otherwise"


def main():
    heddle, *slow = sys.argv[1:]
    first = (DOCS / "claims.md").read_text(encoding="utf-8")

    # Two blanks, the name, its section; then, further in, the statement.
    listed = re.findall(r"^  (\S+)  \(.*\)(?:  --plot)?(  with --full only)?$", run(heddle, "claims", "--list"), flags=re.MULTILINE)
    names = [name for name, _ in listed]
    sources = list(dict.fromkeys(name.split("/")[0] for name in names))
    shown = claims_of("\n".join((DOCS / f"claims/{source}.md").read_text(encoding="utf-8") for source in sources))
    failures = list(differences_within(first, shown))
    if list(shown) != names:
        failures.append("\n".join(difflib.unified_diff(list(shown), names, "headings", "heddle claims --list", lineterm="")))
    failures += [f"{name}: named as slow, and no claim" for name in slow if name not in names]
    if DRAWN in names:
        failures += differences_of_picture(heddle)

    left_out = [] if os.environ.get("HEDDLE_TEST_EFFORT") == "thorough" else slow
    wanted = [name for name, full in listed if not full and name not in left_out]
    printed = claims_of(run(heddle, "claims", *wanted, "--markdown", "-"))
    compared = 0
    for name, text in printed.items():
        compared += 1
        if shown.get(name) != text:
            lines = difflib.unified_diff(shown.get(name, "").split("\n"), text.split("\n"), f"docs/claims, {name}", name, lineterm="")
            failures.append("\n".join(lines))
    for failure in failures:
        print(failure, end="\n\n")
    if left_out:
        print(f"not run unless HEDDLE_TEST_EFFORT=thorough: {', '.join(left_out)}")
    print(f"docs/claims: {len(shown)} claims, {compared} run and compared, {len(failures)} differ")
    if failures:
        print(RENEW)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
