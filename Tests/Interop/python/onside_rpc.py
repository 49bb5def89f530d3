"""A client of the wire protocol `onside/1`, after Docs/protocol.md.

It uses the standard library and the code that protoc makes of Proto/rpc/v1/protocol.proto (module
rpc.v1.protocol_pb2), and nothing of the Swift sources. A connection belongs to one thread; any
number of calls may be under way on it: whoever waits for one of them reads the frames of all.
"""

import collections
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
CONCURRENT_CALLS = 100
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


class Outgoing:
    """A message, or a bare half-close, that waits for credit."""

    def __init__(self, data, flags):
        self.rest = memoryview(data)
        self.flags = flags


class Call:
    """One call that is under way."""

    def __init__(self, connection, stream):
        self.connection = connection
        self.stream = stream
        self.initial_metadata = []
        self.trailing_metadata = []
        self.error = None
        self.done = False
        self.was_compressed = False  # How the message came that was taken last.
        self._window = connection.peer_stream_window
        self._outgoing = collections.deque()
        self._incoming = collections.deque()
        self._parts = []
        self._parts_size = 0
        self._parts_compressed = False
        self._uncredited = 0

    # Sending

    def send(self, message, compress=False):
        """Sends a message; returns when there was credit for all of it, or the call has ended."""
        flags = HAS_MESSAGE
        if compress:
            self.connection.wait_for_setup()
            message = zlib.compress(message)
            flags |= COMPRESSED
        self._outgoing.append(Outgoing(message, flags))
        self.connection.send_waiting()
        while self._outgoing and not self.done:
            self.connection.read_frame()

    def half_close(self):
        """Says that no further message comes."""
        if not self.done:
            self._outgoing.append(Outgoing(b"", HALF_CLOSE))
            self.connection.send_waiting()

    def cancel(self):
        """Gives the call up; nothing is owed for it any more."""
        if not self.done:
            self.connection.send(CANCEL, self.stream)
            self.connection.forget(self, RPCError(1, "cancelled by the caller"))

    # Receiving

    def receive(self):
        """Waits for the next message's bytes; None at the end of a call that went right."""
        while not self._incoming and not self.done:
            self.connection.read_frame()
        if self._incoming:
            message, self.was_compressed, credit = self._incoming.popleft()
            self.connection.return_stream_credit(self, credit)
            return message
        if self.error is not None:
            raise self.error
        return None

    def messages(self):
        """The messages up to the end; raises RPCError behind the last one of a failed call."""
        while (message := self.receive()) is not None:
            yield message

    def result(self):
        """The one response of a call that has one; raises RPCError for a failed call."""
        response = self.receive()
        if response is None:
            raise RPCError(12, "OK without a response")
        if self.receive() is not None:
            raise RPCError(12, "more than one response")
        return response

    # For the connection

    def add_part(self, data, compressed, is_last):
        """Takes a fragment; True when the message is whole."""
        if not self._parts:
            self._parts_compressed = compressed
        self._parts.append(data)
        self._parts_size += len(data)
        if not is_last:
            return False
        whole, self._parts, self._parts_size = b"".join(self._parts), [], 0
        self.add_message(whole, self._parts_compressed, len(data))
        return True

    def add_message(self, data, compressed, credit):
        """Takes a whole message; `credit` of its bytes is due when it is taken."""
        message = inflated(data) if compressed else data
        self._incoming.append((message, compressed, credit))


