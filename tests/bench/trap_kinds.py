"""Tables of runs as people have them, each from a law that is known and that the table hides.

A kind is a function of a random generator that returns a Trap: the runs, the law behind them, and
the problems to be asked about. A law gives the typical time [s] of a configuration, infinite where
the run would fail; noise gives the factor by which one run differs from it. Whatever a kind draws,
it draws from its generator, so that a seed names a table.
"""
import itertools
import math
from dataclasses import dataclass, field

KINDS = {}


def kind(make):
    """Register a kind under the name of its function."""
    KINDS[make.__name__] = make
    return make


@dataclass
class Trap:
    problem: list  # names of columns, as in rows
    tunable: list
    resource: list  # columns named as their fields: nodes, procs, ppn, threads, gpus
    rows: list  # dicts; "time" [s] or "" where the run failed, and "status" in some
    law: object  # law(configuration) -> typical time today [s]
    noise: object  # noise(configuration, generator) -> factor of one run
    asked: list  # problems, each a dict
    wide: int = 0  # node count beyond those run, for questions that allow it; 0: none
    flags: list = field(default_factory=list)  # of `lemnos ingest`
    no_time: str = ""  # how the table writes it


def up(first, last, step=2):
    """first, first * step, ... up to last"""
    out = []
    while first <= last:
        out.append(first)
        first *= step
    return out


def cross(**axes):
    return [dict(zip(axes, values)) for values in itertools.product(*axes.values())]


def quiet(r, least=0.01, most=0.04):
    """Noise of an ordinary machine: a few per cent, and now and then a disturbed run."""
    sigma = r.uniform(least, most)

    def noise(_, g):
        return math.exp(g.gauss(0, sigma)) * (g.uniform(1.05, 1.25) if g.random() < 0.03 else 1)

    return noise


def measure(r, configurations, law, noise, repeats=1):
    """Rows of runs. repeats: how many of each, or a function of the generator."""
    rows = []
    for c in configurations:
        for _ in range(repeats(r) if callable(repeats) else repeats):
            t = law(c) * noise(c, r)
            failed = math.isinf(t)
            rows.append(dict(c, time="" if failed else float(f"{t:.4g}"),
                             status="FAILED" if failed else "COMPLETED"))
    return rows


def some(r):
    return r.choice([1, 1, 2, 3])


def grow(n, *factors):
    return [{"n": round(n * f)} for f in factors]


# --- Designs that leave the answer open ---


@kind
def weak_scaling(r):
    """Work per node kept the same in all runs; asked is one problem on more nodes."""
    per, work, halo, wait = r.choice([48, 64, 96]), r.uniform(2, 9), r.uniform(0.1, 0.8), r.uniform(0.2, 2)

    def law(c):
        side = c["n"] / 64
        return (work * side**3 / c["nodes"] + halo * 8 * side**2 / c["nodes"] ** (2 / 3)
                + wait * math.log2(2 * c["nodes"]))

    noise = quiet(r)
    runs = [{"n": round(per * k ** (1 / 3)), "nodes": k} for k in up(1, r.choice([16, 32, 64]))]
    n = runs[-1]["n"]
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                grow(n, 0.5, 1, 1.5, 2.5), 4 * runs[-1]["nodes"])


@kind
def collinear(r):
    """Cells, species and the tile grew together; asked is where they part."""
    a, b, c0 = r.uniform(0.5, 2), r.choice([1, 2]), r.uniform(0.05, 0.3)
    best = r.choice([8, 16, 64])

    def law(c):
        tile = 1 + 0.15 * math.log2(c["tile"] / best) ** 2
        return a * (c["cells"] / 1e5) * (c["species"] / 4) ** b * tile / c["nodes"] + c0 * c["nodes"]

    noise = quiet(r)
    runs = [{"cells": 100000 * k, "species": 4 * k, "tile": 8 * k, "nodes": m}
            for k in (1, 2, 4, 8) for m in up(1, 8)]
    asked = [{"cells": x * 100000, "species": y} for x, y in ((4, 16), (1, 32), (16, 8), (2, 64), (16, 64))]
    return Trap(["cells", "species"], ["tile"], ["nodes"], measure(r, runs, law, noise, some), law,
                noise, asked, 32)


@kind
def upgrade(r):
    """The setting was changed on the day of a system upgrade that changed every time."""
    gain, change = r.uniform(0.8, 1.1), r.choice([r.uniform(1.3, 1.7), r.uniform(0.55, 0.75)])
    w, c0 = r.uniform(20, 80), r.uniform(0.3, 2)

    def law(c):
        system = 1 if c.get("date", "") and c["date"] < "2025-06-14" else change
        comm = gain if c["transport"] == "ucx" else 1
        return system * comm * (w * (c["n"] / 500) ** 2 / c["nodes"] ** 0.9 + c0 * math.log2(2 * c["nodes"]))

    noise = quiet(r)
    runs = []
    for i, c in enumerate(cross(n=[500, 1000, 2000], nodes=up(1, 16))):
        for transport, month in (("verbs", 3), ("ucx", 7)):
            runs.append(dict(c, transport=transport, date=f"2025-{month + i % 3:02d}-{1 + i:02d}"))
    r.shuffle(runs)
    return Trap(["n"], ["transport"], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                grow(1000, 1, 1.5, 2, 3), 32, ["--map", "date=extra"])


@kind
def reruns(r):
    """A few runs that were made again, some time after a system upgrade that changed every time."""
    change = r.choice([r.uniform(1.15, 1.7), r.uniform(0.6, 0.85)])
    gain, w, c0 = r.uniform(0.7, 0.95), r.uniform(20, 80), r.uniform(0.3, 2)

    def law(c):
        system = 1 if c.get("date", "") and c["date"] < "2025-04-01" else change
        comm = gain if c["transport"] == "ucx" else 1
        return system * comm * (w * (c["n"] / 500) ** 2 / c["nodes"] ** 0.9 + c0 * math.log2(2 * c["nodes"]))

    noise = quiet(r)
    runs = [c for c in cross(n=[500, 1000, 2000], nodes=up(1, 16), transport=["verbs", "ucx"]) if r.random() < 0.9]
    runs = [dict(c, date=f"2025-03-{1 + i % 28:02d}") for i, c in enumerate(runs)]
    again = [dict(c, date=f"2025-{r.choice([4, 6, 8]):02d}-02") for c in r.sample(runs, r.randint(1, 3))]
    r.shuffle(runs)
    return Trap(["n"], ["transport"], ["nodes"], measure(r, runs, law, noise, some) + measure(r, again, law, noise),
                law, noise, grow(1000, 1, 1.5, 2), 16, ["--map", "date=extra"])


