"""Whether a stranger can tell from the time of an answer who has an account."""

import json
import pathlib
import statistics
import subprocess

from .figure import FigureBar, percentiles, run_json, server_of, values_of
from .running import RunFailed
from .contestants import flags
from .tables import number, spread

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ADMINISTRATOR = "CN=development administrator,O=Onside development"  # of Scripts/certs.sh


def enumeration_run(options):
    """Codes and refusals for users who are known, and for as many others."""
    users = options.clients or 200
    certs = f"{options.build}/certs"
    subprocess.run([f"{ROOT}/Scripts/certs.sh", certs], check=True, stdout=subprocess.DEVNULL)
    key, apps = make_apps(options)
    server = [
        f"{options.binaries}/onside-server",
        *flags(
            listen="127.0.0.1:{port}", certificate="{certs}/server.pem",
            key="{certs}/server.key", client_ca="{certs}/ca.pem", client_certificates="optional",
            admin_certificate=ADMINISTRATOR, store="sqlite:{folder}/store.sqlite", loops=1,
            catalogue="{catalogue}", apps="{apps}", phone_free_codes_per_address=10_000,
            phone_free_wrong_codes=10_000,
        ),
    ]
    more = {"certs": certs, "apps": apps, "catalogue": options.catalogue}
    with server_of(server, options, **more) as (_, port):
        result = run_json(
            [
                f"{options.binaries}/rpc-bench", "enumeration", "--target", f"127.0.0.1:{port}",
                "--ca", f"{certs}/ca.pem", "--admin-certificate", f"{certs}/admin.pem",
                "--admin-key", f"{certs}/admin.key", "--app-key", key, "--count", str(users),
            ],
            120,
        )
    rows = {
        f"{question}: {kind}": quartiles(nanoseconds)
        for question, kinds in result["samples"].items()
        for kind, nanoseconds in kinds.items()
    }
    return rows, result["failed"]


def make_apps(options):
    """An app that is open, and one with a key: the key, and the file of both."""
    try:
        made = subprocess.run(
            [f"{options.binaries}/onside-server", "app-key"], check=True,
            stdout=subprocess.PIPE, text=True,
        )
    except FileNotFoundError as error:
        raise RunFailed(str(error)) from None
    words = dict(line.split() for line in made.stdout.splitlines())
    path = f"{options.build}/enumeration-apps.json"
    keyed = {"id": "com.example.keyed", "key_sha256": [words["key_sha256"]]}
    pathlib.Path(path).write_text(json.dumps({"apps": [{"id": "com.example.shop"}, keyed]}))
    return words["key"], path


def quartiles(nanoseconds):
    if len(nanoseconds) < 4:
        raise RunFailed("too few calls were answered as they have to be")
    lower, _, upper = statistics.quantiles(nanoseconds, n=4)
    result = percentiles([value / 1000 for value in nanoseconds])
    # Of two samples of one population the medians differ by less than the sum of these, but once in
    # some hundred times: the notches of a box plot.
    notch = 1.57 * (upper - lower) / len(nanoseconds) ** 0.5
    return result | {"notch_us": notch / 1000}


def questions(rows):
    return list(dict.fromkeys(row.rpartition(": ")[0] for row in rows))


def difference(rows, question):
    """Of the medians in µs, and how much chance alone explains."""
    known, unknown = (rows[f"{question}: {kind}"] for kind in ("known", "unknown"))
    return abs(known["p50_us"] - unknown["p50_us"]), known["notch_us"] + unknown["notch_us"]


def enumeration_table(rounds):
    lines = ["|  | calls | p50 µs: min / median / max | p99 µs |", "|---|--:|--:|--:|"]
    for row in rounds[0]:
        values = values_of(rounds, row)
        lines.append(
            f"| {row} | {sum(value['count'] for value in values):,} "
            f"| {spread([value['p50_us'] for value in values])} "
            f"| {number(statistics.median(value['p99_us'] for value in values))} |"
        )
    return lines


def enumeration_bars(rows):
    def part(question):
        def value(rows):
            apart, noise = difference(rows, question)
            return apart / noise
        return value

    return [
        FigureBar(
            f"{question}: the medians differ by less than chance explains", part(question), 1,
            " × that",
        )
        for question in questions(rows)
    ]
