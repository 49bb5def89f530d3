import RPCCore
import Testing

@testable import RPCTransport

@Suite struct TokenBucketTests {
  private let start = MonotonicInstant(nanoseconds: 1_000)

  private func after(_ seconds: Double) -> MonotonicInstant {
    start.advanced(byNanoseconds: Int64(seconds * 1_000_000_000))
  }

  @Test func aSecondsWorthPassesAtOnceAndThenTheRate() {
    var bucket = TokenBucket(rate: 10)
    for _ in 0..<10 {
      #expect(bucket.next(start) == start)
      bucket.take(start)
    }
    #expect(bucket.next(start) == after(0.1))
    #expect(bucket.next(after(0.1)) == after(0.1))
    bucket.take(after(0.1))
    #expect(bucket.next(after(0.1)) == after(0.2))
    // A rest saves up a second's worth, no more.
    for _ in 0..<10 {
      #expect(bucket.next(after(60)) == after(60))
      bucket.take(after(60))
    }
    #expect(bucket.next(after(60)) == after(60.1))
  }

  @Test func noRateIsNoLimit() {
    var bucket = TokenBucket(rate: 0)
    for _ in 0..<100_000 { bucket.take(start) }
    #expect(bucket.next(start) == start)
  }

  @Test func aRateBelowOneASecondIsOne() {
    var bucket = TokenBucket(rate: 1)
    bucket.take(start)
    #expect(bucket.next(start) == after(1))
  }
}

@Suite struct ConnectionAdmissionTests {
  private let now = MonotonicInstant(nanoseconds: 1)

  private func peer(_ address: UInt32, port: UInt16 = 1) -> SocketAddress {
    .ipv4(address: address, port: port)
  }

  private func admission(_ set: (inout ListenerOptions) -> Void) -> ConnectionAdmission {
    var options = ListenerOptions()
    options.maximumHandshakesPerSecond = 0
    set(&options)
    return ConnectionAdmission(options)
  }

  @Test func theTotalIsBounded() {
    var admission = admission { $0.maximumConnections = 2 }
    #expect(admission.accept(peer(1), now: now) == .taken(isPressed: false))
    #expect(admission.accept(peer(2), now: now) == .taken(isPressed: false))
    #expect(admission.accept(peer(3), now: now) == .full)
    admission.handshakeEnded()
    admission.ended(peer(1))
    #expect(admission.accept(peer(3), now: now) == .taken(isPressed: false))
    #expect(admission.open == 2)
  }

  @Test func oneAddressIsBoundedAndOthersAreNot() {
    var admission = admission { $0.maximumConnectionsPerAddress = 2 }
    for port in 1...2 as ClosedRange<UInt16> {
      #expect(admission.accept(peer(7, port: port), now: now) == .taken(isPressed: false))
    }
    #expect(admission.accept(peer(7, port: 3), now: now) == .addressFull)
    #expect(admission.accept(peer(8), now: now) == .taken(isPressed: false))
    admission.ended(peer(7, port: 9))
    #expect(admission.accept(peer(7, port: 4), now: now) == .taken(isPressed: false))
    #expect(admission.accept(peer(7, port: 5), now: now) == .addressFull)
  }

  /// The table is no memory leak, whoever comes and goes.
  @Test func addressesAreForgottenWithTheirConnections() {
    var admission = admission { _ in }
    for address in 0..<10_000 as Range<UInt32> {
      _ = admission.accept(peer(address), now: now)
      admission.handshakeEnded()
      admission.ended(peer(address))
    }
    #expect(admission.addressCount == 0 && admission.open == 0 && admission.handshaking == 0)
  }

  @Test func aWholeNetworkOfVersion6IsOneAddress() {
    func group(_ high: UInt64, _ low: UInt64) -> AddressGroup? {
      AddressGroup(.ipv6(high: high, low: low, port: 5, scope: 0))
    }
    #expect(group(1, 2) == group(1, .max))
    #expect(group(1, 2) != group(2, 2))
    // An IPv4 client is the same client when it comes through a socket for both.
    #expect(group(0, 0xFFFF_7F00_0001) == AddressGroup(peer(0x7F00_0001)))
    #expect(group(0, 1) != AddressGroup(peer(1)))
    #expect(AddressGroup(.unix(path: "")) == nil)
  }

  @Test func handshakesUnderWayMakeAcceptingWait() {
    var admission = admission { $0.maximumHandshakes = 4 }
    let pressed = (1...4).map { admission.accept(peer($0), now: now) }
    #expect(
      pressed == [
        .taken(isPressed: false), .taken(isPressed: false), .taken(isPressed: true),
        .taken(isPressed: true),
      ])
    #expect(admission.readiness(now) == .afterHandshake)
    admission.handshakeEnded()
    #expect(admission.readiness(now) == .now)
  }

  @Test func theRateMakesAcceptingWait() {
    var admission = admission { $0.maximumHandshakesPerSecond = 3 }
    for address in 1...3 as ClosedRange<UInt32> {
      #expect(admission.readiness(now) == .now)
      _ = admission.accept(peer(address), now: now)
    }
    guard case .at(let next) = admission.readiness(now) else {
      Issue.record("a fourth connection within the second")
      return
    }
    #expect((300_000_000...350_000_000).contains(next.nanoseconds(since: now)))
    #expect(admission.readiness(next) == .now)
  }

  /// Connections that are refused use nothing up.
  @Test func refusalsDoNotCountForTheRate() {
    var admission = admission {
      $0.maximumConnections = 1
      $0.maximumHandshakesPerSecond = 2
    }
    _ = admission.accept(peer(1), now: now)
    for _ in 0..<100 { #expect(admission.accept(peer(2), now: now) == .full) }
    #expect(admission.readiness(now) == .now)
  }
}