@kind
def never_together(r):
    """Two settings, each good alone, which nobody ran together, and which are bad together."""
    one, other, both = r.uniform(0.7, 0.85), r.uniform(0.7, 0.85), r.uniform(1.6, 3)
    w = r.uniform(30, 90)

    def law(c):
        pair = c["overlap"] == "on", c["pages"] == "huge"
        f = both if all(pair) else one if pair[0] else other if pair[1] else 1
        return f * w * (c["n"] / 400) ** 3 / c["nodes"] ** 0.92 + 0.5 * c["nodes"]

    noise = quiet(r)
    runs = [dict(c, overlap=o, pages=p) for c in cross(n=[400, 600, 800], nodes=up(1, 16))
            for o, p in (("off", "small"), ("on", "small"), ("off", "huge"))]
    runs = [c for c in runs if r.random() < 0.8]
    return Trap(["n"], ["overlap", "pages"], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                grow(800, 0.5, 1, 1.25, 2), 64)


@kind
def crossover(r):
    """Two algorithms; the one that is better in all runs is worse beyond their sizes."""
    small, large = r.uniform(1.0, 1.6), r.uniform(1.8, 2.6)
    meet = r.uniform(1.3, 3)  # where they cross, in multiples of the largest size run

    def law(c):
        x = c["n"] / 20000
        t = 60 * x**3 if c["alg"] == "direct" else 60 * meet ** (3 - small) * x**small * (1 + large / 20)
        return t / c["nodes"] ** (0.9 if c["alg"] == "direct" else 0.75) + 0.3 * c["nodes"]

    noise = quiet(r)
    runs = [c for c in cross(n=[5000, 7000, 10000, 14000, 20000], nodes=up(1, 8), alg=["direct", "iter"])
            if r.random() < 0.75]
    return Trap(["n"], ["alg"], ["nodes"], measure(r, runs, law, noise), law, noise,
                grow(20000, 0.6, 1, 2, 4), 32)


@kind
def contention(r):
    """The network is shared beyond the node counts of the runs."""
    last = r.choice([8, 16, 32])
    begin = last * r.uniform(1, 3)
    w, c0 = r.uniform(100, 400), r.uniform(0.5, 3)

    def law(c):
        jam = 1 + max(0, c["nodes"] / begin - 1) ** 1.5 * 6
        return w * (c["n"] / 1000) ** 2 / c["nodes"] + c0 * (c["n"] / 1000) * math.log2(2 * c["nodes"]) * jam

    noise = quiet(r)
    runs = cross(n=[500, 1000, 1500, 2000], nodes=up(1, last))
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                grow(2000, 0.6, 1, 1.5, 3), 8 * last)


@kind
def one_at_a_time(r):
    """One column changed at a time from a base; the settings interact."""
    mix, w = r.uniform(0.25, 0.6), r.uniform(100, 300)
    tile0 = r.choice([32, 64])

    def law(c):
        x = math.log2(c["tile"] / tile0)
        y = math.log2(c["threads"] / 4)
        f = math.exp(0.1 * x * x + 0.08 * y * y + mix * x * y * 0.5)
        return w * (c["n"] / 1000) ** 2.4 * f / c["nodes"] ** 0.85 + 0.6 * c["nodes"]

    noise = quiet(r)
    base = {"n": 1000, "nodes": 4, "tile": 32, "threads": 4}
    runs = [base] + [{**base, k: v} for k, values in (
        ("n", (500, 700, 1400, 2000)), ("nodes", (1, 2, 8, 16)), ("tile", (16, 64, 128)),
        ("threads", (1, 2, 8))) for v in values]
    return Trap(["n"], ["tile"], ["nodes", "threads"], measure(r, runs, law, noise, some), law, noise,
                grow(1000, 1, 1.5, 2, 4), 64)


@kind
def latin16(r):
    """A Latin hypercube of 16 runs on four columns."""
    w, serial = r.uniform(200, 600), r.uniform(0.005, 0.03)
    good = r.uniform(20, 100)

    def law(c):
        f = 1 + 0.2 * abs(math.log2(c["block"] / good)) ** 1.5
        return w * (c["n"] / 1000) ** 2.7 * ((1 - serial) / (c["nodes"] * c["threads"] ** 0.8) + serial) * f

    noise = quiet(r)
    columns = [r.sample(range(16), 16) for _ in range(4)]
    runs = [{"n": round(400 * 5 ** (a / 15)), "nodes": round(16 ** (b / 15)), "block": round(8 * 32 ** (c / 15)),
             "threads": round(16 ** (d / 15))} for a, b, c, d in zip(*columns)]
    return Trap(["n"], ["block"], ["nodes", "threads"], measure(r, runs, law, noise), law, noise,
                grow(2000, 0.5, 0.9, 1.5, 2.5), 64)


# --- Laws that change ---


def cached(r, boundary):
    """Stencil whose working set leaves a level of memory; boundary: cells a node where it does."""
    w, slow = r.uniform(2, 8), r.uniform(2, 5)

    def law(c):
        cells = c["n"] ** 3 / c["nodes"]
        inside = 1 / (1 + (cells / boundary) ** 8)
        return w * cells / 1e6 * (inside + slow * (1 - inside)) + 0.2 * (c["n"] / 100) ** 2 / c["nodes"] ** 0.67 + 0.5

    return law


@kind
def cliff_inside(r):
    """Memory of a node is full, and a slower one used, within the range of the runs."""
    law, noise = cached(r, r.uniform(3e6, 2e7)), quiet(r)
    runs = [c for c in cross(n=[128, 192, 256, 320, 400], nodes=up(1, 16)) if r.random() < 0.8]
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                [{"n": n} for n in (224, 360, 500, 800)], 64)


@kind
def cliff_outside(r):
    """As before, just beyond the range."""
    law, noise = cached(r, 400**3 / r.choice([1, 2]) * r.uniform(1.2, 3)), quiet(r)
    runs = [c for c in cross(n=[128, 192, 256, 320, 400], nodes=up(1, 16)) if c["n"] < 400 or c["nodes"] > 1]
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                [{"n": n} for n in (360, 480, 640, 1000)], 32)


@kind
def fft(r):
    """n log n for sizes of small factors, and much more for others; run were mostly the former."""
    w, spike = r.uniform(5, 30), r.uniform(0.5, 1.2)

    def largest_factor(n):
        f = 2
        while f * f <= n:
            if n % f:
                f += 1
            else:
                n //= f
        return n

    def law(c):
        n, most = c["n"], largest_factor(c["n"])
        f = 1 + (spike * math.log2(most / 7) if most > 7 else 0.06 * (most - 2))
        return w * (n / 256) ** 3 * math.log2(n) / 8 * f / c["nodes"] + 0.3 * (n / 256) ** 2 + 0.1 * c["nodes"]

    noise = quiet(r)
    sizes = [128, 160, 192, 256, 320, 384, 512] + r.choice([[], [150, 300], [176, 416]])
    runs = [c for c in cross(n=sizes, nodes=up(1, 16)) if r.random() < 0.8]
    asked = [{"n": n} for n in (r.choice([257, 251]), r.choice([400, 500]), 640, r.choice([509, 521]), 1000)]
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise), law, noise, asked, 64)


