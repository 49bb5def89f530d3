#!/usr/bin/env python3
"""Runs the project's server and its peers side by side and prints Markdown tables.

    compare.py session-return     sessions of known users: onside, gRPC C++, the limit
    compare.py session-create     sessions of new users, durable: onside, gRPC C++ (in memory)
    compare.py product-filter     100 identifiers a call, --products N on both sides
    compare.py handshake          a connection and a session each, full and resumed
    compare.py idle               memory per idle connection, and CPU while nothing happens
    compare.py closing            a caller's latency while 10,000 others close at once
    compare.py attacks            a caller's latency beside peers that do harm
    compare.py deadline           how late 1,000 calls end whose deadline passes at once
    compare.py enumeration        whether known users are answered slower than others
    compare.py memory             whether memory grows with a million calls
    compare.py limit              the bare limit alone
    compare.py all                all of them, one after the other
    compare.py custom --add ...   only what is added

A further contestant joins any of them:

    compare.py session-return --add mine --server 'CMD --port {port}' \\
        --client 'CMD --port {port} --pid {pid} --connections {connections} --json'

Commands aren't given to a shell. Placeholders: {port}, {pid} (of the server), {cert}, {key}, {ca},
{folder} (empty, removed afterwards), {connections}, {in_flight}, {seconds}, {warmup}. The client
prints one JSON object, see README.md.

Each round runs every contestant once, with a fresh server, one after the other; the order is
reversed from round to round. Ratios are computed within a round.
"""

import argparse
import json
import os
import pathlib
import platform
import shlex
import signal
import subprocess
import sys

from comparison import tables
from comparison.contestants import TARGETS, Contestant
from comparison.figures import FIGURES, run_figures
from comparison.running import RunFailed, run_once

HERE = pathlib.Path(__file__).resolve().parent


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target", choices=[*TARGETS, *FIGURES, "all"])
    parser.add_argument("--add", action="append", default=[], metavar="NAME")
    parser.add_argument("--server", action="append", default=[], metavar="CMD")
    parser.add_argument("--client", action="append", default=[], metavar="CMD")
    parser.add_argument("--only", metavar="NAME,…", help="of the contestants, these only")
    parser.add_argument("--reference", metavar="NAME", help="default: the target's own")
    parser.add_argument("--load", metavar="CxF", help="connections x calls in flight on each")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--warmup", type=float, default=1)
    parser.add_argument("--products", type=int, default=1_000_000, help="size of the catalogues")
    parser.add_argument("--clients", type=int, help="of closing (10,000); calls of deadline (1,000) and"
                        " memory (1,000,000); users of enumeration (200)")
    parser.add_argument("--server-core", type=int, default=0, help="-1: not pinned")
    parser.add_argument("--client-core", type=int, default=1, help="-1: not pinned")
    parser.add_argument("--idle-wait", type=float, default=10, help="seconds to wait for a quiet")
    parser.add_argument("--build", default=str(HERE / "build"), help="where the peers are")
    parser.add_argument("--binaries", default=str(HERE.parent / ".build/release"))
    parser.add_argument("--cert", help="default: cert.pem of the build folder; so for the others")
    parser.add_argument("--key")
    parser.add_argument("--ca", help="default: the certificate itself")
    parser.add_argument("--alpn", default="h2,onside/1", help="what the TLS probe offers")
    parser.add_argument("--json", metavar="FILE", help="also write every run's result there")
    parser.add_argument("--write", metavar="FILE", help="also put the tables into this page")
    options = parser.parse_args()
    if not len(options.add) == len(options.server) == len(options.client):
        parser.error("each --add needs one --server and one --client")
    if options.rounds < 1 or options.seconds <= 0 or options.warmup < 0 or options.products < 1000:
        parser.error("rounds and seconds have to be positive, products at least 1000")
    options.cert = options.cert or f"{options.build}/cert.pem"
    options.key = options.key or f"{options.build}/key.pem"
    options.ca = options.ca or options.cert
    return options


def parse_loads(text):
    try:
        loads = [tuple(map(int, load.split("x"))) for load in text.split(",")]
    except ValueError:
        loads = []
    if not loads or any(len(load) != 2 or min(load) < 1 for load in loads):
        sys.exit(f"--load {text}: CONNECTIONSxIN_FLIGHT expected, as in 64x1,64x16")
    return loads


