import ProtobufWire
import RPC
import RPCClient
import RPCCore
import RPCTransport
import Testing

/// What a client's library does with a server that breaks the protocol: the call fails with the
/// reason, and nothing else happens.
@Suite struct HostileServerTests {
  /// Something that a server must not send, and the code of the CLOSE that it gets.
  struct Offence: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var code: String
    var sendsSetup = true
    var testDescription: String { name }

    static let all: [Offence] = [
      Offence(
        name: "a frame of 64 KiB and one byte",
        bytes: RawFrames.frame(4, stream: 1, length: 65_537), code: "TOO_LARGE"),
      Offence(
        name: "a frame of 4 GiB", bytes: RawFrames.frame(5, stream: 1, length: .max),
        code: "TOO_LARGE"),
      Offence(
        name: "an answer before SETUP", bytes: RawFrames.end(1, message: []),
        code: "PROTOCOL_ERROR", sendsSetup: false),
      Offence(name: "a second SETUP", bytes: RawFrames.setup, code: "PROTOCOL_ERROR"),
      Offence(name: "a call", bytes: RawFrames.echo(1), code: "PROTOCOL_ERROR"),
      Offence(name: "a CANCEL", bytes: RawFrames.frame(6, stream: 1), code: "PROTOCOL_ERROR"),
      Offence(name: "type 0", bytes: RawFrames.frame(0), code: "PROTOCOL_ERROR"),
      Offence(
        name: "an unknown flag", bytes: RawFrames.frame(5, stream: 1, flags: 64, payload: [0]),
        code: "PROTOCOL_ERROR"),
      Offence(
        name: "an answer to a call that was never made", bytes: RawFrames.end(99, message: []),
        code: "PROTOCOL_ERROR"),
      Offence(
        name: "OK inside a message",
        bytes: RawFrames.frame(4, stream: 1, flags: 1 | 8, payload: [1])
          + RawFrames.frame(5, stream: 1, payload: [0]),
        code: "PROTOCOL_ERROR"),
      Offence(
        name: "initial metadata behind a message",
        bytes: RawFrames.frame(4, stream: 1, flags: 8, payload: [])
          + RawFrames.frame(3, stream: 1), code: "PROTOCOL_ERROR"),
      Offence(
        name: "a status that can't be decoded",
        bytes: RawFrames.frame(5, stream: 1, payload: [3, 0xFF, 0xFF, 0xFF]),
        code: "PROTOCOL_ERROR"),
      Offence(
        name: "a status longer than its frame",
        bytes: RawFrames.frame(5, stream: 1, payload: [100, 8, 5]), code: "PROTOCOL_ERROR"),
      Offence(
        name: "a zero credit", bytes: RawFrames.frame(7, stream: 1, payload: [0, 0, 0, 0]),
        code: "FLOW_CONTROL"),
      Offence(
        name: "credit above 2³¹ − 1",
        bytes: RawFrames.frame(7, payload: [0x7F, 0xFF, 0xFF, 0xFF]), code: "FLOW_CONTROL"),
      Offence(
        name: "a PONG without a PING",
        bytes: RawFrames.frame(9, payload: [UInt8](repeating: 1, count: 8)),
        code: "PROTOCOL_ERROR"),
      Offence(
        name: "a DRAIN whose id rises",
        bytes: RawFrames.frame(10, payload: [8, 3]) + RawFrames.frame(10, payload: [8, 5]),
        code: "PROTOCOL_ERROR"),
      Offence(
        name: "another protocol", bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
        code: "", sendsSetup: false),
    ]
  }

  /// Calls a server that answers the first call with these bytes.
  private func call(
    _ answer: [UInt8], configure: (inout ClientConfiguration) -> Void = { _ in }
  ) async throws -> Result<EchoMessage, RPCError> {
    let certificates = try await TestCertificates.shared.value
    let group = try EventLoopGroup(loops: 1)
    let hasAnswered = Locked(false)
    let listener = try Listener.bind(
      to: .host("127.0.0.1", port: 0), tls: certificates.serverTLS(), group: group
    ) { _ in
      RawPeer(onReceived: { channel, state in
        guard state.frames.contains(where: { $0.header.type == .call }) else { return }
        let isFirst = hasAnswered.withLock { hasAnswered in
          defer { hasAnswered = true }
          return !hasAnswered
        }
        if isFirst { channel.withOutput { $0.append(answer) } }
      })
    }
    var configuration = ClientConfiguration.patient
    configuration.maximumAttempts = 1
    configure(&configuration)
    let client = RPCClient(
      to: .host("127.0.0.1", port: listener.localAddress.port),
      tls: try certificates.clientTLS(), group: group, configuration: configuration)
    let result: Result<EchoMessage, RPCError>
    do throws(RPCError) {
      result = .success(try await EchoServiceClient(client).echo(EchoMessage()))
    } catch {
      result = .failure(error)
    }
    await client.close()
    await listener.stop()
    await group.shutdown()
    return result
  }

  @Test(arguments: Offence.all)
  func everyOffenceFailsTheCallWithItsReason(offence: Offence) async throws {
    let result = try await call((offence.sendsSetup ? RawFrames.setup : []) + offence.bytes)
    guard case .failure(let error) = result else {
      Issue.record("the call succeeded: \(result)")
      return
    }
    #expect(error.code == .unavailable, "\(error)")
    #expect(error.message.contains(offence.code), "\(error)")
  }

  /// C22 at the client: one message too large is the end of its call, not of the connection.
  @Test func aResponseAboveTheClientsLimitFailsItsCallOnly() async throws {
    let part = [UInt8](repeating: 1, count: 60_000)
    let result = try await call(
      RawFrames.setup + RawFrames.frame(4, stream: 1, flags: 1 | 8, payload: part)
        + RawFrames.frame(4, stream: 1, flags: 8, payload: Array(part.prefix(5_000))),
      configure: { $0.connection.maximumMessageSize = 64_000 })
    guard case .failure(let error) = result else {
      Issue.record("the call succeeded: \(result)")
      return
    }
    #expect(error.code == .resourceExhausted, "\(error)")
  }

  @Test func aCompressedBombFailsItsCallOnly() async throws {
    let zeros = [UInt8](repeating: 0, count: 48 << 20)
    let bomb = try #require(zeros.withUnsafeBytes { Deflater(level: 9).deflate($0) })
    #expect(bomb.count < 64 * 1024)
    let result = try await call(
      RawFrames.setup + RawFrames.frame(5, stream: 1, flags: 2 | 8, payload: [0] + bomb))
    guard case .failure(let error) = result else {
      Issue.record("the call succeeded: \(result)")
      return
    }
    #expect(error.code == .resourceExhausted, "\(error)")
  }

  @Test func aFloodOfPingsEndsTheConnection() async throws {
    let ping = RawFrames.frame(8, payload: [UInt8](repeating: 9, count: 8))
    let result = try await call(RawFrames.setup + RawFrames.repeated(ping, doublings: 8))
    guard case .failure(let error) = result else {
      Issue.record("the call succeeded: \(result)")
      return
    }
    #expect(error.code == .unavailable && error.message.contains("BUDGET_EXCEEDED"), "\(error)")
  }
}
