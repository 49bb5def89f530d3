import CLinux
import RPCCore
import Testing

@testable import RPCTransport

/// The kernel gives a connection up whose peer acknowledges nothing, on both sides.
@Suite("The kernel's time limit for unacknowledged output")
struct UserTimeoutTests {
  @Test func isTwiceTheTimeForAWriteThatStalls() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    try await TestServer.with(certificates.server) { server in
      var options = ChannelOptions()
      options.writeStallTimeout = .seconds(7)
      let connection = try await TestConnection.open(
        server.endpoint, tls, server.group, options: options)
      #expect(await connection.echo([1]) == [1])
      var timeouts: [Int32] = []
      for loop in server.group.loops {
        timeouts += await loop.run {
          loop.channels.map {
            clinux_get_option($0.descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT)
          }
        }
      }
      // The client's, and the server's with its default of 30 s.
      #expect(timeouts.sorted() == [14_000, 60_000])
      _ = await connection.close()
    }
  }
}
