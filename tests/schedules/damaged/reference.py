# SPDX-License-Identifier: Apache-2.0
"""What an MSCCL schedule does, by an interpreter that shares nothing with heddle's: the verdict that a run has to come to.

A verdict is 'refused', 'race', 'stuck', 'wrong' or 'right'. Steps are executed one by one, chunks hold multisets of contributions, and
what is ordered is the transitive closure of a graph of steps.
"""

import collections
import itertools
import xml.etree.ElementTree as ElementTree

# Of each type of step: sends, receives, reduces, reads its source, writes its target.
TYPES = {
    "s": (1, 0, 0, 1, 0), "r": (0, 1, 0, 0, 1), "cpy": (0, 0, 0, 1, 1), "re": (0, 0, 1, 1, 1), "rrc": (0, 1, 1, 1, 1),
    "rrs": (1, 1, 1, 1, 0), "rcs": (1, 1, 0, 0, 1), "rrcs": (1, 1, 1, 1, 1), "nop": (0, 0, 0, 0, 0),
}
REDUCING = ("allreduce", "reduce", "reduce_scatter")
BLOCKS = ("allgather", "gather", "reduce_scatter", "scatter", "alltoall")
ROOTED = ("broadcast", "reduce", "gather", "scatter")
JUNK = ("junk",)  # what is in memory that nothing was put into


class Refused(Exception):
    pass


def need(condition, text):
    if not condition:
        raise Refused(text)


class Step:
    def __init__(self, node):
        need(node.get("type") in TYPES, "type")
        self.type = node.get("type")
        self.sends, self.receives, self.reduces, self.reads, self.writes = TYPES[self.type]
        self.source = (node.get("srcbuf"), int(node.get("srcoff", -1)))
        self.target = (node.get("dstbuf"), int(node.get("dstoff", -1)))
        self.count = int(node.get("cnt", 0 if self.type == "nop" else 1))
        self.awaits = (int(node.get("depid", -1)), int(node.get("deps", -1)))
        self.tells = node.get("hasdep", "1") != "0"
        for used, place in ((self.reads, self.source), (self.writes, self.target)):
            need(not used or (place[0] in "ios" and place[1] >= 0), "place")
        need((self.awaits[0] < 0) == (self.awaits[1] < 0), "depid and deps")


class Block:
    def __init__(self, node):
        self.id = int(node.get("id"))
        self.send, self.receive = int(node.get("send", -1)), int(node.get("recv", -1))
        self.channel = int(node.get("chan", 0))
        self.steps = [Step(step) for step in node]
        need([int(step.get("s")) for step in node] == list(range(len(node))), "numbers of steps")
        talks = any(step.sends or step.receives for step in self.steps)
        need(self.channel >= (0 if talks else -1), "channel")