@kind
def gpus(r):
    """What does not fit in the memory of the GPUs is moved in and out, much slower; all runs fit."""
    fit = r.uniform(1.05, 2.5) * 40e6  # particles a GPU
    w, slow = r.uniform(5, 20), r.uniform(4, 12)

    def law(c):
        total = c["nodes"] * c["gpus"]
        load = c["particles"] * 1e6 / total
        return w * (min(load, fit) + slow * max(0, load - fit)) / 1e7 + 0.8 * math.log2(2 * total) + 0.2 * c["nodes"]

    noise = quiet(r)
    runs = [c for c in cross(particles=[10, 20, 40, 80, 160], nodes=[1, 2, 4, 8], gpus=[1, 2, 4])
            if c["particles"] <= 40 * c["nodes"] * c["gpus"]]
    return Trap(["particles"], [], ["nodes", "gpus"], measure(r, runs, law, noise, some), law, noise,
                [{"particles": p} for p in (60, 160, 320, 640, 1500)], 32)


@kind
def conflict(r):
    """Sizes whose lines fall into the same sets of a cache: powers of two, or multiples of a large one."""
    slow, w, power = r.uniform(1.5, 4), r.uniform(20, 80), r.uniform(1.8, 3)
    which = r.choice(["power", 256, 512, 1024])

    def law(c):
        n = c["n"]
        meets = n & (n - 1) == 0 if which == "power" else n % which == 0
        return w * (n / 1000) ** power * (slow if meets else 1) / c["nodes"] ** 0.92 + 0.3 * math.log2(2 * c["nodes"])

    noise = quiet(r)
    sizes = [600, 1000, 1500, 2000, 3000] + r.choice([[1024], [2048], [1024, 2048], [512, 1024, 2048]])
    runs = [c for c in cross(n=sizes, nodes=up(1, 16)) if r.random() < 0.85]
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                [{"n": n} for n in (1024, 1536, 2500, 3072, 4096)], 32)


def jumps(r, sizes, at, asked):
    """Above a size between two that were run, all work takes a multiple: another algorithm, a slower memory."""
    jump, w, power = r.uniform(2, 5), r.uniform(20, 80), r.uniform(1.5, 3)
    begins = math.exp(r.uniform(math.log(sizes[at]), math.log(sizes[at + 1])))

    def law(c):
        return (w * (c["n"] / sizes[-1]) ** power * (jump if c["n"] > begins else 1) / c["nodes"] ** 0.92
                + 0.3 * math.log2(2 * c["nodes"]))

    noise = quiet(r)
    runs = [c for c in cross(n=sizes, nodes=up(1, 16)) if r.random() < 0.85]
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise, [{"n": n} for n in asked], 32)


@kind
def jump_size(r):
    """The jump lies between two of the smaller sizes; asked is between them and beyond."""
    sizes = [1000, 1400, 2000, 2800, 4000, 5600, 8000]
    at = r.randrange(1, 5)
    between = sizes[at + 1] - sizes[at]
    return jumps(r, sizes, at, [sizes[at] + round(f * between) for f in (0.3, 0.7)] + [sizes[at + 1], 6700, 11000])


@kind
def jump_last(r):
    """The jump lies below the largest size, or the second largest."""
    sizes = [1000, 1500, 2200, 3300, 5000, 7500]
    at = r.choice([3, 4, 4])
    between = sizes[at + 1] - sizes[at]
    return jumps(r, sizes, at, [sizes[at] + round(f * between) for f in (0.25, 0.6)] + [7500, 9000, 15000])


@kind
def island(r):
    """Nodes beyond a switch pay several times as much for messages; few runs went there."""
    size, more, w, power = r.choice([4, 8]), r.uniform(3, 10), r.uniform(100, 400), r.uniform(1.8, 3)
    share = r.uniform(0.02, 0.1)

    def law(c):
        k = c["nodes"]
        message = w * share * (c["n"] / 1000) ** (power * 2 / 3) * math.log2(2 * k) / 4
        return w * (c["n"] / 1000) ** power / k**0.95 + message * (more if k > size else 1) + 0.2

    noise = quiet(r)
    runs = [c for c in cross(n=[500, 800, 1250, 2000], nodes=up(1, size)) if r.random() < 0.9]
    runs += drawn(r, r.choice([2, 3, 4]), n=[800, 1250, 2000], nodes=[2 * size, 4 * size])
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise, grow(2000, 0.6, 1, 1.5, 2), 64)


@kind
def tile_cliff(r):
    """Tiles that no longer fit into a cache take a multiple; the larger the problem, the smaller the largest that fits."""
    jump, w, power, room = r.uniform(1.5, 4), r.uniform(50, 300), r.uniform(1.8, 3), 2 ** r.uniform(15, 18)

    def law(c):
        work = w * (c["n"] / 1000) ** power * (1 + 12 / c["tile"]) / c["nodes"] ** 0.93
        return work * (jump if c["tile"] * c["n"] > room else 1) + 0.3 * math.log2(2 * c["nodes"]) + 0.2

    noise = quiet(r)
    runs = drawn(r, 70, n=[500, 800, 1250, 2000, 3200], nodes=up(1, 16), tile=[8, 16, 32, 64, 128, 256])
    return Trap(["n"], ["tile"], ["nodes"], measure(r, runs, law, noise), law, noise, grow(3200, 0.3, 0.5, 0.8, 1, 1.5), 32)


@kind
def steps_output(r):
    """Time goes with the steps, and every so many of them write a file, as many as the nodes share."""
    w, io, every = r.uniform(0.05, 0.4), r.uniform(1, 8), r.choice([100, 250, 1000])

    def law(c):
        files = c["steps"] // every
        return c["steps"] * w * (c["n"] / 500) ** 2.2 / c["nodes"] ** 0.95 + files * io * (c["n"] / 500) ** 2 + 2

    noise = quiet(r)
    runs = [c for c in cross(n=[300, 500, 800], steps=r.choice([[50, 100, 200], [10, 50, 100], [100, 300, 500]]), nodes=up(1, 16))
            if r.random() < 0.8]
    asked = [{"n": n, "steps": k} for n, k in ((500, 500), (500, 2000), (800, 10000), (600, 1000))]
    return Trap(["n", "steps"], [], ["nodes"], measure(r, runs, law, noise), law, noise, asked, 32)


