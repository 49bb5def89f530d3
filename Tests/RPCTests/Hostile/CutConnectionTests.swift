import ProtobufWire
import RPC
import RPCClient
import RPCServer
import RPCTransport
import Testing

/// What a connection that is cut at any byte must not do: pass off a part as the whole.
@Suite struct CutConnectionTests {
  @Test func noCallRunsThatDidNotComeWhole() async throws {
    let runs = Locked(0)
    let counted = MethodDescriptor(service: "t", method: "Counted", shape: .unary)
    try await withServer(
      loops: 1,
      register: { registry in
        registry.unary(counted) { (request: EchoMessage, _) in
          runs.withLock { $0 += 1 }
          return request
        }
        registry.authorize(counted, .anyone)
      }
    ) { server in
      // The request comes in two frames: CALL with MORE, then MESSAGE with HALF_CLOSE.
      let message = EchoMessage(text: "whole or not at all").serialized()
      let exchange =
        RawFrames.setup
        + RawFrames.call(1, "t/Counted", message: Array(message.prefix(9)), flags: 1 | 8)
        + RawFrames.frame(4, stream: 1, flags: 4 | 8, payload: Array(message.dropFirst(9)))
      for cut in 0..<exchange.count {
        let peer = try await RawPeer.connect(server, setup: false)
        await peer.send(Array(exchange.prefix(cut)))
        await peer.close()
        _ = await peer.ended()
      }
      #expect(runs.current == 0)
      let peer = try await RawPeer.connect(server, setup: false)
      await peer.send(exchange)
      #expect(await peer.answer(1).end(of: 1) == [0] + message)
      #expect(runs.current == 1)
      await peer.close()
    }
  }

  /// A server that answers the first call with the start of a recorded answer, and hangs up.
  private func call(
    _ answer: [UInt8], cut: Int, _ mode: Channel.CloseMode, _ group: EventLoopGroup
  ) async throws -> Result<EchoMessage, RPCError> {
    let certificates = try await TestCertificates.shared.value
    let sent = Array(answer.prefix(cut))
    let listener = try Listener.bind(
      to: .host("127.0.0.1", port: 0), tls: certificates.serverTLS(), group: group
    ) { _ in
      RawPeer(onReceived: { channel, state in
        guard state.frames.contains(where: { $0.header.type == .call }) else { return }
        channel.withOutput { $0.append(sent) }
        channel.close(mode)
      })
    }
    var configuration = ClientConfiguration.patient
    configuration.maximumAttempts = 1
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
    return result
  }

  @Test(arguments: [false, true])
  func noAnswerCountsThatDidNotComeWhole(inFragments: Bool) async throws {
    let group = try EventLoopGroup(loops: 1)
    let message = EchoMessage(text: "whole or not at all").serialized()
    var answer = RawFrames.setup
    if inFragments {
      answer += RawFrames.frame(4, stream: 1, flags: 1 | 8, payload: Array(message.prefix(7)))
      answer += RawFrames.frame(4, stream: 1, flags: 8, payload: Array(message.dropFirst(7)))
      answer += RawFrames.frame(5, stream: 1, payload: [0])
    } else {
      answer += RawFrames.end(1, message: message)
    }
    for cut in 0..<answer.count {
      let outcome = try await call(answer, cut: cut, .graceful, group)
      guard case .failure(let error) = outcome else {
        Issue.record("cut at \(cut): \(outcome)")
        continue
      }
      #expect(error.code == .unavailable, "cut at \(cut)")
      #expect(error.phase == .sent, "cut at \(cut)")
    }
    let whole = try await call(answer, cut: answer.count, .graceful, group)
    #expect(try whole.get().text == "whole or not at all")
    await group.shutdown()
  }
}
