#!/usr/bin/env python3
"""Are promises kept where a table hides its law? Tables of runs of known laws (trap_kinds.py) are
loaded with `lemnos ingest` and `lemnos mine`; `recommend` is asked about them, and what it promises
is compared with re-runs by the law. Prints a table in Markdown, a row for each kind.

usage: traps.py BUILD_FOLDER [--seeds N] [--first N] [--jobs N] [--kinds A,B] [--csv FILE]
                [--answers FILE] [--document] [--keep FOLDER]
With --keep, `LEMNOS_KB=FOLDER/KIND-SEED/runs.kb lemnos explain ID` shows an answer of --answers.

Not part of the tests: it counts, and judges nothing. The same seeds give the same tables and questions.
"""
import argparse
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # nothing is left in the tree
from trap_kinds import KINDS  # noqa: E402

RERUNS = 200
BANDS = ((0.8, 0.9), (0.9, 0.95), (0.95, 0.99), (0.99, 1.01))
SUPPORT = ("inside", "edge", "outside")
# Deadlines, in multiples of the least true time on the settings that were run: of node counts that
# were run, and of more, which is what these are asked for.
SEEN_LEVELS = (0.7, 1.02, 1.15, 1.4, 2, 4)
WIDE_LEVELS = (0.3, 0.5, 0.8, 1.05, 1.4)
FAR = 1.15  # a wrong answer is far off beyond this multiple of the deadline, not just on the edge
CONFIDENCE = (0.9, 0.8, 0.9, 0.95)


class Base:
    """A knowledge base of one trap, in a folder of its own."""

    def __init__(self, lemnos, folder, name, trap):
        self.lemnos, self.folder, self.name, self.trap = lemnos, folder, name, trap
        self.kb = os.path.join(folder, "runs.kb")
        table = os.path.join(folder, "runs.csv")
        columns = list(dict.fromkeys(column for row in trap.rows for column in row))
        with open(table, "w", newline="", encoding="ascii") as f:
            writer = csv.DictWriter(f, columns, restval="", lineterminator="\n")
            writer.writeheader()
            writer.writerows(dict(row, time=trap.no_time if row["time"] == "" else row["time"]) for row in trap.rows)
        flags = ["--target", "time"]
        for flag, names in (("--problem", trap.problem), ("--tunable", trap.tunable)):
            flags += [flag, ",".join(names)] if names else []
        flags += ["--resource", ",".join(f"{c}={c}" for c in trap.resource)]
        self.must("ingest", table, "--app", name, "--machine", "there", *flags, *trap.flags)
        self.must("mine")

    def run(self, *words):
        # An own home: no settings and no base of the user's.
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "LEMNOS_KB": self.kb, "HOME": self.folder}
        return subprocess.run([self.lemnos, *words], env=env, capture_output=True, text=True, check=False)

    def must(self, *words):
        done = self.run(*words)
        if done.returncode:
            sys.exit(f"traps: {self.folder}: {' '.join(words)}: {done.stderr}")

    def words(self, problem, deadline_s, confidence, max_nodes):
        words = ["recommend", "--app", self.name, "--machine", "there", "--confidence", f"{confidence}"]
        if problem:
            words += ["--problem", ",".join(f"{k}={v}" for k, v in problem.items())]
        return words + ["--deadline", seconds(deadline_s)] + (["--max-nodes", f"{max_nodes}"] if max_nodes else [])


def seconds(t):
    return f"{t:.0f}s" if t >= 1000 else f"{t:.2f}s"


def chance(trap, c, deadline_s, seed):
    """The share of noisy re-runs of the configuration that are in time."""
    g = random.Random(f"again {seed}")
    typical = trap.law(c)
    return sum(typical * trap.noise(c, g) <= deadline_s for _ in range(RERUNS)) / RERUNS


def settings_run(trap):
    """Resources and tunables of the runs that ended, each once."""
    columns = trap.resource + trap.tunable
    seen = {tuple(row[c] for c in columns) for row in trap.rows if row["time"] != ""}
    return [dict(zip(columns, values)) for values in sorted(seen, key=str)]