class Schedule:
    def __init__(self, text):
        algo = ElementTree.fromstring(text)
        self.collective = algo.get("coll")
        self.chunks = int(algo.get("nchunksperloop"))
        self.gpus = {int(gpu.get("id")): [Block(tb) for tb in gpu.findall("tb")] for gpu in algo}
        # From i to o, before the first step.
        self.copies = {int(gpu.get("id")): [(int(copy.get("i_off")), int(copy.get("o_off"))) for copy in gpu.findall("copy")]
                       for gpu in algo}
        self.scratch = {int(gpu.get("id")): int(gpu.get("s_chunks", 0)) for gpu in algo}
        self.ranks = len(self.gpus)
        need(sorted(self.gpus) == list(range(self.ranks)) and len(algo) == self.ranks, "ids of gpus")
        need(self.chunks >= 1, "chunks")
        need(self.collective not in BLOCKS or self.chunks % self.ranks == 0, "blocks")
        in_place, out_of_place = int(algo.get("inplace", 0)), algo.get("outofplace")
        self.in_place = in_place != 0
        self.out_of_place = int(out_of_place) != 0 if out_of_place is not None else not self.in_place
        need(self.in_place or self.out_of_place, "modes")
        self.root = self.find_root(algo)
        self.block = self.chunks // self.ranks if self.collective in BLOCKS else self.chunks
        self.check()

    def find_root(self, algo):
        if self.collective not in ROOTED:
            return 0
        if algo.get("root") is not None:
            need(0 <= int(algo.get("root")) < self.ranks, "root")
            return int(algo.get("root"))
        goes_out = self.collective in ("broadcast", "scatter")
        ends = [rank for rank, blocks in sorted(self.gpus.items())
                if not any(step.receives if goes_out else step.sends for block in blocks for step in block.steps)]
        return ends[0] if len(ends) == 1 else 0

    # ---- what no run can be right with ----

    def size(self, rank, buffer):
        is_root = rank == self.root
        if buffer == "s":
            return self.scratch[rank]
        is_input = buffer == "i"
        if self.collective == "broadcast":
            return 0 if is_input and self.out_of_place and not is_root else self.chunks
        if self.collective == "reduce":
            return 0 if not is_input and self.out_of_place and not is_root else self.chunks
        if self.collective in ("allgather", "gather"):
            return self.block if is_input else self.chunks if self.collective == "allgather" or is_root else 0
        if self.collective in ("reduce_scatter", "scatter"):
            return self.block if not is_input else self.chunks if self.collective == "reduce_scatter" or is_root else 0
        return self.chunks

    def check(self):
        senders, receivers = {}, {}
        for rank, blocks in self.gpus.items():
            self.check_copies(rank)
            ids = [block.id for block in blocks]
            need(len(set(ids)) == len(ids), "ids of tbs")
            for place, block in enumerate(blocks):
                for number, step in enumerate(block.steps):
                    self.check_step(rank, blocks, place, number, step)
                for flag, peer, ends in (("sends", block.send, senders), ("receives", block.receive, receivers)):
                    steps = [step for step in block.steps if getattr(step, flag)]
                    if peer < 0 or not steps:
                        continue
                    key = (rank, peer, block.channel) if flag == "sends" else (peer, rank, block.channel)
                    need(key not in ends, "two tbs on one channel")
                    ends[key] = [step.count for step in steps]
        need(senders == receivers, "messages do not pair")

    def check_copies(self, rank):
        copies = self.copies[rank]
        need(len({into for _, into in copies}) == len(copies), "two copies to one place")
        for source, into in copies:
            need(0 <= source < self.size(rank, "i") and 0 <= into < self.size(rank, "o"), "copies")
            if self.in_place and self.is_one_vector(rank, True):
                need(self.cell(rank, ("i", source), True) == self.cell(rank, ("o", into), True), "copies in place")

    def check_step(self, rank, blocks, place, number, step):
        block = blocks[place]
        for used, peer in ((step.sends, block.send), (step.receives, block.receive)):
            need(not used or (0 <= peer < self.ranks and peer != rank), "peer")
        need(not step.reduces or self.collective in REDUCING, "reduces")
        need(step.type == "nop" or step.count >= 1, "count")
        for used, (buffer, first) in ((step.reads, step.source), (step.writes, step.target)):
            need(not used or first + step.count <= self.size(rank, buffer), "chunks")
        if step.awaits[0] < 0:
            return
        others = [i for i, other in enumerate(blocks) if other.id == step.awaits[0]]
        need(others, "depid")
        other = others[0]
        need(step.awaits[1] < len(blocks[other].steps), "deps")
        # A flag is raised by steps with hasdep alone: the wait ends with the first of them that is not earlier.
        telling = [i for i, told in enumerate(blocks[other].steps) if told.tells and i >= step.awaits[1]]
        need(telling, "hasdep")
        step.after = (other, telling[0])
        need(other != place or telling[0] < number, "waits for itself")

    # ---- memory ----

    def is_one_vector(self, rank, in_place):
        if self.collective in ROOTED and rank != self.root:
            return not self.out_of_place and self.collective in ("broadcast", "reduce")
        return self.in_place if in_place else not self.out_of_place

    def cell(self, rank, place, in_place):
        buffer, chunk = place
        if buffer == "s" or not self.is_one_vector(rank, in_place):
            return (rank, buffer, chunk)
        is_block = (buffer == "i" and self.collective in ("allgather", "gather")) or (
            buffer == "o" and self.collective in ("reduce_scatter", "scatter"))
        return (rank, "v", chunk + rank * self.block if is_block else chunk)

    def cells(self, rank, place, count, in_place):
        return [self.cell(rank, (place[0], place[1] + i), in_place) for i in range(count)]

    def given(self, rank):
        """By chunk of the input: its only contribution."""
        if self.collective in ("broadcast", "scatter") and rank != self.root:
            return {}
        first = rank * self.block if self.collective in ("allgather", "gather") else 0
        return {i: ("of", rank, first + i) for i in range(self.size(rank, "i") if self.collective != "reduce" else self.chunks)}

    def wanted(self, rank):
        if self.collective in ("reduce", "gather") and rank != self.root:
            return {}
        block, ranks = self.block, range(self.ranks)
        if self.collective in ("allreduce", "reduce"):
            return {i: [("of", r, i) for r in ranks] for i in range(self.chunks)}
        if self.collective == "reduce_scatter":
            return {i: [("of", r, rank * block + i) for r in ranks] for i in range(block)}
        if self.collective in ("allgather", "gather"):
            return {i: [("of", i // block, i)] for i in range(self.chunks)}
        if self.collective == "broadcast":
            return {i: [("of", self.root, i)] for i in range(self.chunks)}
        if self.collective == "scatter":
            return {i: [("of", self.root, rank * block + i)] for i in range(block)}
        return {i: [("of", i // block, rank * block + i % block)] for i in range(self.chunks)}  # alltoall


class Run:
    """Steps happen one by one. `slots`: of each channel; None: no bound."""

    def __init__(self, schedule, in_place, slots):
        self.schedule, self.in_place, self.slots = schedule, in_place, slots
        self.memory = collections.defaultdict(lambda: collections.Counter([JUNK]))
        for rank in schedule.gpus:
            for chunk, contribution in schedule.given(rank).items():
                self.memory[self.cell(rank, ("i", chunk))] = collections.Counter([contribution])
        for rank, copies in schedule.copies.items():
            for source, into in copies:
                self.memory[self.cell(rank, ("o", into))] = self.memory[self.cell(rank, ("i", source))]
        self.inputs = {cell: content for cell, content in self.memory.items() if cell[1] == "i"}
        self.channels = collections.defaultdict(collections.deque)  # messages with the step that sent them
        self.next = {(rank, i): 0 for rank, blocks in schedule.gpus.items() for i in range(len(blocks))}
        self.before = {}  # by step: all steps that ended before it began
        self.order = []
        while any([self.advance(*block) for block in self.next]):
            pass

    def cell(self, rank, place):
        return self.schedule.cell(rank, place, self.in_place)

    def is_stuck(self):
        return any(step < len(self.schedule.gpus[rank][i].steps) for (rank, i), step in self.next.items())

    def advance(self, rank, i):
        """Whether the block's next step happened."""
        block = self.schedule.gpus[rank][i]
        number = self.next[rank, i]
        if number == len(block.steps):
            return False
        step = block.steps[number]
        before = {(rank, i, number - 1)} if number > 0 else set()
        if step.awaits[0] >= 0:
            if self.next[rank, step.after[0]] <= step.after[1]:
                return False
            before.add((rank, *step.after))
        source = self.channels[block.receive, rank, block.channel] if step.receives else None
        target = self.channels[rank, block.send, block.channel] if step.sends else None
        if source is not None and not source:
            return False
        if target is not None and self.slots is not None and len(target) >= self.slots:
            return False
        data = [self.memory[cell] for cell in self.cells(rank, step.source, step)] if step.reads else None
        if source is not None:
            message, sender = source.popleft()
            before.add(sender)
            data = [a + b for a, b in zip(message, data)] if step.reduces else message
        if step.type == "re":
            data = [a + b for a, b in zip(data, [self.memory[cell] for cell in self.cells(rank, step.target, step)])]
        if step.writes:
            self.memory.update(zip(self.cells(rank, step.target, step), data))
        me = (rank, i, number)
        if target is not None:
            target.append((data, me))
        self.before[me] = before.union(*(self.before[other] for other in before))
        self.order.append(me)
        self.next[rank, i] += 1
        return True

    def cells(self, rank, place, step):
        return self.schedule.cells(rank, place, step.count, self.in_place)

    # ---- verdicts ----

    def accesses(self):
        """By cell: steps that use it, and whether they write it."""
        uses = collections.defaultdict(list)
        for rank, i, number in self.order:
            step = self.schedule.gpus[rank][i].steps[number]
            read = self.cells(rank, step.source, step) if step.reads else []
            written = self.cells(rank, step.target, step) if step.writes else []
            if step.type == "cpy" and read == written:
                continue
            if step.type != "cpy" or read != written:
                for cell in read:
                    uses[cell].append(((rank, i, number), False))
                for cell in written:
                    uses[cell].append(((rank, i, number), True))
        return uses

    def has_race(self):
        for rank, i, number in self.order:
            step = self.schedule.gpus[rank][i].steps[number]
            if step.reads and step.writes:
                read, written = self.cells(rank, step.source, step), self.cells(rank, step.target, step)
                if read != written and set(read) & set(written):
                    return True
        for uses in self.accesses().values():
            for (one, writes), (other, also_writes) in itertools.combinations(uses, 2):
                if (writes or also_writes) and one not in self.before[other] and other not in self.before[one] and one != other:
                    return True
        return False

    def is_wrong(self):
        for rank in self.schedule.gpus:
            for chunk, contributions in self.schedule.wanted(rank).items():
                if self.memory[self.cell(rank, ("o", chunk))] != collections.Counter(contributions):
                    return True
        return any(self.memory[cell] != content for cell, content in self.inputs.items())


def verdict_of(text, in_place, slots=None):
    try:
        schedule = Schedule(text)
    except (Refused, ValueError, TypeError, ElementTree.ParseError):
        return "refused"
    whole = Run(schedule, in_place, None)
    if whole.has_race():
        return "race"
    run = whole if slots is None else Run(schedule, in_place, slots)
    if run.is_stuck():
        return "stuck"
    return "wrong" if run.is_wrong() else "right"


def least_slots(text, in_place):
    """Of a right schedule: with so many it comes to its end, and with one less it does not; at least 1."""
    schedule = Schedule(text)
    return next(slots for slots in itertools.count(1) if not Run(schedule, in_place, slots).is_stuck())
