"""A client of the wire protocol `onside/1`, after Docs/protocol.md.

It uses the standard library and the code that protoc makes of Proto/rpc/v1/protocol.proto (module
rpc.v1.protocol_pb2), and nothing of the Swift sources. One call runs at a time per thread of use;
several may be under way on one connection with `start` and `Call.result`.
"""

import socket
import ssl
import struct
import time
import zlib

from rpc.v1 import protocol_pb2 as wire

ALPN = "onside/1"

SETUP, CALL, HEADERS, MESSAGE, END, CANCEL, CREDIT, PING, PONG, DRAIN, CLOSE = range(1, 12)
MORE, COMPRESSED, HALF_CLOSE, HAS_MESSAGE, NOT_STARTED = 1, 2, 4, 8, 16

FRAME_LIMIT = 65_536
FRAGMENT = 16_384
STREAM_WINDOW = 65_536
CONNECTION_WINDOW = 1_048_576
MESSAGE_LIMIT = 4_194_304
LAST_STREAM = 0x7FFF_FFFF

CODES = (
    "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS "
    "PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED "
    "INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
).split()


class RPCError(Exception):
    """The status of a call that didn't end with OK."""

    def __init__(self, code, message, details=(), trailers=(), started=True):
        super().__init__(f"{CODES[code] if code < len(CODES) else code}: {message}")
        self.code = code
        self.message = message
        self.details = list(details)
        self.trailers = list(trailers)
        self.started = started

    @property
    def name(self):
        """The code's name."""
        return CODES[self.code] if self.code < len(CODES) else str(self.code)

    def detail(self, message_type):
        """The first detail of a protobuf type, decoded; None without one."""
        full_name = message_type.DESCRIPTOR.full_name
        for detail in self.details:
            if detail.type_url.rpartition("/")[2] == full_name:
                message = message_type()
                message.ParseFromString(detail.value)
                return message
        return None


class ConnectionClosed(Exception):
    """The connection ended: by a CLOSE with a code and a text, or without a word."""


class Call:
    """One call that is under way."""

    def __init__(self, connection, stream):
        self.connection = connection
        self.stream = stream
        self.initial_metadata = []
        self.trailing_metadata = []
        self.response = None
        self.error = None
        self.done = False
        self._parts = []
        self._compressed = False
        self._size = 0
        self._taken = 0
        self._unsent = b""
        self._window = connection.peer_stream_window

    def result(self):
        """Waits for the end, and returns the response's bytes or raises RPCError."""
        while not self.done:
            self.connection.read_frame()
        if self.error is not None:
            raise self.error
        return self.response

    def cancel(self):
        """Gives the call up; nothing is owed for it any more."""
        if not self.done:
            self.connection.send(CANCEL, self.stream)
            self.connection.forget(self, RPCError(1, "cancelled by the caller"))


