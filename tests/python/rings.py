# SPDX-License-Identifier: Apache-2.0
"""A ring as each kind of function: C++'s, to the message."""
import numpy as np

import heddle


@heddle.collective("allreduce", commutative=True)
async def async_ring(comm, args):
    p, r = comm.size, comm.rank
    block = args.split(p)
    if not args.in_place:
        await comm.copy(args.output, args.input)
    into = np.empty_like(block[0])
    for s in range(p - 1):
        mine = block[(r - s - 1) % p]
        await comm.sendrecv((r + 1) % p, block[(r - s) % p], (r - 1) % p, into[: len(mine)])
        await comm.reduce_into(mine, into[: len(mine)], args.op)
    for s in range(p - 1):
        await comm.sendrecv((r + 1) % p, block[(r + 1 - s) % p], (r - 1) % p, block[(r - s) % p])


@heddle.collective("allreduce", commutative=True)
def plain_ring(comm, args):
    p, r = comm.size, comm.rank
    block = args.split(p)
    if not args.in_place:
        comm.copy(args.output, args.input)
    into = np.empty_like(block[0])
    for s in range(p - 1):
        mine = block[(r - s - 1) % p]
        comm.sendrecv((r + 1) % p, block[(r - s) % p], (r - 1) % p, into[: len(mine)])
        comm.reduce_into(mine, into[: len(mine)], args.op)
    for s in range(p - 1):
        comm.sendrecv((r + 1) % p, block[(r + 1 - s) % p], (r - 1) % p, block[(r - s) % p])


@heddle.collective("allreduce", commutative=True)
async def requests_ring(comm, args):
    p, r = comm.size, comm.rank
    block = args.split(p)
    if not args.in_place:
        await comm.copy(args.output, args.input)
    into = np.empty_like(block[0])
    for s in range(2 * (p - 1)):
        reduces = s < p - 1
        received = block[(r - s - 1) % p] if reduces else block[(r - s + p - 1) % p]
        sent = block[(r - s) % p] if reduces else block[(r - s + p) % p]
        arriving = into[: len(received)] if reduces else received
        requests = [comm.irecv((r - 1) % p, arriving), comm.isend((r + 1) % p, sent)]
        if s % 2:
            await comm.wait_all(requests)
        else:
            for request in requests:
                await request
        if reduces:
            await comm.reduce_into(received, arriving, args.op)
