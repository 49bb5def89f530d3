"""Targets that aren't a load: deadlines, many that go at once, refusals, and memory."""

import statistics

from .attacks import attacks_bars, attacks_run, attacks_table
from .closing import closing_bars, closing_run
from .deadlines import deadline_bars, deadline_run
from .enumeration import enumeration_bars, enumeration_run, enumeration_table
from .figure import Figure, latency_table
from .memory import memory_bars, memory_run, memory_table
from .running import RunFailed, wait_until_idle
from .tables import spread

FIGURES = {
    "attacks": Figure(attacks_run, attacks_bars, attacks_table),
    "closing": Figure(closing_run, closing_bars, latency_table),
    "deadline": Figure(deadline_run, deadline_bars, latency_table, needs_catalogue=False),
    "enumeration": Figure(enumeration_run, enumeration_bars, enumeration_table),
    "memory": Figure(memory_run, memory_bars, memory_table),
}


def run_figures(name, options, progress):
    """Returns the text, the runs for the JSON file, and whether nothing has failed."""
    figure = FIGURES[name]
    rounds, failed = [], 0
    for number_of_round in range(options.rounds):
        wait_until_idle(options.idle_wait)
        try:
            rows, failures = figure.run(options)
        except (RunFailed, OSError) as failure:
            progress(f"{name}: {failure}")
            continue
        rounds.append(rows)
        failed += failures
        progress(f"round {number_of_round + 1} {name}: {failures} failed")
    runs = [{"target": name, "round": index, "rows": rows} for index, rows in enumerate(rounds)]
    complete = len(rounds) == options.rounds and failed == 0
    return text(name, rounds, failed, options), runs, complete


def text(name, rounds, failed, options):
    if not rounds:
        return f"**{name}**: no round gave a result."
    figure = FIGURES[name]
    lines = [f"**{name}**", "", *figure.table(rounds)]
    lines += ["", f"{len(rounds)} of {options.rounds} rounds."]
    if failed:
        lines.append(f"**{failed} calls ended otherwise than they had to.**")
    lines.append("")
    for bar in figure.bars(rounds[0]):
        values = [bar.value(rows) for rows in rounds]
        verdict = "met" if statistics.median(values) < bar.below else "**not met**"
        lines.append(f"- {bar.text}: {verdict} — {spread(values)}{bar.unit}")
    return "\n".join(lines)
