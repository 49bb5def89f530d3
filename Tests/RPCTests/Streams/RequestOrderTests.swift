import Dispatch
import RPC
import Testing

/// A call whose carrier is written to on any thread, as the one in process is.
@Suite struct RequestOrderTests {
  /// The writer of the first request waits for the call to be opened, and goes on while that
  /// request is being handed over.
  @Test func nothingOvertakesARequestThatIsBeingHandedOver() async throws {
    let carrier = StuckCarrier()
    var events = carrier.events.makeAsyncIterator()
    let call = carrier.gather()
    // It waits when this returns.
    let first = Task.immediate { try await call.requests.send(EchoMessage(text: "1")) }
    carrier.open()
    #expect(await events.next() == .stuck)
    try await first.value
    try await call.requests.send(EchoMessage(text: "22"))
    call.requests.finish()
    carrier.gate.signal()
    #expect(await events.next() == .opened)
    #expect(carrier.seen.current == ["3 bytes", "4 bytes", "end"])
  }
}

/// Opens its call on a thread of its own, which gets stuck with the first request.
private final class StuckCarrier: CallInvoker, StreamCarrier {
  enum Event: Sendable { case stuck, opened }

  let interceptors: [any ClientInterceptor] = []
  let gate = DispatchSemaphore(value: 0)
  let seen = Locked<[String]>([])
  let events: AsyncStream<Event>
  private let tell: AsyncStream<Event>.Continuation
  private let stream = Locked<OutgoingStream?>(nil)
  private let isStuck = Locked(false)
  private let thread = DispatchQueue(label: "carrier")

  init() { (events, tell) = AsyncStream.makeStream() }

  func start(_ call: OutgoingCall) { stream.withLock { $0 = call as? OutgoingStream } }

  func cancel(_ call: OutgoingCall) {}

  func open() {
    thread.async {
      self.stream.current?.opened(by: self)
      self.tell.yield(.opened)
    }
  }

  var isHere: Bool { true }

  func post(_ work: @escaping @Sendable () -> Void) { work() }

  func write(
    _ call: OutgoingStream, size: Int, compression: MessageCompression,
    encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> RPCError? {
    let isFirst = isStuck.withLock { isStuck in
      defer { isStuck = true }
      return !isStuck
    }
    if isFirst {
      tell.yield(.stuck)
      gate.wait()
    }
    seen.withLock { $0.append("\(size) bytes") }
    return nil
  }

  func halfClose(_ call: OutgoingStream) { seen.withLock { $0.append("end") } }

  func returnCredit(_ call: OutgoingStream, _ bytes: Int) {}
}