@kind
def eager(r):
    """Messages above a size are sent by another protocol, at several times the cost."""
    limit, w = r.choice([16384, 65536]), r.uniform(20, 60)
    calls, jump = r.uniform(3e4, 2e5), r.uniform(2, 6)

    def law(c):
        size = 8 * c["n"] * c["width"] / c["nodes"] ** 0.5
        latency = 3e-6 * math.log2(2 * c["nodes"]) * (jump if size > limit else 1)
        return (w * (c["n"] / 1000) ** 2 * (1 + 1.5 / c["width"]) / c["nodes"] + calls * latency
                + calls * size / 8e9 * (2 if size > limit else 1))

    noise = quiet(r)
    runs = [c for c in cross(n=[500, 800, 1200, 2000], width=[1, 2, 4, 8], nodes=up(1, 16)) if r.random() < 0.5]
    return Trap(["n"], ["width"], ["nodes"], measure(r, runs, law, noise), law, noise,
                grow(2000, 0.5, 0.8, 1.5, 3, 6), 64)


@kind
def imbalance(r):
    """Particles spread unevenly: the most loaded process decides, the more so the more there are."""
    a, power, w = r.uniform(0.02, 0.12), r.uniform(1, 2), r.uniform(300, 900)

    def law(c):
        uneven = 1 + a * math.log2(c["procs"]) ** power
        return w * (c["atoms"] / 1e5) * uneven / c["procs"] ** 0.97 + 0.02 * c["procs"] ** 0.7 + 1

    noise = quiet(r, 0.02, 0.05)
    runs = [dict(c, procs=32 * c["nodes"] if full else 16 * c["nodes"]) for c in
            cross(atoms=[50000, 100000, 200000, 400000], nodes=up(1, 8)) for full in (0, 1)]
    return Trap(["atoms"], [], ["nodes", "procs"], measure(r, runs, law, noise, some), law, noise,
                [{"atoms": n} for n in (100000, 300000, 800000, 2000000)], 64, ["--cores-per-node", "32"])


@kind
def iterations(r):
    """Iterations to convergence grow with size, and of one preconditioner abruptly."""
    g, breaks, w = r.uniform(0.6, 1.2), r.uniform(0.8, 2.5) * 400, r.uniform(0.05, 0.2)

    def law(c):
        x = c["n"] / 200
        its = {"jacobi": 60 * x**g, "ilu": 25 * x ** (g / 2) * (1 + (c["n"] / breaks) ** 6)}[c["pc"]]
        its *= 1 + (0.04 * math.log2(c["nodes"]) ** 2 if c["pc"] == "ilu" else 0)
        step = (1.6 if c["pc"] == "ilu" else 1) * w * x**3 / c["nodes"] + 0.004 * math.log2(2 * c["nodes"])
        return round(its) * step + 2

    noise = quiet(r)
    runs = [c for c in cross(n=[100, 150, 200, 280, 400], pc=["jacobi", "ilu"], nodes=up(1, 16))
            if r.random() < 0.7]
    return Trap(["n"], ["pc"], ["nodes"], measure(r, runs, law, noise), law, noise, grow(400, 0.6, 1, 1.5, 2.5), 64)


@kind
def output(r):
    """A part of writing to shared disks that grows with nodes, and on some days is much slower."""
    w, io, power = r.uniform(200, 500), r.uniform(1, 6), r.uniform(0.4, 1)
    sigma, busy = r.uniform(0.02, 0.05), r.uniform(0.1, 0.3)

    def parts(c):
        return w * (c["n"] / 500) ** 3 / c["nodes"] + 3, io * (c["n"] / 500) ** 2 * c["nodes"] ** power

    def noise(c, g):
        work, disk = parts(c)
        disk *= g.uniform(2, 5) if g.random() < busy else 1
        return (work * math.exp(g.gauss(0, sigma)) + disk) / sum(parts(c))

    def law(c):
        return sum(parts(c))

    runs = cross(n=[300, 400, 500, 700], nodes=up(1, 16))
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                grow(700, 0.7, 1, 1.5, 2.5), 128)


@kind
def turnaround(r):
    """Strong scaling that turns around at or beyond the last node count run."""
    last = r.choice([8, 16, 32])
    w, at = r.uniform(100, 300), last * r.uniform(0.7, 4)

    def law(c):
        x = c["n"] / 1000
        return w * (x**3 / c["nodes"] + x**2 * c["nodes"] / at**2) + 1

    noise = quiet(r)
    runs = cross(n=[600, 800, 1000, 1300], nodes=up(1, last))
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                grow(1300, 0.6, 1, 1.5, 2), 8 * last)


@kind
def whole_blocks(r):
    """Blocks are dealt out whole, so that time falls in steps; run were counts that divide."""
    per, w = r.choice([64, 96, 128]), r.uniform(1, 5)

    def law(c):
        blocks = math.ceil(c["n"] / per) ** 2
        return w * math.ceil(blocks / (4 * c["nodes"])) * (per / 64) ** 3 + 0.3 * c["nodes"] ** 0.5

    noise = quiet(r)
    runs = cross(n=[per * k for k in (4, 8, 12, 16)], nodes=[1, 2, 4, 8, 16])
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                [{"n": per * k + 1} for k in (6, 8, 14, 24)], 64)


@kind
def start_up(r):
    """All runs so short that starting is most of their time; asked is long work."""
    start, power, w = r.uniform(5, 15), r.uniform(2.2, 3.2), r.uniform(1, 4)

    def law(c):
        return start + 0.2 * c["nodes"] + w * (c["n"] / 300) ** power / c["nodes"] ** 0.9

    noise = quiet(r)
    runs = cross(n=[50, 100, 150, 200, 300], nodes=up(1, 8))
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise, grow(300, 1, 1.5, 3, 10), 32)


# --- Runs that are not what they seem ---


@kind
def best_of(r):
    """The table has the best of several runs of each configuration, and does not say so."""
    sigma, of = r.uniform(0.08, 0.25), r.choice([3, 5, 10])
    w = r.uniform(50, 200)

    def law(c):
        tile = 1 + 0.1 * math.log2(c["tile"] / 32) ** 2
        return w * (c["n"] / 1000) ** 2 * tile / c["nodes"] ** 0.9 + 0.4 * c["nodes"]

    def noise(_, g):
        return math.exp(abs(g.gauss(0, sigma)))

    runs = cross(n=[500, 1000, 2000], tile=[16, 32, 64], nodes=up(1, 16))
    rows = []
    for c in runs:
        rows.append(min(measure(r, [c] * of, law, noise), key=lambda row: row["time"]))
    return Trap(["n"], ["tile"], ["nodes"], rows, law, noise, grow(2000, 0.5, 0.75, 1, 1.5), 32)


