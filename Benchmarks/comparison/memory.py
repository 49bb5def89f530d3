"""Whether a server's memory grows with the requests that it has answered."""

import statistics

from .contestants import flags
from .figure import FigureBar, run_json, server_of, values_of
from .running import RunFailed, pinned
from .tables import number, spread

STEPS = 10
SETTLING = 2  # of the steps; until then each kind of memory has been used once


def rss(pid):
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    raise RunFailed("the server's memory can't be read")


def slope(points):
    """The line with the least squares through pairs: how steep it is."""
    mean_x, mean_y = (statistics.fmean(values) for values in zip(*points))
    above = sum((x - mean_x) * (y - mean_y) for x, y in points)
    return above / sum((x - mean_x) ** 2 for x, _ in points)


def memory_run(options):
    """A million sessions of known users, a million lists of products, a tenth as many resumptions."""
    requests = options.clients or 1_000_000
    server = [
        f"{options.binaries}/onside-server",
        *flags(
            listen="127.0.0.1:{port}", certificate="{cert}", key="{key}", loops=1,
            store="sqlite:{folder}/store.sqlite", catalogue="{catalogue}",
        ),
    ]
    rows, failed = {}, 0
    with server_of(server, options, catalogue=options.catalogue) as (process, port):
        for scenario, count in (
            ("session-return", requests),
            ("product-filter", requests),
            ("handshake", requests // 10),
        ):
            row, failures = memory_row(process.pid, port, scenario, count // STEPS, options)
            what = "resumed handshakes" if scenario == "handshake" else f"{scenario} calls"
            rows[f"{count:,} {what}"] = row
            failed += failures
    return rows, failed


def memory_row(pid, port, scenario, calls, options):
    command = [
        f"{options.binaries}/onside-load", "run", scenario,
        *flags(
            target=f"127.0.0.1:{port}", ca=options.ca, connections=64, calls=calls, loops=1, seed=1,
            quiet=True, json="-",
        ),
    ]
    # Of a handshake there is one at a time on each connection; each goes on with the last session.
    command += flags(resume="on") if scenario == "handshake" else flags(in_flight=16)
    if scenario == "product-filter":
        command += flags(products=options.identifiers)
    points, failed = [], 0
    for step in range(STEPS):
        report = run_json(pinned(command, options.client_core), 300)
        failed += report["calls"]["failed"]
        if scenario == "handshake" and report["connections"]["tls_resumed"] < calls:
            raise RunFailed(f"of {calls} connections {report['connections']['tls_resumed']} resumed")
        points.append(((step + 1) * calls, rss(pid)))
    settled = points[SETTLING:]
    row = {"first_bytes": settled[0][1], "last_bytes": settled[-1][1], "slope": slope(settled)}
    return row | {"steps": points}, failed


def memory_table(rounds):
    lines = [
        "|  | RSS MiB after the first tenths | at the end | bytes/call: min / median / max |",
        "|---|--:|--:|--:|",
    ]
    for row in rounds[0]:
        values = values_of(rounds, row)
        middle = lambda key: number(statistics.median(value[key] for value in values) / (1 << 20))
        lines.append(
            f"| {row} | {middle('first_bytes')} | {middle('last_bytes')} "
            f"| {spread([value['slope'] for value in values])} |"
        )
    return lines


def memory_bars(rows):
    return [
        FigureBar(f"{row}: RSS grows by < 4 bytes a call", lambda rows, row=row: rows[row]["slope"],
                  4, " bytes")
        for row in rows
    ]