def make_catalogue(options, products):
    """The project's catalogue file, and the identifiers for its load; made once."""
    options.catalogue = f"{options.build}/catalogue-{products}.jsonl"
    options.identifiers = f"{options.build}/products-{products}.txt"
    if pathlib.Path(options.identifiers).exists():
        return
    tool = f"{options.binaries}/onside-catalogue"
    more = ["--products", str(products), "--output", options.catalogue]
    try:
        subprocess.run([tool, "generate", *more], check=True)
    except FileNotFoundError:
        sys.exit(f"{tool} isn't there: build with `swift build -c release` first")
    # The kinds are with them, so that the load knows what each answer has to be. Under another name
    # first: a file that is there is whole.
    part = options.identifiers + ".part"
    with open(options.catalogue) as lines, open(part, "w") as names:
        for line in map(json.loads, lines):
            if "id" in line:
                names.write(f"{line['id']} {line['kind']}\n")
    os.replace(part, options.identifiers)


def chosen_contestants(target, options):
    contestants = list(target.contestants)
    for name, server, client in zip(options.add, options.server, options.client):
        contestants.append(Contestant(name, shlex.split(server), shlex.split(client)))
    if options.only:
        wanted = options.only.split(",")
        contestants = [contestant for contestant in contestants if contestant.name in wanted]
    names = [contestant.name for contestant in contestants]
    if not names or len(set(names)) < len(names):
        sys.exit("contestants are needed, each with a name of its own")
    return contestants, names


def run_rounds(contestants, load, options):
    """Contestant's name -> round -> result."""
    results = {contestant.name: {} for contestant in contestants}
    for round_number in range(options.rounds):
        order = contestants if round_number % 2 == 0 else contestants[::-1]
        for contestant in order:
            try:
                result = run_once(contestant, load, options)
            except (RunFailed, OSError) as failure:
                print(f"{contestant.name}: {failure}", file=sys.stderr)
                continue
            results[contestant.name][round_number] = result
            print(
                f"round {round_number + 1} {contestant.name}: {tables.number(result['rate'])}/s,"
                f" server {tables.number(result['server_us'])} µs",
                file=sys.stderr,
            )
    return results


def run_target(name, options):
    """Returns the runs, and whether all of them gave a result without a failed call."""
    if name in FIGURES:
        return run_figure_target(name, options)
    if name in ("limit", "custom"):
        options.catalogue = options.identifiers = None  # nobody needs one
    else:
        make_catalogue(options, options.products if name == "product-filter" else 10_000)
    target = TARGETS[name](options)
    contestants, names = chosen_contestants(target, options)
    reference = options.reference or target.reference
    reference = reference if reference in names else names[0]
    texts, runs, complete = [], [], True
    for load in parse_loads(options.load or target.loads):
        results = run_rounds(contestants, load, options)
        title = f"{name}: {load[0]} connections × {load[1]} in flight"
        parts = [tables.table(title, results, reference, options)]
        bars = tables.bar_lines(target.bars, f"{load[0]}x{load[1]}", results)
        parts += ["\n".join(bars)] if bars else []
        parts.append("\n".join(tables.command_lines(results, HERE.parent)))
        texts.append("\n\n".join(parts))
        print(texts[-1] + "\n", flush=True)
        for contestant, rounds in results.items():
            complete &= len(rounds) == options.rounds
            complete &= not any(run["failed"] for run in rounds.values())
            runs += [
                {"target": name, "name": contestant, "load": load, "round": number, **run}
                for number, run in rounds.items()
            ]
    if options.write:
        tables.write_between_markers(pathlib.Path(options.write), name, "\n\n".join(texts))
    return runs, complete


def run_figure_target(name, options):
    if FIGURES[name].needs_catalogue:
        make_catalogue(options, 10_000)
    text, runs, complete = run_figures(name, options, lambda line: print(line, file=sys.stderr))
    print(text + "\n", flush=True)
    if options.write:
        tables.write_between_markers(pathlib.Path(options.write), name, text)
    return runs, complete


def machine():
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    cores = sum(1 for _ in pathlib.Path("/sys/devices/system/cpu").glob("cpu[0-9]*"))
    return f"{cores} cores {model}, Linux {platform.release()}"


def main():
    # Ended from outside, it still stops the server that it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = parse()
    print(machine(), flush=True)
    names = [name for name in [*TARGETS, *FIGURES] if name != "custom"]
    names = names if options.target == "all" else [options.target]
    runs, complete = [], True
    for name in names:
        more, whole = run_target(name, options)
        runs += more
        complete &= whole
    if options.write:
        tables.write_between_markers(pathlib.Path(options.write), "machine", machine())
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(runs, indent=1) + "\n")
    sys.exit(0 if complete else 1)


if __name__ == "__main__":
    main()
