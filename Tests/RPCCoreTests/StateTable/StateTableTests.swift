import Glibc
import RPCCore
import Testing

@Suite struct StateTableTests {
  /// To write the page anew: UPDATE_DOCS=1 swift test --filter StateTableTests
  @Test func thePageIsWhatTheCodeDoes() {
    let page = StateTable.page
    if getenv("UPDATE_DOCS") != nil { #expect(PackageFile.write("Docs/state-table.md", page)) }
    #expect(PackageFile.read("Docs/state-table.md") == page)
  }

  /// No type that the protocol defines is missing, nor an undefined one of each kind.
  @Test func everyTypeHasARow() {
    let types = Set(StateTable.frames.map(\.frame.header.type.rawValue))
    #expect(types.isSuperset(of: 0...12) && types.contains { $0 >= 128 })
    #expect(Set(StreamSituation.server.map(\.name)).count == StreamSituation.server.count)
    #expect(Set(StreamSituation.client.map(\.name)).count == StreamSituation.client.count)
  }

  /// Every type × the flags alone and in pairs × payloads of several kinds × every state: an
  /// action, and never a trap; afterwards the connection still answers.
  @Test(arguments: StreamSituation.all.indices)
  func everythingGivesAnAction(_ index: Int) {
    let situation = StreamSituation.all[index]
    let payloads: [[UInt8]] = [
      [], [0], [0, 0, 0, 1], [2, 8, 13], CallPayload.header + [1, 2],
      [UInt8](repeating: 0xFF, count: 11),
      [1, 2, 3, 4, 5, 6, 7, 8],
    ]
    var actions: Set<String> = []
    for type: UInt8 in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 127, 128, 255] {
      for flags: UInt8 in [0, 1, 4, 8, 9, 10, 12, 16, 32, 255] {
        for stream: UInt32 in [0, 1, 2] {
          for payload in payloads {
            var endpoint = situation.makeEndpoint()
            let frame = Frame(
              FrameType(rawValue: type), stream, FrameFlags(rawValue: flags), payload)
            let event = endpoint.receive(frame)
            actions.insert(StateTable.outcome(event))
            checkAfterwards(event, &endpoint)
          }
        }
      }
    }
    #expect(actions.count > (situation.name == "connection closed" ? 0 : 3))
  }

  /// A violation closes with CLOSE as the last frame; anything else leaves the connection alive.
  private func checkAfterwards(_ event: Event, _ endpoint: inout Endpoint) {
    let wasClosed = endpoint.connection.isClosed
    guard case .violation = event else {
      if !wasClosed, endpoint.connection.peer.isReceived {
        let probe = endpoint.receive(Frame(.ping, 0, [], [1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(probe == .nothing)
      }
      return
    }
    #expect(wasClosed)
    #expect(endpoint.takeFrames().last?.header.type == .close)
    #expect(endpoint.receive(Frame(.ping, 0, [], [1, 2, 3, 4, 5, 6, 7, 8])) == .dropped)
  }
}
