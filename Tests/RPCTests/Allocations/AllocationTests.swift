import CAllocations
import Foundation
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

/// How many heap allocations the server makes for a unary call, against the numbers that are
/// checked in beside this file. They don't depend on how busy the machine is.
@Suite(.serialized, .enabled(if: callocations_available())) struct AllocationTests {
  private static let calls = 100

  /// The checked-in numbers: `NAME MOST-PER-CALL` on each line.
  private func threshold(_ call: String) throws -> Double {
    #if DEBUG
      let name = call + ".debug"
    #else
      let name = call + ".release"
    #endif
    let path = packageRoot + "/Tests/RPCTests/Allocations/thresholds.txt"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == name { return try #require(Double(words[1])) }
    }
    throw CommandFailed(text: "no line '\(name)' in \(path)")
  }

  /// Makes calls one after the other, and counts what the server's loop allocates for each.
  private func allocations(
    _ method: MethodDescriptor, _ server: EchoServer
  ) async throws -> Double {
    let group = try EventLoopGroup(loops: 1)
    let connection = try await RPCConnection.open(
      to: server.endpoint, tls: try server.certificates.clientTLS(), on: group.first)
    let chain = CallChain(connection, method)
    // The first calls fill what is kept: tables, spare contexts, scratch buffers.
    try await chain.run(100)
    let loop = server.group.first
    var fewest = UInt64.max
    // The least of several rounds: a loop that is interrupted makes more passes for the same calls.
    for _ in 0..<5 {
      let before = await loop.run { callocations_count() }
      try await chain.run(Self.calls)
      fewest = min(fewest, await loop.run { callocations_count() } - before)
    }
    await withCheckedContinuation { continuation in connection.close { continuation.resume() } }
    await group.shutdown()
    return Double(fewest) / Double(Self.calls)
  }

  @Test func anImmediateCall() async throws {
    try await withServer(
      loops: 1,
      register: {
        $0.immediate(EchoServiceMethods.echo) { (request, _, sink) throws(RPCError) in
          sink.write(size: request.count) { $0.copyMemory(from: request) }
          return .answered
        }
      }
    ) { server in
      let count = try await allocations(EchoServiceMethods.echo, server)
      print("allocations per immediate call: \(count)")
      #expect(try count <= threshold("immediate"))
    }
  }

  @Test func aCallWithATask() async throws {
    try await withServer(loops: 1) { server in
      let count = try await allocations(EchoServiceMethods.secret, server)
      print("allocations per call with a task: \(count)")
      #expect(try count <= threshold("task"))
    }
  }
}

/// Makes calls one after the other on one connection.
private final class CallChain: Sendable {
  private let connection: RPCConnection
  private let method: MethodDescriptor

  init(_ connection: RPCConnection, _ method: MethodDescriptor) {
    self.connection = connection
    self.method = method
  }

  func run(_ count: Int) async throws {
    for _ in 0..<count {
      let _: EchoMessage = try await connection.unary(method, EchoMessage(text: "0123456789"))
    }
  }
}
