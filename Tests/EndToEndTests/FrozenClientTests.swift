import Glibc
import Testing

@Suite("A client that freezes", .timeLimit(.minutes(2)))
struct FrozenClientTests {
  /// A SETUP that allows a PING every millisecond.
  private static let setup = "\0\0\0\u{2}\0\0\0\0\u{1}\0H\u{1}"

  @Test("C29: a client process that is stopped is noticed by its silence, and closed")
  func stopped() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(
      workspace,
      [
        "--keep-alive-interval", "0.2", "--keep-alive-timeout", "0.2",
        "--keep-alive-without-calls", "--metrics-interval", "3600",
      ])
    let input = try workspace.write(Self.setup, to: "setup")
    let client = try RunningProcess(
      "/bin/sh",
      [
        "-c",
        "exec openssl s_client -quiet -alpn onside/1 -connect \(server.address) "
          + "-CAfile \(workspace.certificates)/ca.pem < \(input)",
      ])
    await client.waitForErrors("verify return:1")
    client.signal(SIGSTOP)
    await server.waitForLog("no PONG in time")
    // The server doesn't wait for it, though it never says goodbye.
    let end = try await server.stop()
    client.signal(SIGKILL)
    #expect(end.errors.contains("a peer broke the protocol"))
    #expect(end.errors.contains("\"keepAliveTimeout\":1"))
    #expect(end.errors.contains("\"open_connections\":0"))
  }
}
