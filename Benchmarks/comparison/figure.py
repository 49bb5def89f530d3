"""What the targets that aren't a load have in common: rows of figures, and bars for them."""

import contextlib
import dataclasses
import json
import shutil
import statistics
import subprocess
import tempfile
import typing

from .running import RunFailed, fill, free_port, pinned, stop, tail, wait_for_port
from .tables import number, spread


@dataclasses.dataclass
class FigureBar:
    """What is to be reached: a number of a round's rows, below `below` in the median of all rounds."""

    text: str
    value: typing.Callable
    below: float
    unit: str


@dataclasses.dataclass
class Figure:
    """`run` gives one round: its rows, by name, and how many calls failed."""

    run: typing.Callable
    bars: typing.Callable
    table: typing.Callable
    needs_catalogue: bool = True


def percentiles(latencies):
    """In microseconds, nearest rank."""
    ordered = sorted(latencies)
    if not ordered:
        raise RunFailed("no call was made in time")
    rank = lambda share: ordered[min(len(ordered) - 1, int(share * len(ordered)))]
    return {"count": len(ordered), "p50_us": rank(0.5), "p99_us": rank(0.99), "max_us": ordered[-1]}


def p99_bar(text, row, milliseconds):
    """A bar for the 99th percentile of one row."""
    return FigureBar(text, lambda rows: rows[row]["p99_us"] / 1000, milliseconds, " ms")


def run_json(command, timeout):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise RunFailed(f"{command[0]} didn't end") from None
    if done.returncode != 0:
        raise RunFailed(f"{command[0]} ended with status {done.returncode}")
    return json.loads(done.stdout)


@contextlib.contextmanager
def server_of(command, options, **more):
    """Runs a server as long as the block does, which gets the process and its port.

    In the command, besides the usual placeholders, those of `more` are filled in.
    """
    folder = tempfile.mkdtemp(prefix="onside-bench-")
    server = None
    values = {"cert": options.cert, "key": options.key, "ca": options.ca}
    values |= {"port": free_port(), "folder": folder} | more
    try:
        with open(f"{folder}/server.log", "w") as log:
            server = subprocess.Popen(
                pinned(fill(command, values), options.server_core),
                stdout=subprocess.DEVNULL, stderr=log,
            )
        wait_for_port(values["port"], server)
        yield server, values["port"]
    except RunFailed as failure:
        raise RunFailed(f"{failure}; {tail(folder)}") from None
    finally:
        if server:
            stop(server)
        shutil.rmtree(folder, ignore_errors=True)


def values_of(rounds, row):
    """What each round has in this row, if it has it."""
    return [rows[row] for rows in rounds if row in rows]


def latency_table(rounds):
    """Rows of latencies, some with the milliseconds that it took."""
    lines = [f"|  | {LATENCIES} |", "|---" + "|--:" * 4 + "|"]
    for row in rounds[0]:
        values = values_of(rounds, row)
        took = [value["took_ms"] for value in values if "took_ms" in value]
        shown = f"{row} (in {statistics.median(took):.0f} ms)" if took else row
        lines.append(f"| {shown} | {latency_cells(values)} |")
    return lines


LATENCIES = "calls | p50 ms | p99 ms: min / median / max | max ms"


def latency_cells(values):
    """The cells under `LATENCIES`, of all rounds' count, p50_us, p99_us and max_us."""
    pick = lambda key: [value[key] / 1000 for value in values]
    return (
        f"{sum(value['count'] for value in values):,} "
        f"| {number(statistics.median(pick('p50_us')))} | {spread(pick('p99_us'))} "
        f"| {number(max(pick('max_us')))}"
    )