class Connection:
    """A connection to a server."""

    def __init__(self, host, port, ca_file, certificate=None, timeout=30.0, compression=True):
        context = ssl.create_default_context(cafile=ca_file)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.set_alpn_protocols([ALPN])
        if certificate:
            context.load_cert_chain(*certificate)
        raw = socket.create_connection((host, port), timeout)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = context.wrap_socket(raw, server_hostname=host)
        if self._socket.selected_alpn_protocol() != ALPN:
            raise ConnectionClosed(f"the server doesn't speak {ALPN}")
        self._received = bytearray()
        self._calls = {}
        self._next_stream = 1
        self._window = CONNECTION_WINDOW
        self._uncredited = 0
        self._ping = None
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
        if self.peer is None and kind not in (SETUP, CLOSE):
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
        elif kind == PONG:
            self._take_pong(payload)
        elif kind == DRAIN:
            self.draining = True
        elif kind == CLOSE:
            close = wire.Close.FromString(payload)
            self._end_all(ConnectionClosed(
                f"{wire.CloseCode.Name(close.code)}: {close.text}"))
        elif kind < 128:
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
        for call in list(self._calls.values()):
            self.forget(call, RPCError(14, str(reason)))
        raise reason

    # What frames say

    def wait_for_setup(self):
        """Reads frames until the server has said what it takes."""
        while self.peer is None:
            self.read_frame()

    def _take_setup(self, payload):
        self.peer = wire.Setup.FromString(payload)
        growth = (self.peer.stream_window or STREAM_WINDOW) - STREAM_WINDOW
        self.peer_stream_window += growth
        self._window += (self.peer.connection_window or CONNECTION_WINDOW) - CONNECTION_WINDOW
        for call in self._calls.values():
            call._window += growth
        self.send_waiting()

    def _take_headers(self, stream, payload):
        if stream in self._calls:
            headers = wire.Headers.FromString(payload)
            self._calls[stream].initial_metadata = metadata_pairs(headers.metadata)

    def _take_message(self, stream, flags, payload):
        self._return_connection_credit(len(payload))
        call = self._calls.get(stream)
        if call is None:
            return  # Given up; the frame was on its way.
        if call._parts_size + len(payload) > MESSAGE_LIMIT:
            self.send(CANCEL, stream)
            self.forget(call, RPCError(8, "the response is larger than the limit"))
            return
        if not call.add_part(payload, bool(flags & COMPRESSED), not flags & MORE):
            # Of a message that isn't whole: else one that is larger than the window would stop.
            self.return_stream_credit(call, len(payload))

    def _take_end(self, stream, flags, payload):
        size, offset = read_varint(payload)
        status = wire.StatusMessage.FromString(payload[offset:offset + size])
        message = payload[offset + size:]
        self._return_connection_credit(len(message))
        call = self._calls.pop(stream, None)
        if call is None:
            return
        call.trailing_metadata = metadata_pairs(status.trailers)
        call.done = True
        call._outgoing.clear()
        if status.code != 0:
            call.error = RPCError(
                status.code, status.message, status.details, call.trailing_metadata,
                started=not flags & NOT_STARTED)
        elif flags & HAS_MESSAGE:
            call.add_message(message, bool(flags & COMPRESSED), 0)

    def _return_connection_credit(self, count):
        self._uncredited += count
        if self._uncredited >= CONNECTION_WINDOW // 2:
            self.send(CREDIT, 0, 0, struct.pack(">I", self._uncredited))
            self._uncredited = 0

    def return_stream_credit(self, call, count):
        """Lets the server send more on a stream, in steps of half a window."""
        call._uncredited += count
        if call._uncredited >= STREAM_WINDOW // 2 and not call.done:
            self.send(CREDIT, call.stream, 0, struct.pack(">I", call._uncredited))
            call._uncredited = 0

    def _take_credit(self, stream, payload):
        (increment,) = struct.unpack(">I", payload)
        if stream == 0:
            self._window += increment
        elif stream in self._calls:
            self._calls[stream]._window += increment
        self.send_waiting()

    # Calls

    @property
    def slots(self):
        """How many further calls the server takes now."""
        limit = CONCURRENT_CALLS
        if self.peer is not None:
            limit = self.peer.max_concurrent_calls or CONCURRENT_CALLS
        return limit - len(self._calls)

    def open(self, method, timeout=None, metadata=(), message=None, half_close=False,
             compress=False):
        """Begins a call; `metadata` is a list of pairs with str or bytes values.

        With a message, as much of it as fits goes in the CALL frame. With `half_close` it is the
        call's last one, or there is none.
        """
        if self.draining or self._next_stream > LAST_STREAM:
            raise ConnectionClosed("the connection takes no new calls")
        prefix = call_prefix(method, timeout, metadata)
        if compress:
            self.wait_for_setup()
            message = zlib.compress(message)
        call = Call(self, self._next_stream)
        self._next_stream += 2
        self._calls[call.stream] = call
        flags, first = 0, b""
        if message is not None:
            room = max(0, min(FRAME_LIMIT - len(prefix), call._window, self._window))
            rest = memoryview(message)[room:]
            if room or not message:
                first = message[:room]
                flags = HAS_MESSAGE | (COMPRESSED if compress else 0)
                self._spend(call, len(first))
            if rest:
                flags |= MORE if first else 0
                start = HAS_MESSAGE | (COMPRESSED if compress and not first else 0)
                call._outgoing.append(
                    Outgoing(rest, start | (HALF_CLOSE if half_close else 0)))
        if half_close and not call._outgoing:
            flags |= HALF_CLOSE
        self.send(CALL, call.stream, flags, prefix + first)
        self.send_waiting()
        return call

    def start(self, method, request, **options):
        """Begins a call with one request."""
        return self.open(method, message=request, half_close=True, **options)

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
        call._outgoing.clear()
        call.error = error
        call.done = True

    def _spend(self, call, count):
        call._window -= count
        self._window -= count

    def send_waiting(self):
        """Sends what there is credit for, of all calls in turn."""
        for call in list(self._calls.values()):
            while call._outgoing and self._send_fragment(call, call._outgoing[0]):
                pass

    def _send_fragment(self, call, outgoing):
        """Sends the next fragment; False when there is no credit for one."""
        room = min(FRAGMENT, call._window, self._window)
        if room <= 0 and outgoing.rest:
            return False
        part, outgoing.rest = bytes(outgoing.rest[:room]), outgoing.rest[max(0, room):]
        self._spend(call, len(part))
        flags = outgoing.flags
        if outgoing.rest:
            flags = flags & ~HALF_CLOSE | MORE
        else:
            call._outgoing.popleft()
        # Stands on the first fragment only.
        outgoing.flags &= ~COMPRESSED
        self.send(MESSAGE, call.stream, flags, part)
        return True

    # Liveness and the end

    def ping(self):
        """Sends a PING and returns the seconds until its PONG."""
        began = time.monotonic()
        self._ping = struct.pack(">Q", time.monotonic_ns())
        self.send(PING, 0, 0, self._ping)
        while self._ping is not None:
            self.read_frame()
        return time.monotonic() - began

    def _take_pong(self, payload):
        if payload != self._ping:
            raise ConnectionClosed("a PONG that answers no PING")
        self._ping = None

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


def call_prefix(method, timeout, metadata):
    """What a CALL's payload begins with: the header behind its length."""
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
    return write_varint(len(block)) + block


def metadata_pairs(entries):
    """Metadata as a list of pairs."""
    return [
        (entry.key, entry.binary if entry.WhichOneof("value") == "binary" else entry.ascii)
        for entry in entries
    ]


def inflated(message):
    """What a compressed message says: one zlib stream and nothing behind it."""
    inflater = zlib.decompressobj()
    content = inflater.decompress(message, MESSAGE_LIMIT + 1)
    if len(content) > MESSAGE_LIMIT or not inflater.eof or inflater.unused_data:
        raise ConnectionClosed("a compressed message that isn't one zlib stream")
    return content


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
