"""A caller beside ten thousand that go at once."""

import json
import os
import subprocess
import time

from .contestants import onside
from .figure import p99_bar, percentiles, server_of
from .running import RunFailed, fill, pinned

CLOSE_SECONDS = 30  # for all of them to be gone


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
            wait_for_descriptors(
                server.pid, lambda count: count >= alone + clients,
                f"the {clients} clients didn't connect", 120,
            )
            time.sleep(1)  # the last ones' handshakes
            return closing_rows(server, holder, alone, clients, port, options)
        finally:
            holder.kill()
            holder.wait()


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
        p99_bar("a live caller's p99 < 100 ms while all others close", name, 100)
        for name in rows
        if name.startswith("while")
    ]
