#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Usage: tools/check_sentences.py [file...]
No sentence has more than 25 words in README.md, docs/*.md and the public headers.
A page's prose is its paragraphs and its list items; a header's is its comments. Not prose: fenced code, tables, headings, pictures,
the licence, and comment lines behind two spaces more than a list item needs, which draw, list or compute. A sentence ends with . ! or ?
before a space, and where its paragraph or list item ends. A colon or a semicolon does not end it, and what stands in brackets belongs
to it. A word is what stands between spaces and has a letter or a digit; code in backticks is one word; of a link its text counts."""
import pathlib
import re
import sys

MOST_WORDS = 25
PAGES = ("README.md", "docs/*.md")
HEADERS = ("core/*.hpp", "include/heddle/*.hpp")
NO_END = re.compile(r"\b(?:e\.g|i\.e|cf|vs|al|Fig|Sec|No)\.$")  # abbreviations
END = re.compile(r"[.!?][\"')*\]]*$")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")
COMMENT = re.compile(r"^(.*?)//[/!]?<?(?: (.*))?$")


def plain(text):
    """Without what is no word: pictures, targets of links; code in backticks becomes one word."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", " ", text)
    text = re.sub(r"`[^`]*`", "code", text)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def page_paragraphs(lines):
    """(first line's number, text) of each paragraph and list item."""
    at, parts, fenced = 0, [], False
    for number, line in enumerate([*lines, ""], 1):
        fence = line.lstrip().startswith("```")
        prose = line.strip() and not fence and not fenced and not re.match(r"\s*\||#|<", line)
        fenced ^= fence
        if parts and (not prose or ITEM.match(line)):
            yield at, " ".join(parts)
            parts = []
        if prose:
            at = at if parts else number
            parts.append(ITEM.sub("", line, count=1).strip() if not parts else line.strip())


def header_paragraphs(lines):
    """The same of comments: one goes on in the next line's if both stand alone, or if the first stands behind code."""
    at, parts, column, indent = 0, [], -1, 0
    for number, line in enumerate([*lines, ""], 1):
        found = COMMENT.match(line) if '"' not in line.split("//")[0] and "SPDX" not in line else None
        words = (found.group(2) or "") if found else ""
        alone = found and not found.group(1).strip()
        item = ITEM.match(words)
        drawn = not item and re.match(" {%d}" % (indent + 2 if parts else 2), words)
        goes_on = alone and words and not item and not drawn and (column < 0 or len(found.group(1)) == column)
        if parts and not goes_on:
            yield at, " ".join(parts)
            parts = []
        if words and not drawn:
            if not parts:
                at, column, indent = number, -1 if alone else len(found.group(1)), len(item.group()) if item else 0
            parts.append(ITEM.sub("", words, count=1) if not parts else words.strip())


def sentences(text):
    sentence = []
    for word in plain(text).split():
        sentence.append(word)
        if END.search(word) and not NO_END.search(word):
            yield sentence
            sentence = []
    yield sentence


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    files = [pathlib.Path(name) for name in sys.argv[1:]]
    all_files = sorted(path for pattern in (*PAGES, *HEADERS) for path in root.glob(pattern))
    files = files or all_files
    found = 0
    for path in files:
        lines = path.read_text().splitlines()
        for number, text in (page_paragraphs if path.suffix == ".md" else header_paragraphs)(lines):
            for sentence in sentences(text):
                words = [word for word in sentence if re.search(r"\w", word)]
                if len(words) > MOST_WORDS:
                    found += 1
                    print(f"{path.relative_to(root) if root in path.parents else path}:{number}: {len(words)} words, at most {MOST_WORDS}: {' '.join(sentence)}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
