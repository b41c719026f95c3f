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
    extra: dict = field(default_factory=dict)  # what the law needs and no question names


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
