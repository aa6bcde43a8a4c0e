#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""two_racks.py [--racks 2] [--nodes 16] [--gpus 8] [--oversubscription 2] [--order cyclic] FILE: writes a fabric file
(docs/fabric-file.md) of racks of nodes. The GPUs of a node share an NVSwitch (450 GB/s each); each has a NIC (400 Gb/s) to the
leaf of its rail in its rack, and a leaf has that many times fewer cables (400 Gb/s) to its rail's spine than NICs.

Ranks sit on GPUs in the order of the file (--placement linear), which is that of the ways in which batch systems deal them out:
cyclic: to the racks in turn, GPU by GPU; nodes: to the racks in turn, node by node; packed: rack by rack.

    examples/two_racks.py racks.json
    heddle run allreduce --algo rabenseifner --topo file:racks.json --size 64MiB --heatmap racks.svg
"""

import argparse
import json
import sys


def places_of(racks, nodes, gpus, order):
    if order == "cyclic":
        return [(rack, node, rail) for node in range(nodes) for rail in range(gpus) for rack in range(racks)]
    if order == "nodes":
        return [(rack, node, rail) for node in range(nodes) for rack in range(racks) for rail in range(gpus)]
    return [(rack, node, rail) for rack in range(racks) for node in range(nodes) for rail in range(gpus)]


def fabric(racks, nodes, gpus, uplinks, order):
    def gpu(rack, node, rail):
        return f"r{rack}.n{node}.g{rail}"

    places = places_of(racks, nodes, gpus, order)
    links = []
    for rack, node, rail in places:
        name = gpu(rack, node, rail)
        links.append({"from": name, "to": f"nvswitch{rack}.{node}", "tier": "NVLink"})
        links.append({"from": name, "to": f"leaf{rack}.{rail}", "tier": "NIC to leaf"})
    for rack in range(racks):
        for rail in range(gpus):
            links.append({"from": f"leaf{rack}.{rail}", "to": f"spine{rail}", "tier": "leaf to spine", "cables": uplinks})
    return {
        "endpoints": [
            {"name": gpu(rack, node, rail), "groups": [f"node{rack}.{node}", f"rack{rack}"]} for rack, node, rail in places
        ],
        "switches": [f"nvswitch{rack}.{node}" for rack in range(racks) for node in range(nodes)]
        + [f"leaf{rack}.{rail}" for rack in range(racks) for rail in range(gpus)]
        + [f"spine{rail}" for rail in range(gpus)],
        "tiers": [
            {"name": "NVLink", "bandwidth": "450GB/s", "latency": "250ns"},
            {"name": "NIC to leaf", "bandwidth": "400Gbps", "latency": "1us"},
            {"name": "leaf to spine", "bandwidth": "400Gbps", "latency": "500ns"},
        ],
        "links": links,
        "direct": True,
    }


def main():
    parser = argparse.ArgumentParser(description="Writes a fabric file of racks of nodes of GPUs.")
    parser.add_argument("--racks", type=int, default=2)
    parser.add_argument("--nodes", type=int, default=16, help="of a rack")
    parser.add_argument("--gpus", type=int, default=8, help="of a node")
    parser.add_argument("--oversubscription", type=int, default=2, help="NICs of a leaf over its cables up")
    parser.add_argument("--order", choices=["cyclic", "nodes", "packed"], default="cyclic", help="of GPUs, hence of ranks")
    parser.add_argument("file")
    asked = parser.parse_args()
    if min(asked.racks, asked.nodes, asked.gpus, asked.oversubscription) < 1:
        sys.exit("two_racks.py: racks, nodes, GPUs and oversubscription are at least 1")
    if asked.nodes % asked.oversubscription != 0:
        sys.exit(f"two_racks.py: {asked.nodes} NICs of a leaf over {asked.oversubscription} are no whole number of cables up")
    with open(asked.file, "w", encoding="utf-8") as file:
        json.dump(fabric(asked.racks, asked.nodes, asked.gpus, asked.nodes // asked.oversubscription, asked.order), file)


if __name__ == "__main__":
    main()
