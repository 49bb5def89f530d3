"""A caller beside ten thousand that go at once."""

import json
import os
import subprocess
import time

from .contestants import flags, onside
from .figure import p99_bar, server_of
from .running import RunFailed, fill, pinned

CLOSE_SECONDS = 30  # for all of them to be gone
PASSED, SATURATED = 0, 98  # of onside-load; being late itself only makes its latencies longer


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
    clients = options.clients or 10_000
    idle = onside(options.binaries, "onside", "idle", options.catalogue, store="memory")
    with server_of(idle.server, options) as (server, port):
        alone = descriptors(server.pid)
        command = fill(
            idle.client,
            {
                "port": port, "ca": options.ca, "pid": server.pid, "connections": clients,
                "in_flight": 1, "seconds": 600, "warmup": 0,
            },
        )
        holder = subprocess.Popen(
            pinned(command, options.client_core), stdout=subprocess.DEVNULL
        )
        try:
            # A file that the server was reading may have counted as one it has alone.
            wait_for_descriptors(
                server.pid, lambda count: count >= alone + clients - 4,
                f"the {clients} clients didn't connect", 120,
            )
            time.sleep(1)  # the last ones' handshakes
            return closing_rows(server, holder, alone, clients, port, options)
        finally:
            holder.kill()
            holder.wait()


def closing_rows(server, holder, alone, clients, port, options):
    caller = subprocess.Popen(
        pinned(
            [
                f"{options.binaries}/onside-load", "run", "session-return",
                *flags(
                    target=f"127.0.0.1:{port}", ca=options.ca, users=1, connections=1,
                    in_flight=100, rate=1000, duration=options.seconds + 2, warmup=1, loops=1,
                    seed=1, quiet=True, json="-",
                ),
            ],
            options.client_core,
        ),
        stdout=subprocess.PIPE, text=True,
    )
    time.sleep(options.seconds / 2 + 2)
    began, killed = time.time(), time.monotonic()
    holder.kill()
    # The caller's own connection, and a few that come and go.
    gone = wait_for_descriptors(
        server.pid, lambda count: count <= alone + 4, "the clients' connections stay",
        CLOSE_SECONDS,
    )
    output, _ = caller.communicate(timeout=options.seconds + CLOSE_SECONDS)
    if caller.returncode not in (PASSED, SATURATED):
        raise RunFailed(f"onside-load ended with status {caller.returncode}")
    report = json.loads(output)
    before, during = seconds_of(report, began, began + gone - killed)
    rows = {
        f"beside {clients:,} idle clients": worst(before),
        "while they close": worst(during) | {"took_ms": (gone - killed) * 1000},
    }
    return rows, report["calls"]["failed"] + report["delivery"]["unsent"]


def seconds_of(report, began, ended):
    """The measured seconds before `began`, and those that have a part of what comes until `ended`."""
    before, during, start = [], [], 0
    for second in report["series"]:
        first, last = (report["started_at_ms"] / 1000 + at for at in (start, second["second"]))
        start = second["second"]
        if not second["measured"] or not second["ok"]:
            continue
        if last <= began:
            before.append(second)
        elif first <= ended:
            during.append(second)
    if not before or not during:
        raise RunFailed("the caller made no calls in time")
    return before, during


def worst(seconds):
    """All calls of some seconds, and the percentiles of the worst of them."""
    return {"count": sum(second["ok"] for second in seconds)} | {
        name: max(second[name] for second in seconds) for name in ("p50_us", "p99_us", "max_us")
    }


def closing_bars(rows):
    return [
        p99_bar("a live caller's p99 < 100 ms while all others close", name, 100)
        for name in rows
        if name.startswith("while")
    ]