@kind
def memory(r):
    """Runs that failed for lack of memory, and problems at the edge of it."""
    gib, solver = r.choice([64, 128]), r.uniform(2, 4)
    w = r.uniform(20, 80)

    def law(c):
        need = 24 * (c["n"] / 1000) ** 3 * (solver if c["solver"] == "direct" else 1) / c["nodes"] + 2
        if need > gib:
            return math.inf
        f = 0.6 if c["solver"] == "direct" else 1
        return w * (c["n"] / 1000) ** 3 * f / c["nodes"] + 0.5 * math.log2(2 * c["nodes"])

    noise = quiet(r)
    runs = [c for c in cross(n=[800, 1200, 1600, 2400], nodes=up(1, 16), solver=["cg", "direct"]) if r.random() < 0.7]
    return Trap(["n"], ["solver"], ["nodes"], measure(r, runs, law, noise), law, noise,
                grow(2400, 0.6, 0.85, 1, 1.4, 2), 64)


def drawn(r, how_many, **axes):
    """Configurations, each setting drawn by itself."""
    return [{name: r.choice(values) for name, values in axes.items()} for _ in range(how_many)]


@kind
def memory_at_random(r):
    """Settings drawn at random; what is out of memory is so whatever was drawn."""
    power, limit, w = r.choice([1.5, 2, 2.5, 3]), r.uniform(0.15, 0.4), r.uniform(50, 200)

    def law(c):
        if (c["n"] / 8000) ** power / c["nodes"] > limit:
            return math.inf
        tile = 1 + 0.08 * math.log2(c["tile"] / 64) ** 2
        return w * (c["n"] / 4000) ** 2.5 * tile * (1.2 if c["order"] == "row" else 1) / c["nodes"] ** 0.9 + 1

    noise = quiet(r)
    runs = drawn(r, 60, n=[1000, 1500, 2000, 3000, 4000, 6000, 8000], nodes=up(1, 16), tile=[16, 32, 64, 128],
                 order=["row", "column"])
    return Trap(["n"], ["tile", "order"], ["nodes"], measure(r, runs, law, noise), law, noise,
                grow(8000, 0.4, 0.6, 0.85, 1, 1.4), 64)


@kind
def width(r):
    """The problem is the width of a cell: the smaller, the more work and memory; and a tolerance."""
    power, limit, w = r.choice([2, 3]), r.uniform(0.6, 2.4), r.uniform(20, 90)

    def law(c):
        cells = (10 / c["dx"]) ** power
        if cells / c["nodes"] > limit:
            return math.inf
        steps = 1 - 0.15 * math.log10(c["tol"] / 1e-4)
        return w * cells * steps * (1 + 4 / c["tile"]) / c["nodes"] ** 0.9 + 0.5 * math.log2(2 * c["nodes"])

    noise = quiet(r)
    runs = drawn(r, 70, dx=[4, 5, 6, 8, 10, 12, 16], tol=[1e-4, 1e-6], nodes=up(1, 16), tile=[8, 16, 32])
    asked = [{"dx": x, "tol": 1e-6} for x in (3.2, 4, 5, 7, 8)]
    return Trap(["dx", "tol"], ["tile"], ["nodes"], measure(r, runs, law, noise), law, noise, asked, 64)


@kind
def unmarked(r):
    """Failures for lack of memory per node, written as 0, NA or nothing, and no column says how runs ended."""
    gib, power, w = r.choice([64, 128]), r.choice([2, 3]), r.uniform(20, 200)
    need, scaling = gib / 2400**power * r.uniform(1.2, 6), r.uniform(0.8, 1)

    def law(c):
        if need * c["n"] ** power * (1.5 if c["solver"] == "direct" else 1) / c["nodes"] + 2 > gib:
            return math.inf
        f = 0.7 if c["solver"] == "direct" else 1
        return w * (c["n"] / 1000) ** 3 * f / c["nodes"] ** scaling + 0.5 * math.log2(2 * c["nodes"])

    noise = quiet(r)
    grid = cross(n=[800, 1200, 1600, 2400], nodes=up(1, r.choice([8, 16])), solver=["cg", "direct"])
    runs = [c for c in grid if r.random() < 0.7] * r.choice([1, 1, 2])
    rows = measure(r, runs, law, noise)
    for row in rows:
        del row["status"]
    return Trap(["n"], ["solver"], ["nodes"], rows, law, noise, grow(2400, 0.6, 0.85, 1, 1.4, 2), 64,
                no_time=r.choice(["0", "NA", ""]))


@kind
def shares(r):
    """A run fails if the tile does not divide what each node has."""
    w = r.uniform(50, 200)

    def law(c):
        if c["n"] // c["nodes"] % c["tile"]:
            return math.inf
        return w * (c["n"] / 4000) ** 2.5 * (1 + 10 / c["tile"]) / c["nodes"] ** 0.9 + 1

    noise = quiet(r)
    runs = drawn(r, 70, n=[960, 1440, 1920, 2880, 3840, 5760, 7680], nodes=up(1, 16), tile=[16, 32, 48, 64, 96])
    return Trap(["n"], ["tile"], ["nodes"], measure(r, runs, law, noise), law, noise,
                grow(7680, 0.375, 0.5, 0.75, 1), 32)


@kind
def by_chance(r):
    """A share of single runs fails, whatever is asked of them."""
    chance, w = r.uniform(0.1, 0.3), r.uniform(50, 200)
    factor = quiet(r)

    def law(c):
        return w * (c["n"] / 4000) ** 2.5 * (1 + 10 / c["tile"]) / c["nodes"] ** 0.9 + 1

    def noise(c, g):
        return math.inf if g.random() < chance else factor(c, g)

    runs = cross(n=[1000, 2000, 4000, 8000], nodes=up(1, 16), tile=[16, 32, 64])
    return Trap(["n"], ["tile"], ["nodes"], measure(r, runs, law, noise), law, noise,
                grow(8000, 0.4, 0.6, 0.85, 1, 1.4), 32)


@kind
def dying_nodes(r):
    """A run dies with any of its nodes: the more of these, and the longer, the more do."""
    w, factor = r.uniform(50, 200), quiet(r)
    between = w * 5.6 * r.uniform(2, 8)  # node-seconds between failures

    def law(c):
        return w * (c["n"] / 4000) ** 2.5 * (1 + 10 / c["tile"]) / c["nodes"] ** 0.9 + 1

    def noise(c, g):
        return factor(c, g) if g.random() < math.exp(-law(c) * c["nodes"] / between) else math.inf

    runs = cross(n=[1000, 2000, 4000, 8000], nodes=up(1, 16), tile=[16, 32, 64])
    return Trap(["n"], ["tile"], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                grow(8000, 0.4, 0.6, 0.85, 1, 1.4, 2), 32)


@kind
def uneven_nodes(r):
    """A share of the nodes is slow, which nobody knows; the slowest that a job gets decides."""
    share, slow, w = r.uniform(0.03, 0.15), r.uniform(1.2, 1.7), r.uniform(100, 400)
    sigma = r.uniform(0.01, 0.03)

    def law(c):
        return w * (c["n"] / 1000) ** 3 / c["nodes"] + 0.6 * math.log2(2 * c["nodes"])

    def noise(c, g):
        return math.exp(g.gauss(0, sigma)) * (slow if g.random() > (1 - share) ** c["nodes"] else 1)

    runs = cross(n=[600, 1000, 1400], nodes=up(1, 8))
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise, grow(1400, 0.7, 1, 1.5, 2), 32)


