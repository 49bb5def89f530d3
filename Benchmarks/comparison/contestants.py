"""What can be run: the project, gRPC C++, and the bare limit, by target."""

import dataclasses


@dataclasses.dataclass
class Contestant:
    """A server and the client that loads it, as commands with placeholders."""

    name: str
    server: list
    client: list


@dataclasses.dataclass
class Bar:
    """What is to be reached: a figure of one contestant, alone or as a ratio to another's."""

    text: str
    of: str
    figure: str
    at_most: float = None
    at_least: float = None
    relative_to: str = None
    load: str = None  # "64x1": only there
    unit: float = 1  # the figure is shown in these


@dataclasses.dataclass
class Target:
    contestants: list
    loads: str
    reference: str
    bars: list


def flags(**values):
    """Turns port="{port}" into ["--port", "{port}"]; True stands for a flag without a value."""
    words = []
    for name, value in values.items():
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(str(value))
    return words


PEER_SERVER = flags(port="{port}", cert="{cert}", key="{key}")
PEER_LOAD = flags(
    port="{port}",
    ca="{ca}",
    server_pid="{pid}",
    connections="{connections}",
    in_flight="{in_flight}",
    seconds="{seconds}",
    warmup="{warmup}",
    json=True,
)

# What a request and its response of the project have, call header and frame included: 101 → 178
# bytes for a session (in sum those that the limit always had), and for 100 identifiers the request
# with the session's token.
SESSION_BYTES = (64, 200)
PRODUCT_BYTES = (3300, 9950)


def limit(build, name, request_and_response=SESSION_BYTES, server=(), client=()):
    request, response = request_and_response
    return Contestant(
        name,
        [f"{build}/limit-server", *PEER_SERVER, *flags(response_bytes=response), *server],
        [
            f"{build}/limit-client",
            *PEER_LOAD,
            *flags(request_bytes=request, response_bytes=response),
            *client,
        ],
    )


def grpc(build, scenario, products=None):
    catalogue = flags(products=products) if products else []
    return Contestant(
        "grpc-cpp",
        [f"{build}/grpc-server", *PEER_SERVER, *catalogue],
        [f"{build}/grpc-client", *PEER_LOAD, *flags(scenario=scenario), *catalogue],
    )


def onside(binaries, name, scenario, catalogue, store="sqlite:{folder}/store.sqlite", load=()):
    """The project itself. Its store is made anew for each run."""
    return Contestant(
        name,
        [
            f"{binaries}/onside-server",
            *flags(
                listen="127.0.0.1:{port}", certificate="{cert}", key="{key}", store=store, loops=1
            ),
            "--catalogue",
            catalogue,
        ],
        [
            f"{binaries}/onside-load",
            "run",
            scenario,
            *flags(
                target="127.0.0.1:{port}",
                ca="{ca}",
                server_pid="{pid}",
                connections="{connections}",
                in_flight="{in_flight}",
                duration="{seconds}",
                warmup="{warmup}",
                loops=1,
                quiet=True,
                json="-",
            ),
            *load,
        ],
    )


def session_return(options):
    names = "onside", "grpc-cpp", "limit 64→200 B"
    return Target(
        [
            onside(options.binaries, names[0], "session-return", options.catalogue),
            grpc(options.build, "session-return"),
            limit(options.build, names[2]),
        ],
        "64x1,64x16",
        names[1],
        [
            Bar("server CPU ≤ 1.3 × the limit", names[0], "server_us", at_most=1.3,
                relative_to=names[2], load="64x1"),
            Bar("server CPU ≤ ½ of gRPC C++", names[0], "server_us", at_most=0.5,
                relative_to=names[1], load="64x1"),
            Bar("server CPU ≤ ⅒ of gRPC C++", names[0], "server_us", at_most=0.1,
                relative_to=names[1], load="64x16"),
            Bar("throughput ≥ 10 × gRPC C++", names[0], "rate", at_least=10,
                relative_to=names[1], load="64x16"),
            Bar("generator's CPU ≤ the server's", names[0], "client_per_server", at_most=1),
        ],
    )


def session_create(options):
    return Target(
        [
            onside(options.binaries, "onside, SQLite", "session-create", options.catalogue),
            onside(options.binaries, "onside, memory", "session-create", options.catalogue,
                   store="memory"),
            grpc(options.build, "session-create"),
        ],
        "64x16",
        "onside, SQLite",
        [Bar("durable ≥ 20,000 per second", "onside, SQLite", "rate", at_least=20_000)],
    )


def product_filter(options):
    names = "onside", "grpc-cpp", "limit 3.3→9.9 kB"
    return Target(
        [
            onside(options.binaries, names[0], "product-filter", options.catalogue,
                   load=flags(products=options.identifiers)),
            grpc(options.build, "product-filter", options.products),
            limit(options.build, names[2], PRODUCT_BYTES),
        ],
        "64x1",
        names[1],
        [
            Bar("server CPU ≤ ⅕ of gRPC C++", names[0], "server_us", at_most=0.2,
                relative_to=names[1]),
            Bar("server CPU ≤ 2 × the limit", names[0], "server_us", at_most=2,
                relative_to=names[2]),
            Bar("generator's CPU ≤ the server's", names[0], "client_per_server", at_most=1),
        ],
    )


def handshake(options):
    def pair(kind, resume):
        mode = flags(mode="handshake") + (flags(resume=True) if resume == "on" else [])
        return [
            onside(options.binaries, f"onside, {kind}", "handshake", options.catalogue,
                   load=flags(resume=resume)),
            limit(options.build, f"limit, {kind}", client=mode),
            limit(options.build, f"limit, {kind}, goodbye", client=mode + flags(goodbye=True)),
        ]

    return Target(
        pair("full", "off") + pair("resumed", "on"),
        "8x1",
        "limit, full",
        [
            Bar(f"server CPU of a {kind} handshake ≤ 1.1 × the limit", f"onside, {kind}",
                "server_us", at_most=1.1, relative_to=f"limit, {kind}")
            for kind in ("full", "resumed")
        ] + [
            Bar(f"the same against a limit that says goodbye, {kind}", f"onside, {kind}",
                "server_us", at_most=1.1, relative_to=f"limit, {kind}, goodbye")
            for kind in ("full", "resumed")
        ],
    )


def idle(options):
    release = flags(release_buffers=True)
    return Target(
        [
            onside(options.binaries, "onside", "idle", options.catalogue),
            limit(options.build, "limit", client=flags(mode="idle")),
            limit(options.build, "limit, buffers released", server=release,
                  client=flags(mode="idle")),
        ],
        "10000x1",
        "limit, buffers released",
        [
            Bar("≤ 20 KiB per idle connection", "onside", "rss_per_connection",
                at_most=20 * 1024, unit=1024),
            Bar("≤ 0.2 % of a core while all are idle (in %)", "onside", "idle_cores",
                at_most=0.002, unit=0.01),
        ],
    )


def limit_only(options):
    release = flags(release_buffers=True)
    return Target(
        [
            limit(options.build, "limit 64→200 B"),
            limit(options.build, "limit, buffers released", server=release),
        ],
        "64x1,64x16",
        "limit 64→200 B",
        [],
    )


def custom(options):
    return Target([], "64x1", None, [])


TARGETS = {
    "session-return": session_return,
    "session-create": session_create,
    "product-filter": product_filter,
    "handshake": handshake,
    "idle": idle,
    "limit": limit_only,
    "custom": custom,
}
