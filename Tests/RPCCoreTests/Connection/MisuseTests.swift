import RPCCore
import Testing

@Suite struct MisuseTests {
  @Test func ourMistakesAreNeitherViolationsNorDrops() {
    var pair = Pair()
    #expect(pair.client.send(9, [1]) == .misuse(.unknownStream))
    #expect(pair.client.cancel(2) == .misuse(.unknownStream))
    #expect(pair.client.end(1, .ok) == .misuse(.wrongRole))
    #expect(pair.server.open() == nil)
    _ = pair.open()
    #expect(pair.client.send(1, [1]) == .misuse(.afterEnd))
    _ = pair.deliverToServer()
    #expect(pair.server.send(1, [1]) == .sent)
    #expect(
      pair.server.connection.sendHeaders(StreamID(1), Metadata(), into: &pair.server.output)
        == .misuse(.headersTooLate))
    #expect(pair.server.end(1, .ok) == .sent)
    #expect(pair.server.end(1, .ok) == .misuse(.afterEnd))
    #expect(pair.server.send(1, [1]) == .misuse(.afterEnd))
    pair.server.handlerEnded(1)
    #expect(pair.server.send(1, [1]) == .dropped)
    #expect(pair.server.connection.isClosed == false)
    #expect(pair.client.connection.isClosed == false)
  }

  @Test func messagesThatThePeerDoesNotTake() {
    var configuration = ConnectionConfiguration()
    configuration.maximumMessageSize = 100
    var pair = Pair(client: configuration, server: configuration)
    let big = [UInt8](repeating: 0, count: 101)
    let opened = pair.client.connection.openCall(
      MethodPath("a.B/C"), messageCapacity: big.count, into: &pair.client.output
    ) { _ in big.count }
    #expect(opened == .misuse(.messageTooLarge))
    #expect(pair.client.output.isEmpty == true)
    #expect(pair.client.connection.liveCalls == 0)
    _ = pair.open("a.B/C", [], halfClose: false)
    #expect(pair.client.send(1, big) == .misuse(.messageTooLarge))
    let compressed = pair.client.connection.sendMessage(
      StreamID(1), messageCapacity: 1, isCompressed: true, into: &pair.client.output
    ) { _ in 1 }
    #expect(compressed == .misuse(.compressionNotAccepted))
  }

  @Test func anUpperBoundMayBeLargerThanTheMessage() {
    var pair = Pair()
    let opened = pair.client.connection.openCall(
      MethodPath("a.B/C"), messageCapacity: 1_000, into: &pair.client.output
    ) { room in
      room[0] = 42
      return 1
    }
    #expect(opened == .opened(StreamID(1)))
    #expect(
      pair.deliverToServer() == [
        .call(1, method: "a.B/C", message: [42], timeout: nil, halfClosed: true)
      ])
  }

  @Test func afterTheCallIsOverSendingIsADrop() {
    var pair = Pair()
    _ = pair.open("a.B/C", [], halfClose: false)
    _ = pair.deliverToServer()
    _ = pair.client.cancel(1)
    _ = pair.deliverToServer()
    #expect(pair.server.send(1, [1]) == .dropped)
    #expect(pair.server.end(1, .ok) == .dropped)
    #expect(pair.server.output.isEmpty == true)
    #expect(pair.client.send(1, [1]) == .dropped)
    #expect(pair.client.cancel(1) == .dropped)
  }
}
