"""How late calls end whose deadline passes, a thousand at the same moment."""

from .figure import p99_bar, run_json


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
        p99_bar(f"{name}: p99 < 50 ms after the deadline", name, 50)
        for name in rows
        if name.endswith("caller")
    ]
