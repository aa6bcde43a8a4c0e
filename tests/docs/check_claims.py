#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_claims.py HEDDLE SLOW...: compares docs/claims.md with what `heddle claims` finds.

Of the whole page, without running anything: it has every claim of `heddle claims --list`, in order; the verdict of each is the
worst of its findings', and the counts at the top are those of the verdicts below. Then the claims run, and all that the page says
of them (statement, verdict, each finding with its numbers, reasons, commands) must be what they print. Those named SLOW run only
where HEDDLE_TEST_EFFORT=thorough; those with --full only, on 4,096 ranks and more, never.
"""

import difflib
import os
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/claims.md"
RENEW = "to renew the page: heddle claims --full --markdown docs/claims.md"


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout.decode("utf-8")


def claims_of(page):
    """The text of each claim by its name, in order, without the source's heading that may follow it."""
    parts = re.split(r"^### (.+)$", page, flags=re.MULTILINE)
    return {name: re.split(r"^## ", text, flags=re.MULTILINE)[0].strip() for name, text in zip(parts[1::2], parts[2::2])}


def findings_of(text):
    """The verdict of each row of the claim's table."""
    table = re.search(r"^\| of \| printed .*\n(?:\|.*\n?)+", text, flags=re.MULTILINE)
    rows = [line for line in table.group().split("\n") if line.startswith("| ")] if table else [""]
    return [row.removesuffix(" |").rsplit(" | ", 1)[1] for row in rows[1:]]


def plain(verdict):
    """Without its tolerance."""
    return "holds within" if verdict.startswith("holds within") else verdict


def verdict_of(text):
    """What stands in bold before the statement: §…: verdict."""
    return re.match(r"\*\*(?:.+): ([^:]+?)\.\*\*", text).group(1)


def differences_within(page):
    order = ["holds", "holds within", "does not hold"]
    counts = []
    for source in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title = source.split("\n", 1)[0]
        verdicts = []
        findings = 0
        for name, text in claims_of(source).items():
            rows = [plain(row) for row in findings_of(text)]
            findings += len(rows)
            verdicts.append(plain(verdict_of(text)))
            unknown = [row for row in rows if row not in order]
            if unknown:
                yield f"{name}: no verdict: {', '.join(unknown)}"
            elif not rows or verdicts[-1] != max(rows, key=order.index):
                yield f"{name}: '{verdicts[-1]}' is not the worst of its findings: {', '.join(rows)}"
        counts.append(f"| {title} | {len(verdicts)} | {' | '.join(str(verdicts.count(v)) for v in order)} | {findings} |")
    table = [line for line in page.split("\n## ", 1)[0].split("\n") if line.startswith("| ")][1:]
    # A title may be followed by a link to the source's entry.
    table = [re.sub(r" \[[^]]*\]\([^)]*\) \|", " |", line, count=1) for line in table]
    if table != counts:
        yield "\n".join(difflib.unified_diff(table, counts, "the table at the top", "the verdicts below", lineterm=""))


def main():
    heddle, *slow = sys.argv[1:]
    page = PAGE.read_text(encoding="utf-8")
    shown = claims_of(page)
    failures = list(differences_within(page))

    # Two blanks, the name, its section; then, further in, the statement.
    listed = re.findall(r"^  (\S+)  \(.*\)(  with --full only)?$", run(heddle, "claims", "--list"), flags=re.MULTILINE)
    names = [name for name, _ in listed]
    if list(shown) != names:
        failures.append("\n".join(difflib.unified_diff(list(shown), names, "headings", "heddle claims --list", lineterm="")))
    failures += [f"{name}: named as slow, and no claim" for name in slow if name not in names]

    left_out = [] if os.environ.get("HEDDLE_TEST_EFFORT") == "thorough" else slow
    wanted = [name for name, full in listed if not full and name not in left_out]
    printed = claims_of(run(heddle, "claims", *wanted, "--markdown", "-"))
    compared = 0
    for name, text in printed.items():
        compared += 1
        if shown.get(name) != text:
            lines = difflib.unified_diff(shown.get(name, "").split("\n"), text.split("\n"), f"docs/claims.md, {name}", name, lineterm="")
            failures.append("\n".join(lines))
    for failure in failures:
        print(failure, end="\n\n")
    if left_out:
        print(f"not run unless HEDDLE_TEST_EFFORT=thorough: {', '.join(left_out)}")
    print(f"docs/claims.md: {len(shown)} claims, {compared} run and compared, {len(failures)} differ")
    if failures:
        print(RENEW)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
