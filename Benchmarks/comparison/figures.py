"""Targets that aren't a load: how late deadlines are, and a caller beside many that go at once."""

import dataclasses
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time

from .running import RunFailed, fill, free_port, pinned, stop, tail, wait_for_port, wait_until_idle
from .contestants import onside
from .tables import number, spread

CLOSE_SECONDS = 30  # for all of them to be gone


@dataclasses.dataclass
class FigureBar:
    """The 99th percentile of a row, in microseconds, at most."""

    text: str
    row: str
    at_most: float


def percentiles(latencies):
    """In microseconds, nearest rank."""
    ordered = sorted(latencies)
    if not ordered:
        raise RunFailed("no call was made in time")
    rank = lambda share: ordered[min(len(ordered) - 1, int(share * len(ordered)))]
    return {"count": len(ordered), "p50_us": rank(0.5), "p99_us": rank(0.99), "max_us": ordered[-1]}


def run_json(command, timeout):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise RunFailed(f"{command[0]} didn't end") from None
    if done.returncode != 0:
        raise RunFailed(f"{command[0]} ended with status {done.returncode}")
    return json.loads(done.stdout)


# ---- deadline --------------------------------------------------------------------------------


def deadline_run(options):
    """Rows of one round: all calls run, and most of them wait for a slot in the client."""
    rows, failed = {}, 0
    calls = options.clients if options.clients else 1_000
    for slots in (calls, max(1, calls // 10)):
        result = run_json(
            [
                f"{options.binaries}/rpc-bench", "deadline", "--certificate", options.ca,
                "--key", options.key, "--calls", str(calls), "--slots", str(slots),
                "--rounds", "3",
            ],
            120,
        )
        waiting = f", {calls - slots:,} queued" if calls > slots else ""
        for end in ("caller", "server"):
            rows[f"{slots:,} running{waiting}: {end}"] = result[end]
        failed += result["failed"]
    return rows, failed


def deadline_bars(rows):
    return [
        FigureBar(f"{name}: p99 < 50 ms after the deadline", name, 50_000)
        for name in rows
        if name.endswith("caller")
    ]


# ---- closing ---------------------------------------------------------------------------------


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def wait_for_descriptors(pid, is_right, what, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_right(descriptors(pid)):
            return time.monotonic()
        time.sleep(0.002)
    raise RunFailed(what)


def closing_run(options):
    """A caller every millisecond; a process with all the idle clients is killed beside it."""
    folder = tempfile.mkdtemp(prefix="onside-bench-")
    try:
        return closing_in(folder, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def closing_in(folder, options):
    clients = options.clients or 10_000
    values = {
        "port": free_port(), "cert": options.cert, "key": options.key, "ca": options.ca,
        "folder": folder, "connections": clients, "in_flight": 1, "seconds": 600, "warmup": 0,
    }
    idle = onside(options.binaries, "onside", "idle", options.catalogue, store="memory")
    with open(f"{folder}/server.log", "w") as log:
        server = subprocess.Popen(
            pinned(fill(idle.server, values), options.server_core),
            stdout=subprocess.DEVNULL, stderr=log,
        )
    holder = None
    try:
        wait_for_port(values["port"], server)
        alone = descriptors(server.pid)
        command = fill(idle.client, values | {"pid": server.pid})
        holder = subprocess.Popen(
            pinned(command, options.client_core), stdout=subprocess.DEVNULL
        )
        wait_for_descriptors(
            server.pid, lambda count: count >= alone + clients,
            f"the {clients} clients didn't connect", 120,
        )
        time.sleep(1)  # the last ones' handshakes
        return closing_rows(server, holder, alone, clients, values["port"], options)
    except RunFailed as failure:
        raise RunFailed(f"{failure}; {tail(folder)}") from None
    finally:
        if holder:
            holder.kill()
            holder.wait()
        stop(server)


def closing_rows(server, holder, alone, clients, port, options):
    probe = subprocess.Popen(
        pinned(
            [
                f"{options.binaries}/rpc-bench", "probe", "--target", f"127.0.0.1:{port}",
                "--ca", options.ca, "--duration", str(options.seconds + 2),
            ],
            options.client_core,
        ),
        stdout=subprocess.PIPE, text=True,
    )
    time.sleep(options.seconds / 2 + 1)
    killed = time.monotonic()
    holder.kill()
    # The caller's own connection, and a few that come and go.
    gone = wait_for_descriptors(
        server.pid, lambda count: count <= alone + 4, "the clients' connections stay",
        CLOSE_SECONDS,
    )
    output, _ = probe.communicate(timeout=options.seconds + CLOSE_SECONDS)
    if probe.returncode != 0:
        raise RunFailed(f"rpc-bench probe ended with status {probe.returncode}")
    result = json.loads(output)
    # Half a second at least: with few clients it is over before the next call.
    end = max(gone, killed + 0.5)
    before = [late for due, late in result["samples"] if due < killed * 1e6]
    during = [late for due, late in result["samples"] if killed * 1e6 <= due <= end * 1e6]
    rows = {
        f"beside {clients:,} idle clients": percentiles(before),
        "while they close": percentiles(during) | {"took_ms": (gone - killed) * 1000},
    }
    return rows, result["failed"]


def closing_bars(rows):
    return [
        FigureBar("a live caller's p99 < 100 ms while all others close", name, 100_000)
        for name in rows
        if name.startswith("while")
    ]


# ---- Both ------------------------------------------------------------------------------------

FIGURES = {
    "closing": (closing_run, closing_bars, True),
    "deadline": (deadline_run, deadline_bars, False),
}


def run_figures(name, options, progress):
    """Returns the text, the runs for the JSON file, and whether nothing has failed."""
    run, bars, _ = FIGURES[name]
    rounds, failed = [], 0
    for number_of_round in range(options.rounds):
        wait_until_idle(options.idle_wait)
        try:
            rows, failures = run(options)
        except (RunFailed, OSError) as failure:
            progress(f"{name}: {failure}")
            continue
        rounds.append(rows)
        failed += failures
        progress(f"round {number_of_round + 1} {name}: {failures} failed")
    runs = [{"target": name, "round": index, "rows": rows} for index, rows in enumerate(rounds)]
    complete = len(rounds) == options.rounds and failed == 0
    return text(name, rounds, failed, bars, options), runs, complete


def text(name, rounds, failed, bars, options):
    if not rounds:
        return f"**{name}**: no round gave a result."
    lines = [f"**{name}**", "", "|  | calls | p50 ms | p99 ms: min / median / max | max ms |"]
    lines.append("|---" + "|--:" * 4 + "|")
    for row in rounds[0]:
        values = [round_rows[row] for round_rows in rounds if row in round_rows]
        pick = lambda key: [value[key] / 1000 for value in values]
        took = [value["took_ms"] for value in values if "took_ms" in value]
        shown = f"{row} (in {statistics.median(took):.0f} ms)" if took else row
        lines.append(
            f"| {shown} | {sum(value['count'] for value in values):,} "
            f"| {number(statistics.median(pick('p50_us')))} | {spread(pick('p99_us'))} "
            f"| {number(max(pick('max_us')))} |"
        )
    lines += ["", f"{len(rounds)} of {options.rounds} rounds."]
    if failed:
        lines.append(f"**{failed} calls ended otherwise than they had to.**")
    lines.append("")
    for bar in bars(rounds[0]):
        p99 = [round_rows[bar.row]["p99_us"] for round_rows in rounds if bar.row in round_rows]
        verdict = "met" if statistics.median(p99) < bar.at_most else "**not met**"
        lines.append(f"- {bar.text}: {verdict} — {spread([value / 1000 for value in p99])} ms")
    return "\n".join(lines)
