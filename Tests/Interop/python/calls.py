#!/usr/bin/python3
"""The interoperability list of the gRPC project over this protocol, from Python.

    calls.py --target HOST:PORT --ca FILE [--concurrent N] [--soak N]

The server has to offer interop.v1.InteropService (Proto/interop/v1/test.proto). The code of the
messages is made by protoc from Proto/ into a temporary folder at each run. Needs Debian's
python3-protobuf and protobuf-compiler. Prints a line for each step. Exit codes: 0 all steps as they
should be; 1 a step went wrong, which is named; 2 wrong usage or a tool is missing.
"""

import argparse
import collections

from steps import Steps, connect, connection_arguments

SERVICE = "interop.v1.InteropService/"

# The sizes of gRPC's list.
LARGE_REQUEST, LARGE_RESPONSE = 271_828, 314_159
REQUESTS = (27_182, 8, 1_828, 45_904)
RESPONSES = (31_415, 9, 2_653, 58_979)

SPECIAL_TEXT = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n"


class InteropCalls:
    """The calls of the service, with its messages."""

    def __init__(self, connection):
        from interop.v1 import test_pb2
        self.connection = connection
        self.messages = test_pb2

    def unary_request(self, size=LARGE_RESPONSE, body=bytes(LARGE_REQUEST), **fields):
        return self.messages.UnaryRequest(
            response_size=size, body=body, **fields).SerializeToString()

    def stream_request(self, *sizes, body=b"", pause=0.0, compressed=0, status=None):
        """A StreamRequest's bytes that asks for responses of these sizes."""
        request = self.messages.StreamRequest(body=body, status=status)
        for size in sizes:
            request.responses.add(
                size=size, pause_us=int(pause * 1_000_000), compressed=compressed)
        return request.SerializeToString()

    def size(self, response):
        """How many bytes of zeros a response's body has; -1 if it has others."""
        content = self.messages.Body.FromString(response).content
        return len(content) if not any(content) else -1

    def large(self):
        """Begins a large unary call."""
        return self.connection.start(SERVICE + "Unary", self.unary_request(), timeout=60)

    def finish_large(self, call):
        """The size of its response. A call that came before the slot of an earlier one was free
        again was never started, and is made once more."""
        from onside_rpc import RPCError
        while True:
            try:
                return self.size(call.result())
            except RPCError as error:
                if error.started:
                    raise
                call = self.large()

    def unary(self, request, **options):
        return self.size(self.connection.call(SERVICE + "Unary", request, **options))


def unary(steps, calls):
    """empty_unary, large_unary."""
    answer = calls.connection.call(SERVICE + "Empty", b"")
    steps.check("empty unary", answer == b"", answer)
    size = calls.unary(calls.unary_request())
    steps.check("large unary", size == LARGE_RESPONSE, size)


def streaming(steps, calls):
    """client_streaming, server_streaming, ping_pong, empty_stream, half-duplex."""
    connection, messages = calls.connection, calls.messages
    call = connection.open(SERVICE + "ClientStream")
    for size in REQUESTS:
        call.send(messages.UploadRequest(body=bytes(size)).SerializeToString())
    call.half_close()
    upload = messages.UploadResponse.FromString(call.result())
    steps.check("client streaming", (upload.size, upload.count) == (74_922, 4), upload)

    call = connection.start(SERVICE + "ServerStream", calls.stream_request(*RESPONSES))
    sizes = [calls.size(response) for response in call.messages()]
    steps.check("server streaming", sizes == list(RESPONSES), sizes)

    call = connection.open(SERVICE + "PingPong")
    sizes = []
    for request, response in zip(REQUESTS, RESPONSES):
        call.send(calls.stream_request(response, body=bytes(request)))
        sizes.append(calls.size(call.receive()))
    call.half_close()
    steps.check("ping-pong", sizes == list(RESPONSES) and call.receive() is None, sizes)

    call = connection.open(SERVICE + "PingPong", half_close=True)
    steps.check("empty stream", call.receive() is None)

    call = connection.open(SERVICE + "Gather")
    for request, response in zip(REQUESTS, RESPONSES):
        call.send(calls.stream_request(response, body=bytes(request)))
    call.half_close()
    sizes = [calls.size(response) for response in call.messages()]
    steps.check("all requests, then all responses", sizes == list(RESPONSES), sizes)