class Connection:
    """A connection to a server."""

    def __init__(self, host, port, ca_file, certificate=None, timeout=10.0, compression=True):
        context = ssl.create_default_context(cafile=ca_file)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.set_alpn_protocols([ALPN])
        if certificate:
            context.load_cert_chain(*certificate)
        raw = socket.create_connection((host, port), timeout)
        self._socket = context.wrap_socket(raw, server_hostname=host)
        if self._socket.selected_alpn_protocol() != ALPN:
            raise ConnectionClosed(f"the server doesn't speak {ALPN}")
        self._received = bytearray()
        self._calls = {}
        self._next_stream = 1
        self._window = CONNECTION_WINDOW
        self._uncredited = 0
        self.peer = None
        self.peer_stream_window = STREAM_WINDOW
        self.draining = False
        setup = wire.Setup()
        if compression:
            setup.accepted_compression.append(wire.COMPRESSION_ZLIB)
        self.send(SETUP, 0, 0, setup.SerializeToString())

    # Frames

    def send(self, kind, stream, flags=0, payload=b""):
        """Sends one frame."""
        header = struct.pack(">IIBB", len(payload), stream, kind, flags)
        self._socket.sendall(header + payload)

    def read_frame(self):
        """Reads one frame and acts on it."""
        length, stream, kind, flags = struct.unpack(">IIBB", self._take(10))
        if length > FRAME_LIMIT:
            raise ConnectionClosed(f"a frame of {length} bytes")
        payload = self._take(length)
        if self.peer is None and kind != SETUP:
            raise ConnectionClosed("the server's first frame is no SETUP")
        if kind == SETUP:
            self._take_setup(payload)
        elif kind == HEADERS:
            self._take_headers(stream, payload)
        elif kind == MESSAGE:
            self._take_message(stream, flags, payload)
        elif kind == END:
            self._take_end(stream, flags, payload)
        elif kind == CREDIT:
            self._take_credit(stream, payload)
        elif kind == PING:
            self.send(PONG, 0, 0, payload)
        elif kind == DRAIN:
            self.draining = True
        elif kind == CLOSE:
            close = wire.Close.FromString(payload)
            self._end_all(ConnectionClosed(
                f"{wire.CloseCode.Name(close.code)}: {close.text}"))
        elif kind < 128 and kind != PONG:
            raise ConnectionClosed(f"a frame of type {kind}")

    def _take(self, count):
        while len(self._received) < count:
            data = self._socket.recv(65_536)
            if not data:
                self._end_all(ConnectionClosed("the connection ended without a CLOSE"))
            self._received += data
        taken = bytes(self._received[:count])
        del self._received[:count]
        return taken

    def _end_all(self, reason):
        calls, self._calls = self._calls, {}
        for call in calls.values():
            call.error = RPCError(14, str(reason))
            call.done = True
        raise reason

    # What frames say

    def _take_setup(self, payload):
        self.peer = wire.Setup.FromString(payload)
        growth = (self.peer.stream_window or STREAM_WINDOW) - STREAM_WINDOW
        self.peer_stream_window += growth
        self._window += (self.peer.connection_window or CONNECTION_WINDOW) - CONNECTION_WINDOW
        for call in list(self._calls.values()):
            call._window += growth
        self._send_waiting()

    def _take_headers(self, stream, payload):
        if stream in self._calls:
            headers = wire.Headers.FromString(payload)
            self._calls[stream].initial_metadata = metadata_pairs(headers.metadata)

    def _take_message(self, stream, flags, payload):
        self._return_credit(len(payload))
        call = self._calls.get(stream)
        if call is None:
            return
        if not call._parts:
            call._compressed = bool(flags & COMPRESSED)
        call._parts.append(payload)
        call._size += len(payload)
        if call._size > MESSAGE_LIMIT:
            self.send(CANCEL, stream)
            self.forget(call, RPCError(8, "the response is larger than the limit"))
            return
        call._taken += len(payload)
        if call._taken >= STREAM_WINDOW // 2:
            self.send(CREDIT, stream, 0, struct.pack(">I", call._taken))
            call._taken = 0
        if not flags & MORE:
            call.response = self._whole(b"".join(call._parts), call._compressed)
            call._parts = []

    def _take_end(self, stream, flags, payload):
        size, offset = read_varint(payload)
        status = wire.StatusMessage.FromString(payload[offset:offset + size])
        message = payload[offset + size:]
        self._return_credit(len(message))
        call = self._calls.pop(stream, None)
        if call is None:
            return
        call.trailing_metadata = metadata_pairs(status.trailers)
        call.done = True
        if status.code != 0:
            call.error = RPCError(
                status.code, status.message, status.details, call.trailing_metadata,
                started=not flags & NOT_STARTED)
        elif flags & HAS_MESSAGE:
            call.response = self._whole(message, bool(flags & COMPRESSED))
        elif call.response is None:
            call.error = RPCError(12, "OK without a response")

    def _whole(self, message, compressed):
        if not compressed:
            return message
        inflater = zlib.decompressobj()
        message = inflater.decompress(message, MESSAGE_LIMIT + 1)
        if len(message) > MESSAGE_LIMIT or not inflater.eof or inflater.unused_data:
            raise ConnectionClosed("a compressed message that isn't one zlib stream")
        return message

    def _return_credit(self, count):
        self._uncredited += count
        if self._uncredited >= CONNECTION_WINDOW // 2:
            self.send(CREDIT, 0, 0, struct.pack(">I", self._uncredited))
            self._uncredited = 0

    def _take_credit(self, stream, payload):
        (increment,) = struct.unpack(">I", payload)
        if stream == 0:
            self._window += increment
        elif stream in self._calls:
            self._calls[stream]._window += increment
        self._send_waiting()

    # Calls

    def start(self, method, request, timeout=None, metadata=(), compress=False):
        """Begins a unary call; `metadata` is a list of pairs with str or bytes values."""
        if self.draining or self._next_stream > LAST_STREAM:
            raise ConnectionClosed("the connection takes no new calls")
        header = wire.CallHeader(method=method)
        if timeout is not None:
            header.timeout_us = max(1, int(timeout * 1_000_000))
        for key, value in metadata:
            entry = header.metadata.add(key=key)
            if isinstance(value, bytes):
                entry.binary = value
            else:
                entry.ascii = value
        block = header.SerializeToString()
        prefix = write_varint(len(block)) + block
        call = Call(self, self._next_stream)
        self._next_stream += 2
        self._calls[call.stream] = call
        flags = HAS_MESSAGE
        if compress:
            while self.peer is None:
                self.read_frame()
            request = zlib.compress(request)
            flags |= COMPRESSED
        room = min(FRAME_LIMIT - len(prefix), call._window, self._window)
        first, call._unsent = request[:room], request[room:]
        if call._unsent and not first:
            raise RPCError(8, "no credit for the call", started=False)
        flags |= MORE if call._unsent else HALF_CLOSE
        self._spend(call, len(first))
        self.send(CALL, call.stream, flags, prefix + first)
        self._send_waiting()
        return call

    def call(self, method, request, **options):
        """Makes a unary call and returns the response's bytes."""
        return self.start(method, request, **options).result()

    def unary(self, method, request, response_type, **options):
        """Makes a unary call with protobuf messages."""
        response = response_type()
        response.ParseFromString(self.call(method, request.SerializeToString(), **options))
        return response

    def forget(self, call, error):
        """Ends a call on this side."""
        self._calls.pop(call.stream, None)
        call.error = error
        call.done = True

    def _spend(self, call, count):
        call._window -= count
        self._window -= count

    def _send_waiting(self):
        for call in list(self._calls.values()):
            while call._unsent:
                room = min(FRAGMENT, call._window, self._window)
                if room <= 0:
                    break
                part, call._unsent = call._unsent[:room], call._unsent[room:]
                self._spend(call, len(part))
                flags = HAS_MESSAGE | (MORE if call._unsent else HALF_CLOSE)
                self.send(MESSAGE, call.stream, flags, part)

    # Liveness and the end

    def ping(self):
        """Sends a PING and returns the seconds until its PONG."""
        sent = struct.pack(">Q", time.monotonic_ns())
        began = time.monotonic()
        self.send(PING, 0, 0, sent)
        while True:
            length, _, kind, _ = struct.unpack(">IIBB", self._peek(10))
            if kind == PONG:
                self._take(10)
                if self._take(length) != sent:
                    raise ConnectionClosed("a PONG with other bytes than its PING")
                return time.monotonic() - began
            self.read_frame()

    def _peek(self, count):
        taken = self._take(count)
        self._received[:0] = taken
        return taken

    def close(self):
        """Says goodbye and ends the connection."""
        try:
            self.send(CLOSE, 0, 0, wire.Close(code=0).SerializeToString())
            self._socket.unwrap()
        except OSError:
            pass  # The server may have closed first.
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def metadata_pairs(entries):
    """Metadata as a list of pairs."""
    return [
        (entry.key, entry.binary if entry.WhichOneof("value") == "binary" else entry.ascii)
        for entry in entries
    ]


def write_varint(number):
    """A protobuf varint."""
    data = bytearray()
    while number >= 0x80:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)


def read_varint(data):
    """A varint's value and the offset behind it."""
    value = shift = 0
    for offset, byte in enumerate(data[:10]):
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, offset + 1
        shift += 7
    raise ConnectionClosed("a varint that doesn't end")
