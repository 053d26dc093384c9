#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole models, timed side by side in one run: untuned, tuned and, where an environment with it is
named, ONNX Runtime. Prints a table and the slowest operators of each model.

    tests/bench/model_times.py build/release/bin/tilewright MODEL.onnx … --work DIR
        [--trials N] [--threads T] [--shape NAME=1,3,48,320] [--venv DIR] [--rounds R]

Each model's records are kept in DIR/<its name>; --trials 0 only compiles what is there.
Needs Python 3 with NumPy."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

import numpy as np

ORT = r"""
import json, sys, time
import numpy as np, onnxruntime as ort
model, threads, seconds, feeds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4:]
options = ort.SessionOptions()
options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
feeds = {f.rsplit("=", 1)[0]: np.load(f.rsplit("=", 1)[1]) for f in feeds}
for _ in range(3):
    session.run(None, feeds)
times, start = [], time.perf_counter()
while len(times) < 15 or time.perf_counter() - start < seconds:
    begin = time.perf_counter()
    session.run(None, feeds)
    times.append((time.perf_counter() - begin) * 1e3)
print(json.dumps(sorted(times)[len(times) // 2]))
"""


def call(command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def feeds_for(tilewright, library, folder):
    """Random inputs for a library; its header says what it takes."""
    feeds, rng = [], np.random.default_rng(1)
    for line in open(library[:-3] + ".h"):
        if "  input \"" not in line:
            continue
        name, rest = line.split("  input \"")[1].rsplit("\", ", 1)[0], line.rsplit("\", ", 1)[1]
        dtype, shape = rest.split("[")[0], [int(x) for x in rest.split("[")[1].split("]")[0].split(",") if x.strip()]
        values = rng.uniform(-1, 1, shape) if "float" in dtype else np.zeros(shape)
        path = os.path.join(folder, f"in{len(feeds)}.npy")
        np.save(path, values.astype(dtype))
        feeds.append(f"{name}={path}")
    return feeds


def times_of(a, model, folder):
    shapes = [x for s in a.shape for x in ("--shape", s)]
    target = f"host -num-cores={a.threads}"
    work = os.path.join(a.work, os.path.basename(model))
    os.makedirs(work, exist_ok=True)
    empty = os.path.join(folder, "empty")
    os.makedirs(empty, exist_ok=True)
    if a.trials:
        call([a.tilewright, "tune", model, *shapes, "--target", target, "--work-dir", work,
              "--max-trials-global", a.trials, "--json"])
    libraries = {}
    for name, source in (("untuned", empty), ("tuned", work)):
        libraries[name] = os.path.join(folder, name + ".so")
        call([a.tilewright, "compile", model, *shapes, "--target", target, "--work-dir", source,
              "-o", libraries[name], "--json"])
    feeds = feeds_for(a.tilewright, libraries["tuned"], folder)
    inputs = [x for f in feeds for x in ("--input", f)]
    samples = {"untuned": [], "tuned": [], "ort": []}
    for _ in range(a.rounds):
        for name, library in libraries.items():
            command = [a.tilewright, "run", library, *inputs, "--output-dir", folder, "--threads",
                       a.threads, "--json", "--repeat"]
            once = call(command + [3])["median_ms"]
            samples[name].append(call(command + [max(10, int(1000 / max(once, 1e-2)))])["median_ms"])
        if a.venv:
            samples["ort"].append(call([os.path.join(a.venv, "bin/python"), "-c", ORT, model,
                                        a.threads, 1.0, *feeds]))
    profile = call([a.tilewright, "profile", model, *shapes, "--target", target, "--work-dir", work,
                    "--threads", a.threads, "--json"])
    return {k: statistics.median(v) if v else None for k, v in samples.items()}, profile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tilewright")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--work", required=True)
    parser.add_argument("--trials", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--shape", action="append", default=[])
    parser.add_argument("--venv", default="")
    parser.add_argument("--rounds", type=int, default=3)
    a = parser.parse_args()
    for model in a.models:
        with tempfile.TemporaryDirectory() as folder:
            times, profile = times_of(a, model, folder)
        ours, ort = times["tuned"], times["ort"]
        print(f"{os.path.basename(model)}: untuned {times['untuned']:.4g} ms, tuned {ours:.4g} ms "
              f"({times['untuned'] / ours:.2f} x)" + (f", ONNX Runtime {ort:.4g} ms (its time / ours {ort / ours:.2f})" if ort else ""))
        for row in profile["rows"][:8]:
            print(f"    {row['percent']:5.1f} %  {row['median_us']:9.1f} us x {row['calls']:<3} "
                  f"{row['gflops']:6.1f} GFLOP/s  {row['source']:7}  {row['name']}")


main()