def long_streams(steps, calls):
    """What needs credit: messages larger than the window, and a reader that comes late."""
    connection = calls.connection
    call = connection.start(SERVICE + "ServerStream", calls.stream_request(*[200_000] * 20))
    other = calls.unary(calls.unary_request(10, b""))
    sizes = [calls.size(response) for response in call.messages()]
    steps.check(
        "4 MB in messages larger than the window, read after another call",
        other == 10 and sizes == [200_000] * 20, sizes)
    call = connection.open(SERVICE + "PingPong")
    sizes = []
    for _ in range(20):
        call.send(calls.stream_request(200_000, body=bytes(200_000)))
        sizes.append(calls.size(call.receive()))
    call.half_close()
    steps.check(
        "the same both ways", sizes == [200_000] * 20 and call.receive() is None, sizes)


def metadata(steps, calls):
    """custom_metadata, with a unary and a streaming call."""
    sent = [("x-echo-initial", "initial value"), ("x-other", "not echoed"),
            ("x-echo-trailing", b"\x0a\x0b\x0a\xff"), ("x-echo-trailing", "second")]
    connection = calls.connection
    first = connection.start(SERVICE + "Unary", calls.unary_request(1, b"x"), metadata=sent)
    first.result()
    second = connection.open(SERVICE + "PingPong", metadata=sent)
    second.send(calls.stream_request(1))
    second.receive()
    early = second.initial_metadata
    second.half_close()
    second.receive()
    for name, call in (("unary", first), ("ping-pong", second)):
        initial, trailing = call.initial_metadata, call.trailing_metadata
        steps.check(
            f"custom metadata, {name}",
            initial == [sent[0]] and trailing == sent[2:], (initial, trailing))
    steps.check("initial metadata is there with the first response", early == [sent[0]], early)


def statuses(steps, calls):
    """status_code_and_message, special_status_message, unimplemented method and service."""
    from onside_rpc import RPCError
    connection, messages = calls.connection, calls.messages

    def ended(call):
        try:
            for _ in call.messages():
                pass
        except RPCError as error:
            return error.code, error.message
        return 0, ""

    for name, text in (("status code and message", "test status message"),
                       ("special status message", SPECIAL_TEXT)):
        status = messages.RequestedStatus(code=2, message=text)
        found = ended(connection.start(
            SERVICE + "Unary", calls.unary_request(0, b"", status=status)))
        steps.check(f"{name}, unary", found == (2, text), found)
        call = connection.open(SERVICE + "PingPong")
        call.send(calls.stream_request(status=status))
        found = ended(call)
        steps.check(f"{name}, ping-pong", found == (2, text), found)
    for code in range(1, 17):
        status = messages.RequestedStatus(code=code, message=f"number {code}")
        call = connection.start(SERVICE + "ServerStream", calls.stream_request(5, status=status))
        first, found = calls.size(call.receive()), ended(call)
        steps.check(f"a response, then code {code}",
                    (first, *found) == (5, code, f"number {code}"), found)
    for name, method in (("method", SERVICE + "Missing"),
                         ("service", "interop.v1.MissingService/Call")):
        found = ended(connection.start(method, b""))
        steps.check(f"unimplemented {name}", found[0] == 12, found)