def clearly_run(trap, problem, deadline_s, seed):
    """Whether a configuration of this very problem ended, always with three tenths to spare, and will."""
    times = {}
    for row in trap.rows:
        if row["time"] != "" and all(row[k] == v for k, v in problem.items()):
            times.setdefault(tuple((c, row[c]) for c in trap.resource + trap.tunable), []).append(row["time"])
    return any(max(t) <= 0.7 * deadline_s and chance(trap, {**dict(c), **problem}, deadline_s, seed) >= 0.95
               for c, t in times.items())


def ask(base, problem, deadline_s, confidence, max_nodes, seed):
    """One question, its answer and the truth about it, as a row; and the deadline it names on a no."""
    trap = base.trap
    words = base.words(problem, deadline_s, confidence, max_nodes)
    done = base.run(*words, "--format", "json")
    row = {"question": " ".join(words[5:]), "id": "", "answer": "", "support": "", "origin": "",
           "said": "", "true": "", "typical_s": "", "predicted_s": "", "lo_s": "", "hi_s": "", "deadline_s": deadline_s,
           "choice": "", "wrong": 0, "far": 0, "clear": 0, "could": 0}
    if done.returncode not in (0, 1) or not done.stdout.strip():
        row.update(answer="refused", choice=done.stderr.strip().replace("\n", " ")[:200])
        return row, None
    answer = json.loads(done.stdout)
    if answer["feasible"]:
        a = answer["recommendation"]
        c = {**a, **problem}
        in_time = chance(trap, c, deadline_s, seed)
        wrong = a["p_meet"] >= 0.8 and in_time < 0.5
        row.update(answer="submit", support=a["support"], said=a["p_meet"], true=in_time,
                   typical_s=trap.law(c), wrong=int(wrong), far=int(wrong and trap.law(c) > FAR * deadline_s))
    else:
        a = answer["best_effort"] or {}
        could = [c for c in settings_run(trap)
                 if chance(trap, {**c, **problem}, deadline_s, seed) >= 0.95]
        row.update(answer="no", support=a.get("support", ""), could=int(bool(could)),
                   clear=int(clearly_run(trap, problem, deadline_s, seed)))
    for k in ("predicted_s", "lo_s", "hi_s", "origin"):
        row[k] = a.get(k, "")
    row["id"] = answer["id"]
    row["choice"] = " ".join(f"{k}={a[k]}" for k in trap.resource + trap.tunable if k in a)
    return row, answer["feasible_deadline_s"]


def questions(trap):
    """(problem, deadline, confidence, nodes at most) of a trap."""
    i = 0
    for problem in trap.asked:
        times = [trap.law({**c, **problem}) for c in settings_run(trap)]
        least = min(times)
        if math.isinf(least):  # nothing that was run would end: what the runs took is asked for
            least = max(row["time"] for row in trap.rows if row["time"] != "")
        for levels, nodes in ((SEEN_LEVELS, 0), (WIDE_LEVELS if trap.wide else (), trap.wide)):
            for level in levels:
                yield problem, level * least, CONFIDENCE[i % len(CONFIDENCE)], nodes
                i += 1


def spring(lemnos, name, seed, folder):
    """All questions to one table. Returns rows."""
    os.makedirs(folder, exist_ok=True)
    trap = KINDS[name](random.Random(f"{name} {seed}"))
    base = Base(lemnos, folder, name, trap)
    rows = []
    named = set()
    for problem, deadline_s, confidence, nodes in questions(trap):
        mark = f"{name} {seed} {len(rows)}"
        row, possible_s = ask(base, problem, deadline_s, confidence, nodes, mark)
        rows.append(dict(kind=name, seed=seed, named=0, **row))
        # People take the deadline that a no names; once for each problem, node count and confidence.
        key = (str(problem), nodes, confidence)
        if row["answer"] == "no" and possible_s and key not in named:
            named.add(key)
            row, _ = ask(base, problem, 1.01 * possible_s, confidence, nodes, mark + " named")
            rows.append(dict(kind=name, seed=seed, named=1, **row))
    return rows


