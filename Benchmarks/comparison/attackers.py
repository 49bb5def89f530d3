#!/usr/bin/env python3
"""Peers that do harm, for `attacks.py`: raw frames behind a TLS handshake, after Docs/protocol.md.

    attackers.py KIND PORT CA SECONDS     KIND: resets, keys or silent

Prints one JSON object: how much of it there was, and for `silent` also how long handshakes took
beside it, in microseconds.
"""

import json
import socket
import ssl
import struct
import sys
import time

CALL, END, CANCEL = 2, 5, 6
HALF_CLOSE_AND_MESSAGE = 4 | 8
SETUP = bytes([0, 0, 0, 0, 0, 0, 0, 0, 1, 0])

# More than a connection may cancel: it is closed for it, and the next one goes on.
RESETS_PER_CONNECTION = 300
CALLS_AT_ONCE = 90
SILENT_CONNECTIONS = 500


def field(number, content):
    """A protobuf field of bytes, up to 127 of them."""
    assert len(content) < 128
    return bytes([number << 3 | 2, len(content)]) + content


def frame(stream, kind, payload=b"", flags=0):
    return struct.pack(">IIBB", len(payload), stream, kind, flags) + payload


def call(stream, method, message=b"", metadata=b""):
    header = field(1, method.encode()) + metadata
    assert len(header) < 128
    return frame(stream, CALL, bytes([len(header)]) + header + message, HALF_CLOSE_AND_MESSAGE)


class Attacker:
    def __init__(self, port, authority):
        self.port = port
        self.context = ssl.create_default_context(cafile=authority)
        self.context.check_hostname = False
        self.context.set_alpn_protocols(["onside/1"])
        self.session = None

    def connect(self):
        """A connection that is as cheap as it can be: with an earlier one's TLS session."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self.context.wrap_socket(plain, session=self.session)

    def resets(self, end):
        """Calls that last, each given up at once, on one connection after the other."""
        pairs = [
            call(stream, "rpc.v1.Health/Watch") + frame(stream, CANCEL)
            for stream in range(1, 2 * RESETS_PER_CONNECTION, 2)
        ]
        flood, count = SETUP + b"".join(pairs), 0
        while time.monotonic() < end:
            with self.connect() as tls:
                try:
                    tls.sendall(flood)
                    while tls.recv(1 << 16):
                        self.session = tls.session
                except OSError:
                    pass  # The server has closed it, as it has to.
            count += RESETS_PER_CONNECTION
        return {"count": count}

    def keys(self, end):
        """Logins with a wrong key of an app, as many at a time as there are slots."""
        message = field(1, b"com.example.keyed") + field(2, b"somebody")
        key = field(3, field(1, b"onside-app-key") + field(2, b"oak_" + b"A" * 43))
        method, count, stream = "onside.v1.LoginService/CreateSession", 0, 1
        with self.connect() as tls:
            tls.sendall(SETUP)
            frames = self.frames(tls)
            while time.monotonic() < end:
                calls = range(stream, stream + 2 * CALLS_AT_ONCE, 2)
                stream += 2 * CALLS_AT_ONCE
                tls.sendall(b"".join(call(number, method, message, key) for number in calls))
                answered = 0
                while answered < CALLS_AT_ONCE:
                    answered += next(frames) == END
                count += answered
        return {"count": count}

    def frames(self, tls):
        """The types of the frames that come."""
        received = bytearray()
        while True:
            while len(received) < 10 or len(received) < 10 + int.from_bytes(received[:4], "big"):
                more = tls.recv(1 << 16)
                if not more:
                    raise SystemExit("the server has closed the connection")
                received += more
            kind = received[8]
            del received[: 10 + int.from_bytes(received[:4], "big")]
            yield kind

    def silent(self, end):
        """Connections that never say a word; beside them one client after the other is served."""
        mute = [
            socket.create_connection(("127.0.0.1", self.port)) for _ in range(SILENT_CONNECTIONS)
        ]
        took = []
        while time.monotonic() < end:
            start = time.monotonic()
            with self.connect():
                took.append((time.monotonic() - start) * 1e6)
            time.sleep(0.005)
        for connection in mute:
            connection.close()
        return {"count": len(mute), "handshakes_us": took}


def main():
    kind, port, authority, seconds = sys.argv[1:]
    attack = getattr(Attacker(int(port), authority), kind)
    print(json.dumps(attack(time.monotonic() + float(seconds))))


if __name__ == "__main__":
    main()
