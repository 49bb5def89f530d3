import RPCCore
import Testing

@testable import RPCTransport

/// A handler that takes little at a time leaves the loop to others in between, and loses nothing.
@Suite("Channels that yield")
struct YieldTests {
  @Test func whatIsLeftComesInTheNextPasses() async throws {
    let certificates = try await TestCertificates.shared.value
    let tls = try ClientTLS(certificates.client)
    let clients = try EventLoopGroup(loops: 1)
    let taken = EventLog<UInt8>()
    try await TestServer.with(
      certificates.server, loops: 1, handler: { _, ends in ModestHandler(taken, ends) }
    ) { server in
      let loop = server.group.first
      let connection = try await TestConnection.open(server.endpoint, tls, clients)
      let before = await loop.run { loop.passes }
      // More than one TLS record, and the end right behind.
      let sent = pattern(20_000, seed: 3)
      await connection.send(sent)
      _ = await connection.close()
      #expect(await taken.wait(for: sent.count) == sent)
      #expect(await server.ends.wait(for: 1)[0].code == .endOfStream)
      // A channel may have its turn twice in a pass: when epoll names it, and from the list.
      let after = await loop.run { loop.passes }
      #expect(after - before >= sent.count / ModestHandler.portion / 2)
    }
    await clients.shutdown()
  }
}

/// Takes a hundred bytes a pass, and notes them.
private final class ModestHandler: ChannelHandler {
  static let portion = 100

  private let taken: EventLog<UInt8>
  private let ends: EndLog
  private var isDone = false

  init(_ taken: EventLog<UInt8>, _ ends: EndLog) {
    self.taken = taken
    self.ends = ends
  }

  func channelReceived(_ channel: Channel, bytes: UnsafeRawBufferPointer) -> Int {
    channel.yieldReading()
    guard !isDone else { return 0 }
    isDone = true
    let portion = bytes.prefix(Self.portion)
    for byte in portion { taken.add(byte) }
    return portion.count
  }

  func channelPassEnded(_ channel: Channel) {
    isDone = false
  }

  func channelEnded(_ channel: Channel, reason: ChannelEnd) {
    ends.add(reason)
  }
}
