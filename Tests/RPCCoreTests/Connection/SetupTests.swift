import Testing

@testable import RPCCore

@Suite struct SetupTests {
  private func receive(_ setup: Setup) -> (Event, PeerSettings) {
    var client = Endpoint(.client)
    let event = client.receive(Frame(.setup, 0, [], setup.encoded()))
    return (event, client.connection.peer)
  }

  @Test func absentMeansTheDefault() {
    let (event, peer) = receive(Setup())
    var expected = PeerSettings()
    expected.isReceived = true
    #expect(event == .setup && peer == expected)
  }

  @Test func roundTripOfEverything() throws {
    var setup = Setup()
    setup.minorVersion = 3
    setup.features = .max
    setup.maximumFramePayload = 70_000
    setup.maximumMessageSize = 9
    setup.maximumConcurrentCalls = 1
    setup.streamWindow = 70_000
    setup.connectionWindow = 0x7FFF_FFFF
    setup.acceptedCompression = [1, 300]
    setup.minimumPingMilliseconds = 1
    #expect(try Setup(decoding: setup.encoded().span.bytes) == setup)
    let (event, peer) = receive(setup)
    #expect(event == .setup)
    #expect(peer.minorVersion == 0 && peer.features == 0, "minimum and intersection")
    #expect(peer.acceptsZlib && peer.maximumMessageSize == 9 && peer.streamWindow == 70_000)
  }

  @Test(arguments: 0..<4)
  func valuesOutOfRange(_ index: Int) {
    let fields = [
      \Setup.maximumFramePayload, \Setup.streamWindow, \Setup.connectionWindow,
      \Setup.maximumMessageSize,
    ]
    let field = fields[index]
    var setup = Setup()
    setup[keyPath: field] = 0x8000_0000
    #expect(receive(setup).0 == .violation(.setup))
    setup[keyPath: field] = 65_535
    let isMessageSize = index == 3
    #expect(receive(setup).0 == (isMessageSize ? .setup : .violation(.setup)))
  }

  @Test func unknownFieldsAreSkipped() {
    var client = Endpoint(.client)
    let payload: [UInt8] = [0xA2, 0x06, 2, 1, 2, 0x28, 7]
    #expect(client.receive(Frame(.setup, 0, [], payload)) == .setup)
    #expect(client.connection.peer.maximumConcurrentCalls == 7)
  }

  @Test func exactlyOneAndFirst() {
    var client = Endpoint(.client)
    #expect(client.receive(Frame(.setup)) == .setup)
    #expect(client.receive(Frame(.setup)) == .violation(.setup))
    var other = Endpoint(.client)
    #expect(other.receive(Frame(.ping, 0, [], [1, 2, 3, 4, 5, 6, 7, 8])) == .violation(.setup))
  }
}