@kind
def noise_of_nodes(r):
    """Runs vary by a per cent or two on a node, and by tens of per cent on many."""
    w, most = r.uniform(100, 400), r.uniform(0.15, 0.4)

    def law(c):
        return w * (c["n"] / 1000) ** 2.5 / c["nodes"] ** 0.95 + 0.3 * c["nodes"] ** 0.5

    def noise(c, g):
        return math.exp(abs(g.gauss(0, 0.02 + most * math.log2(c["nodes"]) / 6)))

    runs = cross(n=[500, 1000, 2000], nodes=up(1, 32))
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                grow(2000, 0.5, 0.75, 1, 1.5), 128)


@kind
def drift(r):
    """The machine became slower all through the campaign, which grew from small to large."""
    by, w = r.uniform(0.2, 0.6), r.uniform(50, 200)
    mixed = r.random() < 0.5

    def law(c):
        slower = 1 + by * c.get("day", 100) / 100
        return slower * (w * (c["n"] / 1000) ** 2.2 / c["nodes"] ** 0.9 + 0.5 * c["nodes"])

    noise = quiet(r)
    runs = cross(n=[500, 700, 1000, 1400, 2000], nodes=up(1, 16))
    if mixed:
        r.shuffle(runs)
    runs = [dict(c, day=round(100 * i / len(runs)) + 30 * k) for i, c in enumerate(runs) for k in range(2)]
    runs = [c for c in runs if c["day"] <= 100]
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise), law, noise, grow(2000, 0.5, 1, 1.5, 2), 64,
                ["--map", "day=extra"])


@kind
def by_name(r):
    """Problems by name: nobody tells how large they are, nor which scale."""
    names = ["hull", "wing", "engine", "city", "fan"]
    w = {k: r.uniform(50, 2000) for k in names}
    part = {k: r.uniform(0.002, 0.1) for k in names}

    def law(c):
        return w[c["deck"]] * ((1 - part[c["deck"]]) / c["nodes"] + part[c["deck"]]) + 0.4 * c["nodes"]

    noise = quiet(r)
    runs = [c for c in cross(deck=names, nodes=up(1, 16)) if r.random() < (0.3 if c["deck"] == "fan" else 0.8)]
    runs += [{"deck": "fan", "nodes": 2}]
    return Trap(["deck"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                [{"deck": k} for k in ("hull", "engine", "fan")], 64)


@kind
def numbered(r):
    """Problems by number (of a deck, a case): a number between says nothing of the work."""
    decks = sorted(r.sample(range(1, 40), r.choice([8, 10, 14])))
    w = {k: 600 * math.exp(r.gauss(0, 0.9)) for k in range(1, 41)}

    def law(c):
        return w[c["deck"]] * (c["nodes"] ** -0.9 + 0.02)

    noise = quiet(r)
    between = [k for k in range(decks[0], decks[-1]) if k not in decks]
    runs = [c for c in cross(deck=decks, nodes=up(1, 16)) if r.random() < 0.9]
    return Trap(["deck"], [], ["nodes"], measure(r, runs, law, noise), law, noise,
                [{"deck": k} for k in r.sample(between, 3)], 16)


@kind
def cut(r):
    """Runs were cut at a time limit, which their rows tell."""
    w, limit = r.uniform(400, 1500), r.choice([600, 1200])
    stuck = r.uniform(2, 4)

    def law(c):
        f = stuck if c["mode"] == "robust" and c["n"] > 900 else 1.1 if c["mode"] == "robust" else 1
        return w * (c["n"] / 1000) ** 3 * f / c["nodes"] ** 0.9 + 2

    noise = quiet(r)
    runs = [c for c in cross(n=[500, 700, 1000, 1400], nodes=up(1, 16), mode=["fast", "robust"]) if r.random() < 0.7]
    rows = measure(r, runs, law, noise)
    for row in rows:
        if row["time"] > limit:
            row.update(time=limit, status="TIMEOUT")
    return Trap(["n"], ["mode"], ["nodes"], rows, law, noise, grow(1400, 0.6, 1, 1.5, 2), 64)


@kind
def three_together(r):
    """Of three settings every two were run together, all three never, and these are bad."""
    gain, bad, w = [r.uniform(0.75, 0.9) for _ in range(3)], r.uniform(1.7, 3), r.uniform(50, 150)

    def law(c):
        on = [c[k] == "yes" for k in ("fuse", "async", "pin")]
        f = bad if all(on) else math.prod(g for g, is_on in zip(gain, on) if is_on)
        return f * w * (c["n"] / 500) ** 3 / c["nodes"] ** 0.92 + 0.5 * c["nodes"]

    noise = quiet(r)
    runs = [c for c in cross(n=[300, 500, 700], nodes=up(1, 16), fuse=["no", "yes"], **{"async": ["no", "yes"]},
                             pin=["no", "yes"])
            if "no" in (c["fuse"], c["async"], c["pin"]) and r.random() < 0.7]
    return Trap(["n"], ["fuse", "async", "pin"], ["nodes"], measure(r, runs, law, noise), law, noise,
                grow(700, 0.6, 1, 1.5), 64)


@kind
def blown_up(r):
    """Runs that diverged and were over soon, which nothing but a column beside them tells."""
    steps, w, c0 = r.choice([400, 1000, 2500]), r.uniform(100, 600), r.uniform(0.2, 1.5)
    sizes, nodes = [200, 300, 400, 600, 800], up(1, 32)
    sick = {(n, r.choice(nodes[1:])) for n in sizes for _ in range(r.choice([0, 1, 1]))}
    per_n, part = r.random() < 0.4, r.choice([0.04, 0.2, 0.4])
    says = r.choice(["steps", "residual", "fit", "all"])

    def asked_steps(n):
        return steps * n // 200 if per_n else steps

    def whole(c):
        time = w * (c["n"] / 400) ** 3 / c["nodes"] ** 0.93 + c0 * math.log2(2 * c["nodes"])
        return time * asked_steps(c["n"]) / asked_steps(400)

    def law(c):
        return math.inf if (c["n"], c["nodes"]) in sick else whole(c)

    noise = quiet(r)
    rows = []
    for c in cross(n=sizes, nodes=nodes):
        blows_up = math.isinf(law(c))
        done = part * r.uniform(0.7, 1.4) if blows_up else 1
        row = dict(c, time=float(f"{whole(c) * done * noise(c, r):.4g}"))
        if says in ("steps", "all"):
            row["steps"] = max(1, round(done * asked_steps(c["n"])))
        if says in ("residual", "all"):
            row["residual"] = f"{10 ** (r.uniform(20, 30) if blows_up else r.uniform(-9, -6)):.2e}"
        if says in ("fit", "all"):
            row["fit"] = "no" if blows_up else "yes"
        rows.append(row)
    return Trap(["n"], [], ["nodes"], rows, law, noise, grow(800, 0.375, 0.5, 0.75, 1, 1.25), 64)


@kind
def copies(r):
    """Each process holds a copy of its data: out of memory by the processes on a node."""
    gib, w, per = r.choice([64, 128, 256]), r.uniform(100, 500), r.uniform(1, 3)

    def law(c):
        if c["ppn"] * per * (c["n"] / 1000) ** 2 + 5 > gib:
            return math.inf
        cores = c["nodes"] * c["ppn"] * c["threads"] ** 0.8
        return w * (c["n"] / 1000) ** 3 / cores**0.93 + 0.3 * math.log2(2 * c["nodes"]) + 1

    noise = quiet(r)
    runs = drawn(r, 60, n=[700, 1000, 1500, 2000, 3000], nodes=up(1, 8), ppn=up(1, 32))
    runs = [dict(c, threads=32 // c["ppn"]) for c in runs]
    return Trap(["n"], [], ["nodes", "ppn", "threads"], measure(r, runs, law, noise), law, noise,
                grow(3000, 0.4, 0.7, 0.9, 1, 1.3), 16)


@kind
def builds(r):
    """A third of the runs was made with a debug build, which a column says that nobody declared."""
    slow, w, sigma = r.uniform(1.5, 4), r.uniform(100, 400), r.uniform(0.01, 0.04)

    def law(c):
        return w * (c["n"] / 1000) ** 2.5 / c["nodes"] ** 0.9 + 0.4 * math.log2(2 * c["nodes"]) + 1

    def noise(c, g):
        build = c.get("build") or g.choice(["opt", "debug"])
        return math.exp(g.gauss(0, sigma)) * (slow if build == "debug" else 1)

    runs = [dict(c, build=r.choice(["opt", "opt", "debug"])) for c in cross(n=[500, 1000, 1500, 2000], nodes=up(1, 16))]
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise, grow(2000, 0.5, 0.75, 1, 1.5), 32,
                ["--map", "build=extra"])


@kind
def another_user(r):
    """The largest size was run by somebody else, with a faster version, which a column of users tells."""
    faster, w = r.uniform(0.4, 0.7), r.uniform(100, 300)

    def law(c):
        return w * (c["n"] / 1000) ** 2.8 / c["nodes"] ** 0.93 + 0.4 * c["nodes"] ** 0.6

    noise = quiet(r)
    rows = [dict(row, user="lee") for row in measure(r, cross(n=[500, 700, 1000, 1400], nodes=up(1, 16)), law, noise)]
    rows += [dict(row, user="kim") for row in
             measure(r, cross(n=[2000], nodes=up(1, 16)), lambda c: faster * law(c), noise)]
    return Trap(["n"], [], ["nodes"], rows, law, noise, grow(2000, 0.7, 1, 1.5), 64, ["--map", "user=extra"])


@kind
def day_and_night(r):
    """By day the machine's disks and network are shared with more, which dates of the runs tell; a job starts when it does."""
    slow, w, power = r.uniform(1.3, 2), r.uniform(20, 100), r.uniform(1.5, 2.5)
    from_hour, until = r.choice([7, 8, 9]), r.choice([17, 18, 20])

    def law(c):
        return w * (c["n"] / 1000) ** power / c["nodes"] ** 0.9 + 0.4 * math.log2(2 * c["nodes"]) + 1

    factor = quiet(r)

    def noise(c, g):
        hour = int(c["start"][11:13]) if "start" in c else g.randrange(24)
        return factor(c, g) * (slow if from_hour <= hour < until else 1)

    runs = [dict(c, start=f"2025-03-{r.randint(3, 28):02d}T{r.randrange(24):02d}:{r.randrange(60):02d}:00")
            for c in cross(n=[500, 1000, 1500, 2000], nodes=up(1, 16)) for _ in range(r.choice([1, 2, 3]))]
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise), law, noise, grow(2000, 0.5, 0.75, 1, 1.5), 32)


