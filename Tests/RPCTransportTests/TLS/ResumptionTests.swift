import RPCCore
import Testing

@testable import RPCTransport

@Suite("Session resumption")
struct ResumptionTests {
  /// Connects, has a byte echoed (so that the ticket has arrived), closes; whether it was resumed.
  private func visit(_ server: TestServer, _ tls: ClientTLS) async throws -> Bool {
    let connection = try await TestConnection.open(server.endpoint, tls, server.group)
    #expect(await connection.echo([7]) == [7])
    let isResumed = await connection.security.isResumed
    _ = await connection.close()
    return isResumed
  }

  /// The second connection resumes; after two changes of the ticket key nothing old does (row 16).
  @Test func ticketsLiveThroughOneKeyChangeAndNotTwo() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      #expect(try await visit(server, tls) == false)
      #expect(try await visit(server, tls) == true)
      server.tls.rotateTicketKeys()
      #expect(try await visit(server, tls) == true)
      server.tls.rotateTicketKeys()
      server.tls.rotateTicketKeys()
      // Every session that this client holds is from before.
      let other = try ClientTLS(certificates.client)
      #expect(try await visit(server, other) == false)
      #expect(try await visit(server, tls) == false)
      #expect(server.listener.counters.resumed == 2)
    }
  }

  @Test func severalConnectionsAtOnceResume() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      _ = try await visit(server, tls)
      let resumed = try await withThrowingTaskGroup(of: Bool.self) { tasks in
        for _ in 0..<20 { tasks.addTask { try await visit(server, tls) } }
        return try await tasks.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(resumed == 20)
      #expect(tls.sessions.count(server.endpoint) <= 8)
    }
  }

  @Test func resumptionCanBeSwitchedOff() async throws {
    let certificates = try await TestCertificates.shared.value
    var client = certificates.client
    client.sessionsPerServer = 0
    let tls = try ClientTLS(client)
    try await TestServer.with(certificates.server) { server in
      let resumed = [try await visit(server, tls), try await visit(server, tls)]
      #expect(resumed == [false, false])
    }
  }

  /// A session with one server isn't offered to another.
  @Test func sessionsBelongToTheirServer() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { first in
      try await TestServer.with(certificates.server) { second in
        _ = try await visit(first, tls)
        #expect(tls.sessions.count(first.endpoint) == 1)
        #expect(tls.sessions.count(second.endpoint) == 0)
        let isResumed = try await visit(second, tls)
        #expect(!isResumed)
      }
    }
  }

  @Test func ticketKeysChangeWithTime() {
    let keys = TicketKeys(lifetime: 100)
    let start = MonotonicInstant.current()
    func at(_ offset: Int64) -> MonotonicInstant { start.advanced(byNanoseconds: offset) }
    keys.rotate(at: start)
    let first = keys.forNewTicket(at: at(99))
    func isFirst(_ offset: Int64) -> Bool? {
      first.name.withUnsafeBufferPointer { keys.named($0, at: at(offset))?.isCurrent }
    }
    #expect(isFirst(99) == true)
    let second = keys.forNewTicket(at: at(100))
    #expect(second.name != first.name && second.cipher != first.cipher && second.mac != first.mac)
    #expect(isFirst(150) == false)
    #expect(isFirst(200) == nil)
    _ = keys.forNewTicket(at: at(1_000))
    let names = [first, second].map { key in
      key.name.withUnsafeBufferPointer { keys.named($0, at: at(1_000)) != nil }
    }
    #expect(names == [false, false])
  }

  @Test func unknownKeyNameIsNotFound() {
    let keys = TicketKeys(lifetime: 1_000_000_000_000)
    let name = [UInt8](repeating: 0, count: 16)
    #expect(name.withUnsafeBufferPointer { keys.named($0) == nil })
    let key = keys.forNewTicket()
    keys.discardAll()
    #expect(key.name.withUnsafeBufferPointer { keys.named($0) == nil })
  }
}