def giving_up(steps, calls):
    """cancel_after_begin, cancel_after_first_response, timeout_on_sleeping_server."""
    connection = calls.connection
    call = connection.open(SERVICE + "ClientStream")
    call.cancel()
    steps.refused("cancel after begin", "CANCELLED", None, call.receive)
    call = connection.open(SERVICE + "PingPong")
    call.send(calls.stream_request(31_415, body=bytes(27_182)))
    first = calls.size(call.receive())
    call.cancel()
    steps.check("a response before the cancel", first == 31_415, first)
    steps.refused("cancel after the first response", "CANCELLED", None, call.receive)
    call = connection.start(
        SERVICE + "ServerStream", calls.stream_request(*[200_000] * 100))
    calls.size(call.receive())
    call.cancel()
    size = calls.unary(calls.unary_request())
    steps.check("calls go on beside what a cancelled one still gets", size == LARGE_RESPONSE, size)
    call = connection.open(SERVICE + "PingPong", timeout=0.001)
    call.send(calls.stream_request(1, pause=60))
    steps.refused("timeout on a sleeping server", "DEADLINE_EXCEEDED", None, call.receive)
    call = connection.start(
        SERVICE + "ServerStream", calls.stream_request(1, pause=60), timeout=0.001)
    steps.refused(
        "timeout on a sleeping server, one request", "DEADLINE_EXCEEDED", None, call.receive)


def compression(steps, calls):
    """client_compressed_unary and _streaming, server_compressed_unary and _streaming."""
    connection, messages = calls.connection, calls.messages
    for compress, choice in ((True, 1), (False, 2)):
        word = "compressed" if compress else "not compressed"
        request = calls.unary_request(request_compressed=choice)
        size = calls.unary(request, compress=compress)
        steps.check(f"a request {word}", size == LARGE_RESPONSE, size)
        steps.refused(
            f"a request that is {word}, and shouldn't be", "INVALID_ARGUMENT", None,
            lambda: calls.unary(request, compress=not compress))
        call = connection.start(
            SERVICE + "Unary", calls.unary_request(response_compressed=choice))
        size = calls.size(call.receive())
        steps.check(f"a response {word}",
                    (size, call.was_compressed) == (LARGE_RESPONSE, compress),
                    (size, call.was_compressed))
        call.receive()

    call = connection.open(SERVICE + "ClientStream")
    for size, compress in ((27_182, True), (45_904, False), (8, True)):
        call.send(
            messages.UploadRequest(
                body=bytes(size), compressed=1 if compress else 2).SerializeToString(),
            compress=compress)
    call.half_close()
    upload = messages.UploadResponse.FromString(call.result())
    steps.check("a client's stream, each message as it likes", upload.size == 73_094, upload)

    request = messages.StreamRequest()
    for size, choice in ((31_415, 1), (92_653, 2), (100_000, 1)):
        request.responses.add(size=size, compressed=choice)
    call = connection.start(SERVICE + "ServerStream", request.SerializeToString())
    found = [(calls.size(response), call.was_compressed) for response in call.messages()]
    steps.check("a server's stream, each message as it is asked for",
                found == [(31_415, True), (92_653, False), (100_000, True)], found)


def many(steps, calls, concurrent, soak):
    """concurrent_large_unary, rpc_soak."""
    connection = calls.connection
    waiting, sizes = collections.deque(), []
    connection.wait_for_setup()
    for _ in range(concurrent):
        while connection.slots <= 0:
            sizes.append(calls.finish_large(waiting.popleft()))
        waiting.append(calls.large())
    sizes += [calls.finish_large(call) for call in waiting]
    steps.check(f"{concurrent} large calls, as many at a time as the server takes",
                sizes == [LARGE_RESPONSE] * concurrent, len(sizes))
    wrong = 0
    for number in range(soak):
        wrong += calls.unary(calls.unary_request(number % 7_000, bytes(number % 5_000))) \
            != number % 7_000
    steps.check(f"{soak} calls one after the other", wrong == 0, wrong)
    steps.check("a PING has its PONG", connection.ping() >= 0)


def main():
    parser = argparse.ArgumentParser(description="the interoperability list")
    connection_arguments(parser)
    parser.add_argument("--concurrent", type=int, default=1_000, metavar="N")
    parser.add_argument("--soak", type=int, default=1_000, metavar="N")
    options = parser.parse_args()
    steps = Steps()
    with connect(options, steps, "interop/v1") as connection:
        calls = InteropCalls(connection)
        unary(steps, calls)
        streaming(steps, calls)
        long_streams(steps, calls)
        metadata(steps, calls)
        statuses(steps, calls)
        giving_up(steps, calls)
        compression(steps, calls)
        many(steps, calls, options.concurrent, options.soak)
    steps.end()


if __name__ == "__main__":
    main()
