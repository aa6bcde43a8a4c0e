# SPDX-License-Identifier: Apache-2.0
"""Usage: check_page.py [--update] <page>
Runs the examples of a page (>>> lines) one after the other and compares what they print with what the page shows. --update
writes what they print into the page. A page's code fence ends an output, as a blank line does."""
import contextlib
import io
import sys


def examples_of(lines):
    """(source, first line of the output, end of the output) of each example."""
    at = 0
    while at < len(lines):
        if not lines[at].startswith(">>> "):
            at += 1
            continue
        source = [lines[at][4:]]
        at += 1
        while at < len(lines) and (lines[at].startswith("... ") or lines[at] == "..."):
            source.append(lines[at][4:])
            at += 1
        begin = at
        while at < len(lines) and not lines[at].startswith((">>> ", "```")) and lines[at]:
            at += 1
        yield "\n".join(source) + "\n", begin, at


def printed(source, names):
    """What an example prints; of an error its last line."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, "<page>", "single", dont_inherit=True), names)
        except Exception as error:  # noqa: BLE001: whatever it is, the page shows it
            print(f"{type(error).__name__}: {error}")
    return [line or "<BLANKLINE>" for line in out.getvalue().splitlines()]


def main(arguments):
    update = "--update" in arguments
    path = [one for one in arguments if one != "--update"][0]
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    names, shown, last, wrong = {"__name__": "page"}, [], 0, 0
    for source, begin, end in examples_of(lines):
        got = printed(source, names)
        if got != lines[begin:end] and not update:
            wrong += 1
            print(f"{path}:{begin + 1}: {source.rstrip()}", "shown:", *lines[begin:end], "printed:", *got, sep="\n")
        shown += lines[last:begin] + got
        last = end
    if update:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(shown + lines[last:]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
