#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_picture.py RSVG_CONVERT XMLLINT COLOR... -- COMMAND... PICTURE.svg: runs the command, which writes the picture, and fails
unless it is valid XML that renders to a PNG of the size that it states, with pixels of every COLOR (#rrggbb)."""

import struct
import subprocess
import sys
import xml.etree.ElementTree
import zlib


def chunks(png):
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def pixels(png):
    """Width, height and the set of all colours of a PNG with 8 bits for each of red, green, blue and alpha."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    parts = list(chunks(png))
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    assert (depth, interlaced) == (8, 0) and kind in (2, 6), f"depth {depth}, type {kind}, interlacing {interlaced}"
    size = 4 if kind == 6 else 3
    data = zlib.decompress(b"".join(body for name, body in parts if name == b"IDAT"))
    stride = width * size
    above = bytearray(stride)
    colors = set()
    for row in range(height):
        start = row * (stride + 1)
        line = bytearray(data[start + 1 : start + 1 + stride])
        undo_filter(data[start], line, above, size)
        colors.update(bytes(line[i : i + 3]) for i in range(0, stride, size))
        above = line
    return width, height, {"#" + color.hex() for color in colors}


def undo_filter(kind, line, above, size):
    for i in range(len(line)):
        left = line[i - size] if i >= size else 0
        corner = above[i - size] if i >= size else 0
        if kind == 1:
            line[i] = (line[i] + left) & 255
        elif kind == 2:
            line[i] = (line[i] + above[i]) & 255
        elif kind == 3:
            line[i] = (line[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            estimate = left + above[i] - corner
            distances = [(abs(estimate - value), order, value) for order, value in enumerate((left, above[i], corner))]
            line[i] = (line[i] + min(distances)[2]) & 255


def main():
    split = sys.argv.index("--")
    rsvg_convert, xmllint, *wanted = sys.argv[1:split]
    command = sys.argv[split + 1 :]
    picture = command[-1]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([xmllint, "--noout", "--nonet", picture], check=True)
    root = xml.etree.ElementTree.parse(picture).getroot()
    expected = (int(float(root.get("width").removesuffix("px"))), int(float(root.get("height").removesuffix("px"))))
    png = subprocess.run([rsvg_convert, picture], check=True, capture_output=True).stdout
    width, height, colors = pixels(png)
    assert (width, height) == expected, f"{width} x {height} pixels instead of {expected[0]} x {expected[1]}"
    missing = [color for color in wanted if color not in colors]
    assert not missing, f"no pixel is {', '.join(missing)}"
    print(f"{picture}: {width} x {height}, {len(colors)} colours, {len(png)} bytes as PNG")


if __name__ == "__main__":
    main()
