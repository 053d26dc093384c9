#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trials a second, candidates a second and memory of tuning, with the real engine and workers.

    tests/bench/tuning_rates.py build/dev/bin/tilewright [--rounds 3] [--memory-trials 3000]

Prints for each rate the median and the spread over the rounds; with --memory-trials also how much
the resident memory of engine, build workers and runners grew after the first 500 trials.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile

ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
ap.add_argument("tilewright")
ap.add_argument("--rounds", type=int, default=3)
ap.add_argument("--memory-trials", type=int, default=0)
a = ap.parse_args()


def command(op, trials, work):
    return [a.tilewright, "tune", op, "--target", "host -num-cores=1", "--work-dir", work,
            "--max-trials-global", str(trials), "--events", "--quiet"]


def rate(op, trials, field, unit):
    values = []
    for _ in range(a.rounds):
        with tempfile.TemporaryDirectory() as d:
            r = subprocess.run(command(op, trials, d), capture_output=True, text=True, check=True)
            values.append(json.loads(r.stdout.strip().split("\n")[-1])[field])
    print(f"{op:28s} {statistics.median(values):8.1f} {unit} (from {min(values):.1f} to {max(values):.1f}, {a.rounds} rounds of {trials} trials)")


def resident(pid):
    """Resident kB of a process and of its children, by program name."""
    sizes = {}
    pids = [pid]
    while pids:
        p = pids.pop()
        try:
            with open(f"/proc/{p}/status") as f:
                fields = dict(line.split(":", 1) for line in f if ":" in line)
            name = fields["Name"].strip()
            sizes[name] = max(sizes.get(name, 0), int(fields.get("VmRSS", "0 kB").split()[0]))
            with open(f"/proc/{p}/task/{p}/children") as f:
                pids += f.read().split()
            for task in os.listdir(f"/proc/{p}/task"):
                if task != str(p):
                    with open(f"/proc/{p}/task/{task}/children") as f:
                        pids += f.read().split()
        except (FileNotFoundError, ProcessLookupError):
            pass
    return sizes


def memory():
    with tempfile.TemporaryDirectory() as d:
        process = subprocess.Popen(command("suite:gmm_128*", a.memory_trials, d) + ["--evaluator", "min-repeat-ms=1"],
                                   stdout=subprocess.PIPE, text=True)
        seen, before, after = 0, {}, {}
        for line in process.stdout:
            if '"event":"record"' not in line:
                continue
            seen += 1
            if seen == 500:
                before = resident(process.pid)
            if seen > 500 and seen % 50 == 0:
                for name, size in resident(process.pid).items():
                    after[name] = max(after.get(name, 0), size)
        process.wait()
        for name in sorted(after):
            growth = (after[name] - before.get(name, 0)) / 1024
            print(f"{name:20s} {before.get(name, 0) / 1024:7.1f} MB after 500 trials, at most {growth:+.1f} MB more until trial {seen}")


rate("suite:gmm_512*", 256, "trials_per_s", "trials/s")
rate("suite:c2d_56_64-64_k3s1p1", 128, "candidates_per_s", "candidates/s and core")
if a.memory_trials:
    memory()
