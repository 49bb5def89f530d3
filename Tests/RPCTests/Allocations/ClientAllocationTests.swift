import CAllocations
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

/// What the client's machinery for retries costs those who don't use it: no allocation.
@Suite(.serialized, .enabled(if: callocations_available())) struct ClientAllocationTests {
  private static let calls = 100

  /// Makes calls one after the other with one call object, on the loop that they are started on,
  /// and counts what the loop allocates for each: the least of several rounds.
  private func allocations(_ invoker: any CallInvoker, on loop: EventLoop) async -> Double {
    let chain = ReusedCall(invoker)
    var fewest = UInt64.max
    for _ in 0..<6 { fewest = min(fewest, await chain.run(Self.calls, on: loop)) }
    return Double(fewest) / Double(Self.calls)
  }

  @Test func aClientWithoutPoliciesAllocatesNoMoreThanAConnection() async throws {
    try await withServers(1) { servers, group in
      let client = try await makeClient([servers[0].endpoint], group)
      let connection = try await RPCConnection.open(
        to: servers[0].endpoint, tls: try servers[0].certificates.clientTLS(), on: group.first)
      let plain = await allocations(connection, on: group.first)
      let pooled = await allocations(client, on: group.first)
      print("client's allocations per call: connection \(plain), pool \(pooled)")
      #expect(pooled <= plain + 0.5)
      await client.close()
      await withCheckedContinuation { continuation in connection.close { continuation.resume() } }
    }
  }

  @Test func policiesOfOtherMethodsCostNothingToo() async throws {
    try await withServers(1) { servers, group in
      let plain = try await makeClient([servers[0].endpoint], group)
      let other = try await makeClient([servers[0].endpoint], group) {
        $0.policies = CallPolicies(services: ["some.Other": .retry(RetryPolicy())])
      }
      let without = await allocations(plain, on: group.first)
      let with = await allocations(other, on: group.first)
      #expect(with <= without + 0.5)
      await plain.close()
      await other.close()
    }
  }
}

/// One call object, started again from its own completion.
private final class ReusedCall: Sendable {
  private let invoker: any CallInvoker
  private let state = Locked(State())

  private struct State {
    var left = 0
    var before: UInt64 = 0
    var call: OutgoingCall?
    var done: CheckedContinuation<UInt64, Never>?
  }

  init(_ invoker: any CallInvoker) { self.invoker = invoker }

  /// - Returns: The allocations of the loop's thread meanwhile.
  func run(_ count: Int, on loop: EventLoop) async -> UInt64 {
    await withCheckedContinuation { continuation in
      loop.post {
        let call = OutgoingUnaryCall<EchoMessage, EchoMessage>(
          EchoServiceMethods.echo, EchoMessage(text: "0123456789")
        ) { _ in self.ended() }
        self.state.withLock {
          $0 = State(
            left: count, before: callocations_count(), call: call, done: continuation)
        }
        self.invoker.start(call)
      }
    }
  }

  private func ended() {
    let (next, done, before) = state.withLock {
      state -> (OutgoingCall?, CheckedContinuation<UInt64, Never>?, UInt64) in
      state.left -= 1
      guard state.left == 0 else { return (state.call, nil, 0) }
      state.call = nil
      return (nil, state.done, state.before)
    }
    if let next { return invoker.start(next) }
    done?.resume(returning: callocations_count() - before)
  }
}