# --- Columns on a scale of their own ---


@kind
def refinement(r):
    """Every level of refinement costs a factor; asked is within the levels that were run, and the next."""
    last, growth, w = r.choice([3, 4, 4, 5]), 2 ** r.uniform(1, 3), r.uniform(20, 100)
    c0, start = r.uniform(0.2, 1), r.choice([0, 0, r.uniform(1, 10)])

    def law(c):
        work = w * growth ** (c["level"] - 2) * (c["n"] / 200) ** 2
        return start + work / c["nodes"] ** 0.92 + c0 * math.log2(2 * c["nodes"])

    noise = quiet(r)
    runs = [c for c in cross(level=list(range(1, last + 1)), n=[100, 200, 300], nodes=up(1, 16)) if r.random() < 0.8]
    asked = [{"level": k, "n": n} for k, n in ((last - 1, 150), (last, 200), (last + 1, 200), (last + 1, 100))]
    return Trap(["level", "n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise, asked, 32)


@kind
def percent(r):
    """Work that grows without bound as a percentage, or a share, comes towards the whole."""
    whole, steep, w = r.choice([1, 100]), r.choice([0.7, 1, 1, 1.5]), r.uniform(10, 60)
    c0, start = r.uniform(0.2, 1), r.choice([0, 0, r.uniform(1, 10)])

    def law(c):
        left = 1 - c["fill"] / whole
        return start + w * (c["n"] / 1000) ** 2 / left**steep / c["nodes"] ** 0.9 + c0 * math.log2(2 * c["nodes"])

    noise = quiet(r)
    fills = r.choice([[10, 25, 50, 75], [20, 40, 60, 80], [50, 70, 80, 90], [30, 50, 60, 70, 80, 90]])

    def share(x):
        return x if whole == 100 else round(x / 100, 4)

    runs = [c for c in cross(fill=[share(x) for x in fills], n=[500, 1000, 2000], nodes=up(1, 16)) if r.random() < 0.8]
    left = 100 - fills[-1]
    asked = [{"fill": share(x), "n": n}
             for x, n in ((fills[-1] - left / 2, 1000), (fills[-1], 1500), (100 - left / 2, 1000), (100 - left / 5, 1000))]
    return Trap(["fill", "n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise, asked, 32)


@kind
def small_sizes(r):
    """Sizes that are small whole numbers, as levels of a refinement are, and time a power law of them, beside a start-up."""
    sizes, power = r.choice([[10, 20, 30, 40, 50, 60], [8, 12, 16, 24, 32], [2, 3, 4, 6, 8], [4, 6, 8, 10, 12]]), r.uniform(1, 4)
    w, start, c0 = r.uniform(20, 100), r.choice([0, r.uniform(1, 10), r.uniform(10, 40)]), r.uniform(0.2, 1)
    top = sizes[-1]

    def law(c):
        return start + w * (c["n"] / top) ** power / c["nodes"] ** 0.92 + c0 * math.log2(2 * c["nodes"])

    noise = quiet(r)
    runs = [c for c in cross(n=sizes, nodes=up(1, 16)) if r.random() < 0.8]
    return Trap(["n"], [], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                [{"n": n} for n in (sizes[-2] + 1, top, top * 5 // 4, top * 3 // 2, top * 2)], 32)


@kind
def never(r):
    """A column in which 0 means never, and less of anything else more work."""
    w, io = r.uniform(100, 300), r.uniform(0.2, 1)

    def law(c):
        files = 1000 / c["every"] if c["every"] else 0
        return w * (c["n"] / 1000) ** 3 / c["nodes"] ** 0.93 + io * files * (c["n"] / 1000) ** 2 + 1

    noise = quiet(r)
    runs = [c for c in cross(n=[500, 700, 1000, 1400], every=[0, 10, 50], nodes=up(1, 16)) if r.random() < 0.8]
    return Trap(["n", "every"], [], ["nodes"], measure(r, runs, law, noise), law, noise,
                [{"n": 1000, "every": e} for e in (0, 5, 20, 1, 200)] + [{"n": 1800, "every": 1}], 32)


@kind
def no_limit(r):
    """A column in which 0 means no limit, with runs of it or without."""
    w, power, whole = r.uniform(100, 300), r.uniform(0.3, 1), r.choice([500, 2000])
    limits = r.choice([[0, 50, 100, 200], [50, 100, 200]])

    def law(c):
        part = min(c["limit"] or whole, whole) / 100
        return w * (c["n"] / 1000) ** 2.5 * part**power / c["nodes"] ** 0.93 + 1

    noise = quiet(r)
    runs = [c for c in cross(n=[500, 700, 1000, 1400], limit=limits, nodes=up(1, 16)) if r.random() < 0.7]
    asked = [{"n": n, "limit": k} for n, k in ((1000, 0), (500, 0), (1800, 0), (1000, 10), (1000, 70), (1000, 1500))]
    return Trap(["n", "limit"], [], ["nodes"], measure(r, runs, law, noise), law, noise, asked, 32)


@kind
def one_amount(r):
    """None of something was run, and one amount of it; asked are others."""
    w, power, unit = r.uniform(100, 300), r.uniform(-1, 1), r.choice([8, 100])

    def law(c):
        f = 1.5 * (c["k"] / unit) ** power if c["k"] else 1
        return w * (c["n"] / 1000) ** 2.5 * f / c["nodes"] ** 0.93 + 1

    noise = quiet(r)
    runs = [c for c in cross(n=[500, 700, 1000, 1400], k=[0, unit], nodes=up(1, 16)) if r.random() < 0.8]
    return Trap(["n", "k"], [], ["nodes"], measure(r, runs, law, noise), law, noise,
                [{"n": 1000, "k": k} for k in (0, unit, unit // 2, unit // 8, 4 * unit)], 32)


@kind
def few_runs(r):
    """One to four configurations are all that was run."""
    power, alpha, w, c0 = r.uniform(1, 3), r.uniform(0.5, 1), r.uniform(60, 600), r.uniform(0, 2)

    def law(c):
        f = 1 + 0.15 * abs(math.log2(c["tile"] / 32))
        return w * (c["n"] / 1000) ** power * f / c["nodes"] ** alpha + c0 * math.log2(2 * c["nodes"]) + 1

    noise = quiet(r)
    tiles = r.choice([[32], [16, 32, 64]])
    runs = r.sample(cross(n=[500, 1000, 2000], nodes=up(1, 8), tile=tiles), r.choice([1, 2, 2, 3, 3, 4, 4]))
    largest = max(c["n"] for c in runs)
    return Trap(["n"], ["tile"], ["nodes"], measure(r, runs, law, noise, some), law, noise,
                grow(largest, 0.5, 0.7, 1, 1.5), 16)


@kind
def died_largest(r):
    """All runs of the largest size died within seconds, on any nodes, and no column says so."""
    w, died = r.uniform(30, 200), r.uniform(2, 8)
    sizes = r.choice([[1000, 1500, 2000, 3000, 4000], [1000, 2000, 4000], [64, 96, 128, 192],
                      [1000, 1400, 2000, 2800, 4000, 5600, 8000]])

    def law(c):
        return w * (c["n"] / sizes[0]) ** 2 / c["nodes"] + 0.5 * c["nodes"] + 3

    noise = quiet(r)
    rows = measure(r, cross(n=sizes, nodes=up(1, 16)), law, noise, some)
    for row in rows:
        if row["n"] == sizes[-1]:
            row.update(time=float(f"{died * r.uniform(0.9, 1.1):.4g}"))
    return Trap(["n"], [], ["nodes"], rows, law, noise,
                [{"n": n} for n in (sizes[-2], sizes[-1], round(0.9 * sizes[-1]))], 0)


@kind
def died_by_level(r):
    """Runs of one solver died within seconds from some size on, on any nodes."""
    w, died, first = r.uniform(30, 200), r.uniform(2, 8), r.choice([3000, 4500, 7000])

    def law(c):
        if c["solver"] == "gpu" and c["n"] >= first:
            return math.inf
        return w * (c["n"] / 1000) ** 2 / c["nodes"] * (0.6 if c["solver"] == "gpu" else 1) + 3

    noise = quiet(r)
    rows = measure(r, cross(n=[1000, 1500, 2000, 3000, 4500, 7000], solver=["cpu", "gpu"], nodes=up(1, 8)),
                   law, noise, some)
    for row in rows:
        if row["time"] == "":
            row.update(time=float(f"{died * r.uniform(0.9, 1.1):.4g}"), status="COMPLETED")
    return Trap(["n"], ["solver"], ["nodes"], rows, law, noise, [{"n": n} for n in (1500, 4500, 7000)], 0)


@kind
def stand_in(r):
    """A number stands where a run failed for lack of memory, as tuners write it, and no column says so."""
    w, fits, number = r.uniform(100, 300), r.uniform(1.2, 3), r.choice([9999, 99999, 1e6])

    def law(c):
        if (c["n"] / 1000) ** 2 > fits * c["nodes"]:
            return math.inf
        return w * (c["n"] / 1000) ** 2.5 / c["nodes"] ** 0.95 * (1.2 if c["tile"] == 64 else 1) + 2

    noise = quiet(r)
    rows = measure(r, cross(n=[1000, 1400, 2000, 2800], nodes=up(1, 16), tile=[32, 64]), law, noise)
    for row in rows:
        if row["time"] == "":
            row.update(time=number, status="COMPLETED")
    return Trap(["n"], ["tile"], ["nodes"], rows, law, noise, grow(2800, 0.6, 1, 1.3), 32)
