"""An honest caller's latency beside peers that do harm."""

import json
import pathlib
import subprocess
import sys

from .contestants import flags
from .enumeration import make_apps
from .figure import LATENCIES, FigureBar, latency_cells, p99_bar, percentiles, server_of, values_of
from .memory import rss
from .running import RunFailed, fill, pinned
from .tables import number

ATTACKERS = str(pathlib.Path(__file__).with_name("attackers.py"))
ALONE = "alone"
RESETS = "calls that are opened and cancelled"
HANDSHAKES = "full TLS handshakes"
KEYS = "logins with a wrong app key"
SILENT = "500 silent connections"
NEW_CLIENTS = "a new client's TLS handshake beside 500 silent connections"


def attacks_run(options):
    """A caller every millisecond: alone, then beside each kind of attack, on fresh servers."""
    _, apps = make_apps(options)
    server = [
        f"{options.binaries}/onside-server",
        *flags(
            listen="127.0.0.1:{port}", certificate="{cert}", key="{key}", loops=1, store="memory",
            catalogue="{catalogue}", apps="{apps}",
        ),
    ]
    rows, failed = {}, 0
    for name, attack in attacks(options).items():
        with server_of(server, options, apps=apps, catalogue=options.catalogue) as (server_process, port):
            before = rss(server_process.pid)
            result, harm = beside(attack, port, options)
            harm["rss_growth"] = rss(server_process.pid) - before
        rows[name] = percentiles([late for _, late in result["samples"]]) | harm
        failed += result["failed"]
    silent = rows[SILENT].pop("handshakes_us")
    rows[NEW_CLIENTS] = percentiles(silent)
    return rows, failed


def attacks(options):
    """The commands, by name; they go on for longer than the caller."""
    seconds = options.seconds + 2
    program = lambda kind: [sys.executable, ATTACKERS, kind, "{port}", "{ca}", str(seconds)]
    handshakes = [
        f"{options.binaries}/onside-load", "run", "handshake",
        *flags(
            target="127.0.0.1:{port}", ca="{ca}", connections=64, duration=seconds, warmup=0, resume="off",
            loops=1, quiet=True, json="-",
        ),
    ]
    return {
        ALONE: None, RESETS: program("resets"), HANDSHAKES: handshakes, KEYS: program("keys"),
        SILENT: program("silent"),
    }


def beside(attack, port, options):
    """The caller's samples, and what the attacker says; it gets the time that the caller leaves."""
    values = {"port": port, "ca": options.ca}
    attacker = None
    if attack:
        command = ["nice", "-n", "19", *fill(attack, values)]
        attacker = subprocess.Popen(
            pinned(command, options.client_core), stdout=subprocess.PIPE, text=True
        )
    probe = [
        f"{options.binaries}/rpc-bench", "probe", "--target", f"127.0.0.1:{port}", "--ca",
        options.ca, "--duration", str(options.seconds),
    ]
    try:
        done = subprocess.run(
            pinned(probe, options.client_core), stdout=subprocess.PIPE, text=True,
            timeout=options.seconds + 60,
        )
        harm = harm_of(attacker, options) if attacker else {}
    except subprocess.TimeoutExpired as late:
        raise RunFailed(f"{late.cmd[0]} didn't end") from None
    finally:
        if attacker:
            attacker.kill()
            attacker.wait()
    if done.returncode != 0:
        raise RunFailed(f"rpc-bench probe ended with status {done.returncode}")
    return json.loads(done.stdout), harm


def harm_of(attacker, options):
    output, _ = attacker.communicate(timeout=options.seconds + 60)
    if attacker.returncode != 0:
        raise RunFailed(f"an attacker ended with status {attacker.returncode}")
    said = json.loads(output)
    # A load's report, or an attacker's few words.
    count = said["count"] if "count" in said else said["calls"]["ok"]
    harm = {"harm": count}
    return harm | {key: said[key] for key in ("handshakes_us",) if key in said}


def attacks_table(rounds):
    lines = [f"| beside | so many | {LATENCIES} | server RSS grew by MiB |"]
    lines.append("|---" + "|--:" * 6 + "|")
    for row in rounds[0]:
        values = values_of(rounds, row)
        harm = sum(value.get("harm", 0) for value in values)
        growth = max(value.get("rss_growth", 0) for value in values)
        lines.append(
            f"| {row} | {f'{harm:,}' if harm else ''} | {latency_cells(values)} "
            f"| {number(growth / (1 << 20)) if 'rss_growth' in values[0] else ''} |"
        )
    return lines


def attacks_bars(rows):
    ratio = lambda rows: rows[RESETS]["p99_us"] / rows[ALONE]["p99_us"]
    return [
        FigureBar(f"the caller's p99 beside {RESETS} < 3 × alone", ratio, 3, "×"),
        FigureBar(
            f"server RSS beside {RESETS} grows by < 10 MB",
            lambda rows: rows[RESETS]["rss_growth"] / 1e6, 10, " MB",
        ),
        *(
            p99_bar(f"the caller's p99 beside {row} < 100 ms", row, 100)
            for row in rows
            if row not in (ALONE, NEW_CLIENTS)
        ),
        p99_bar(f"p99 of {NEW_CLIENTS} < 100 ms", NEW_CLIENTS, 100),
    ]
