"""Markdown tables of the results, and the bars."""

import shlex
import statistics


def number(value):
    if value is None:
        return "–"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def present(runs, key):
    return [run[key] for run in runs.values() if run[key]]


def median(runs, key, unit=1.0):
    values = present(runs, key)
    return number(statistics.median(values) / unit) if values else "–"


def spread(values):
    if not values:
        return "–"
    return " / ".join(number(f(values)) for f in (min, statistics.median, max))


def ratios(runs, reference, key):
    """Of the rounds that both have, so that slow drifts of the machine cancel out."""
    return [
        runs[round_number][key] / reference[round_number][key]
        for round_number in runs.keys() & reference.keys()
        if runs[round_number][key] and reference[round_number][key]
    ]


def ratio_text(values):
    """Median, and the range if there were several."""
    if not values:
        return "–"
    low, middle, high = (
        f"{f(values):.{2 if f(values) >= 0.1 else 3}f}" for f in (min, statistics.median, max)
    )
    return f"{middle}×" if len(values) == 1 else f"{middle}× ({low}–{high})"


def table(title, results, reference, options):
    """`results`: contestant's name -> round -> result."""
    base = results[reference]
    every_run = [run for runs in results.values() for run in runs.values()]
    per_connection = any(run["rss_per_connection"] for run in every_run)
    head = ["", "requests/s: min / median / max", "ratio", "server CPU µs/request", "ratio"]
    head += ["p50 µs", "p99 µs", "client CPU µs/request", "server RSS MiB"]
    head += ["KiB/connection"] if per_connection else []
    lines = [f"**{title}**", "", "| " + " | ".join(head) + " |"]
    lines.append("|---" + "|--:" * (len(head) - 1) + "|")
    for name, runs in results.items():
        row = [name]
        for key in ("rate", "server_us"):
            row += [spread(present(runs, key)), ratio_text(ratios(runs, base, key))]
        row += [median(runs, "p50"), median(runs, "p99"), median(runs, "client_us")]
        row.append(median(runs, "rss", 1 << 20))
        row += [median(runs, "rss_per_connection", 1024)] if per_connection else []
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join([*lines, "", *notes(results, every_run, reference, options)])


def notes(results, every_run, reference, options):
    rounds = "1 round" if options.rounds == 1 else f"{options.rounds} rounds"
    tls = ", ".join(sorted({run["tls"] for run in every_run})) or "–"
    lines = [f"{rounds} of {options.seconds:g} s, ratios to {reference}; TLS: {tls}."]
    other_cores = [run["other_cores"] for run in every_run]
    if other_cores:
        lines.append(
            f"Other work on the machine took {statistics.median(other_cores):.2f} cores "
            f"(at most {max(other_cores):.2f})."
        )
    for name, runs in results.items():
        failed = sum(run["failed"] for run in runs.values())
        if failed or len(runs) < options.rounds:
            missing = options.rounds - len(runs)
            lines.append(f"**{name}: {failed} failed calls, {missing} rounds without a result.**")
    return lines


def bar_lines(bars, load, results):
    """Which of the bars that hold at this load are met."""
    lines = []
    for bar in bars:
        if bar.load not in (None, load):
            continue
        runs = results.get(bar.of, {})
        if bar.relative_to:
            values = ratios(runs, results.get(bar.relative_to, {}), bar.figure)
            shown = ratio_text(values)
        else:
            values = present(runs, bar.figure)
            shown = spread([value / bar.unit for value in values])
        lines.append(f"- {bar.text}: {verdict(bar, values)} — {shown}")
    return lines


def verdict(bar, values):
    if not values:
        return "**not measured**"
    middle = statistics.median(values)
    low = bar.at_least is None or middle >= bar.at_least
    high = bar.at_most is None or middle <= bar.at_most
    return "met" if low and high else "**not met**"


def command_lines(results, root):
    """The load command of each contestant, as it was run last, seen from the folder `root`."""
    lines = []
    for name, runs in results.items():
        if runs:
            command = [word.removeprefix(f"{root}/") for word in runs[max(runs)]["command"]]
            lines.append(f"    {name}: {shlex.join(command)}")
    return lines


def write_between_markers(path, target, text):
    """Replaces what stands between <!-- results:TARGET --> and <!-- end -->."""
    content = path.read_text()
    begin, end = f"<!-- results:{target} -->\n", "<!-- end -->"
    before, found, rest = content.partition(begin)
    if not found or end not in rest:
        raise SystemExit(f"{path}: no markers for {target}")
    path.write_text(before + begin + "\n" + text + "\n\n" + rest[rest.index(end) :])
