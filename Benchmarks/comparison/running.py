"""Runs one contestant once: a fresh server on one core, its client on another."""

import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import time

START_SECONDS = 120  # a catalogue of a million products takes a while


class RunFailed(Exception):
    pass


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def pinned(command, core):
    return command if core < 0 else ["taskset", "-c", str(core), *command]


def fill(command, values):
    try:
        return [word.format(**values) for word in command]
    except (KeyError, ValueError, IndexError) as error:
        raise RunFailed(f"a placeholder in the command is wrong: {error}") from None


def wait_for_port(port, server):
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise RunFailed(f"the server ended with status {server.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RunFailed("the server doesn't listen")


def negotiated_tls(port, alpn):
    """What the server takes from a client that offers everything."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(alpn)
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as plain:
            with context.wrap_socket(plain, server_hostname="localhost") as tls:
                return f"{tls.version()} {tls.cipher()[0]}"
    except OSError as error:
        return f"unknown ({type(error).__name__})"


def stop(server):
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def busy_seconds():
    """CPU time used on the whole machine since it was started, in core-seconds."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def wait_until_idle(seconds):
    """Waits for other work on the machine to end, for at most so long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        before = busy_seconds()
        time.sleep(0.5)
        if busy_seconds() - before < 0.05:
            return


def cpu_of_ended_children():
    times = os.times()
    return times.children_user + times.children_system


def run_once(contestant, load, options):
    wait_until_idle(options.idle_wait)
    folder = tempfile.mkdtemp(prefix="onside-bench-")
    try:
        return run_in(folder, contestant, load, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_in(folder, contestant, load, options):
    connections, in_flight = load
    values = {
        "port": free_port(),
        "cert": options.cert,
        "key": options.key,
        "ca": options.ca,
        "folder": folder,
        "connections": connections,
        "in_flight": in_flight,
        "seconds": options.seconds,
        "warmup": options.warmup,
    }
    began, busy_before, own_before = time.monotonic(), busy_seconds(), cpu_of_ended_children()
    with open(f"{folder}/server.log", "w") as log:
        server = subprocess.Popen(
            pinned(fill(contestant.server, values), options.server_core),
            stdout=subprocess.DEVNULL,
            stderr=log,
        )
    try:
        wait_for_port(values["port"], server)
        tls = negotiated_tls(values["port"], options.alpn.split(","))
        command = pinned(fill(contestant.client, values | {"pid": server.pid}), options.client_core)
        client = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            text=True,
            timeout=options.seconds + options.warmup + 90,
        )
    except subprocess.TimeoutExpired:
        raise RunFailed("the client didn't end") from None
    except RunFailed as failure:
        raise RunFailed(f"{failure}; {tail(folder)}") from None
    finally:
        stop(server)
    elapsed = time.monotonic() - began
    others = busy_seconds() - busy_before - (cpu_of_ended_children() - own_before)

    result = read_report(client.stdout)
    if not result or not result["rate"] or (client.returncode != 0 and not result["failed"]):
        raise RunFailed(f"no usable result (the client's status was {client.returncode})")
    more = {"tls": tls, "other_cores": max(0.0, others / elapsed), "command": command}
    return result | more


def tail(folder):
    with open(f"{folder}/server.log") as log:
        lines = log.read().splitlines()
    return "its last line: " + lines[-1] if lines else "it said nothing"


# ---- Reading what a client says --------------------------------------------------------------


def last_json_object(text):
    """The whole text, or its last line that is a JSON object."""
    for candidate in [text, *reversed(text.splitlines())]:
        try:
            value = json.loads(candidate)
        except ValueError:
            continue
        if isinstance(value, dict):
            return value
    return None


def pick(report, *paths):
    """The first of the dotted paths that leads to a value."""
    for path in paths:
        value = report
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if value is not None:
            return value
    return None


def idle_cores(report):
    """The server's CPU while nothing happened, as a share of a core; at least a tick's worth."""
    milliseconds = pick(report, "server.idle_cpu_ms")
    seconds = pick(report, "load.duration_seconds")
    if milliseconds is None or not seconds:
        return None
    return max(milliseconds / 1000 / seconds, 1e-6)


def read_report(text):
    """Both shapes: the peers' flat one, and onside-load's with "calls", "server" and "client"."""
    report = last_json_object(text)
    if report is None:
        return None
    latency = pick(report, "latency_us", "calls.latency_us") or {}
    server_us = pick(report, "server_cpu_us_per_call", "server.cpu_us_per_call")
    client_us = pick(report, "client_cpu_us_per_call", "client.cpu_us_per_call")
    return {
        "rate": pick(report, "ok_per_second", "calls.ok_per_second"),
        "failed": pick(report, "failed", "calls.failed") or 0,
        "p50": latency.get("p50"),
        "p99": latency.get("p99"),
        "server_us": server_us,
        "client_us": client_us,
        "client_per_server": client_us / server_us if server_us and client_us else None,
        "idle_cores": idle_cores(report),
        "rss": pick(report, "server_rss_bytes", "server.rss_bytes"),
        "rss_per_connection": pick(
            report, "rss_bytes_per_connection", "server.rss_bytes_per_connection"
        ),
        "raw": report,
    }