def tally(name, rows):
    """Counts of the rows of a kind, as a dict."""
    submits = [r for r in rows if r["answer"] == "submit"]
    out = {"kind": name, "questions": len(rows), "submits": len(submits),
           "wrong": sum(r["wrong"] for r in rows), "far": sum(r["far"] for r in rows),
           "tables wrong": len({(r["kind"], r["seed"]) for r in rows if r["wrong"]})}
    for s in SUPPORT:
        out["wrong " + s] = sum(r["wrong"] for r in submits if r["support"] == s)
    for least, most in BANDS:
        of = [r for r in submits if least <= r["said"] < most]
        what = f"{least:g}-{min(most, 1):g}"
        out["n " + what] = len(of)
        out["said " + what] = sum(r["said"] for r in of) / len(of) if of else ""
        out["kept " + what] = sum(r["true"] for r in of) / len(of) if of else ""
    out["no"] = sum(r["answer"] == "no" for r in rows)
    out["no, could"] = sum(r["could"] for r in rows)
    out["no, clearly run"] = sum(r["clear"] for r in rows)
    out["refused"] = sum(r["answer"] == "refused" for r in rows)
    return out


def cell(t, band):
    if not t["n " + band]:
        return ""
    return f"{100 * t['kept ' + band]:.0f} of {100 * t['said ' + band]:.0f} ({t['n ' + band]})"


PREFACE = """# Promises on tables that hide their law

Written by `make bench BENCH_PARTS=traps` (`tests/bench/traps.py`). No number here is typed by hand.

A kind is a sort of table that misleads (`tests/bench/trap_kinds.py` says how), from a law that is known. Deadlines
are multiples of the least true time on the settings that were run, and those that a no names.
*Wrong*: an answer that said 0.8 or more, where fewer than half of {reruns} re-runs are in time; *far*: of those, where
the typical time is beyond {far} times the deadline; *tables*: how many of {seeds} have a wrong answer. Answers to a
table are no independent cases. Then the wrong ones by their support, and by the probability said: the share of
re-runs in time, of the mean probability said, both in %, and how many answers. *Could*: a no, where a setting that was
run would do in 95 % of re-runs; *clearly run*: it was, on this problem, with three tenths of the deadline to spare.
"""


def markdown(tallies):
    bands = [f"{least:g}-{min(most, 1):g}" for least, most in BANDS]
    head = ["kind", "questions", "submits", "wrong", "far", "tables", "inside, edge, outside", *bands, "no", "could",
            "clearly run", "refused"]
    print("| " + " | ".join(head) + " |\n|" + " --- |" + " ---: |" * (len(head) - 1))
    for t in tallies:
        cells = [t["kind"].replace("_", " "), t["questions"], t["submits"], t["wrong"], t["far"], t["tables wrong"],
                 ", ".join(str(t["wrong " + s]) for s in SUPPORT), *(cell(t, b) for b in bands),
                 t["no"], t["no, could"], t["no, clearly run"], t["refused"]]
        print("| " + " | ".join(map(str, cells)) + " |")


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    p = argparse.ArgumentParser(description="Promises against re-runs on tables that hide their law.")
    p.add_argument("build")
    p.add_argument("--seeds", type=int, default=2, help="tables of each kind (default 2)")
    p.add_argument("--first", type=int, default=1, help="the first seed (default 1)")
    p.add_argument("--jobs", type=int, default=1, help="tables at a time (default 1)")
    p.add_argument("--kinds", default=",".join(KINDS))
    p.add_argument("--csv", help="write the counts of each kind")
    p.add_argument("--answers", help="write every question with its answer and the truth")
    p.add_argument("--document", action="store_true", help="begin with what the columns mean")
    p.add_argument("--keep", help="keep tables and bases in this folder, as KIND-SEED")
    q = p.parse_args()
    lemnos = os.path.abspath(os.path.join(q.build, "lemnos"))
    kinds = q.kinds.split(",")
    if unknown := [k for k in kinds if k not in KINDS]:
        p.error(f"no kind {', '.join(unknown)}; there are {', '.join(KINDS)}")
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(q.jobs) as pool:
        tables = [(k, s) for k in kinds for s in range(q.first, q.first + q.seeds)]
        work = [pool.submit(spring, lemnos, k, s, os.path.join(q.keep or scratch, f"{k}-{s}"))
                for k, s in tables]
        rows = [row for w in work for row in w.result()]
    tallies = [tally(k, [r for r in rows if r["kind"] == k]) for k in kinds] + [tally("all", rows)]
    if q.document:
        print(PREFACE.format(reruns=RERUNS, far=FAR, seeds=q.seeds))
    markdown(tallies)
    if q.csv:
        write(q.csv, tallies)
    if q.answers:
        write(q.answers, rows)


if __name__ == "__main__":
    main()
