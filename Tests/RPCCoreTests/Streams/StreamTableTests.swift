import RPCSimulation
import Testing

@testable import RPCCore

@Suite struct StreamTableTests {
  /// Against a dictionary, over ids that collide, wrap around the index and come back.
  @Test func behavesLikeADictionary() {
    var random = SeededRandom(seed: 7)
    var table = StreamTable()
    var model: [UInt32: Int] = [:]
    for _ in 0..<20_000 {
      let id = UInt32.random(in: 0...150, using: &random) * 2 + 1
      switch Int.random(in: 0...2, using: &random) {
      case 0 where model[id] == nil && model.count < 60:
        model[id] = table.insert(id, sendWindow: 1, receiveWindow: 2)
      case 1:
        if let place = model.removeValue(forKey: id) { table.remove(place) }
      default:
        #expect(table.find(id) == model[id])
      }
      #expect(table.count == model.count)
    }
    for (id, place) in model {
      #expect(table.find(id) == place)
      #expect(table.places[place].id == id)
    }
  }

  @Test func placesAreReused() {
    var table = StreamTable()
    for id in stride(from: UInt32(1), to: 2_000, by: 2) {
      table.remove(table.insert(id, sendWindow: 1, receiveWindow: 2))
    }
    #expect(table.places.count == 1)
    #expect(table.find(0) == nil)
  }
}

@Suite struct OutboundQueueTests {
  @Test func keepsOrderAndDropsWhatIsWritten() {
    var queue = OutboundQueue()
    for index in 0..<100 {
      queue.append(.message(bytes: [UInt8(index)], offset: 0, isCompressed: false))
    }
    #expect(queue.waitingBytes == 100)
    for index in 0..<100 {
      guard case .message(let bytes, _, _) = queue.first else {
        Issue.record("no message \(index)")
        return
      }
      #expect(bytes == [UInt8(index)])
      queue.removeFirst()
    }
    #expect(queue.isEmpty && queue.first == nil && queue.second == nil)
    queue.removeFirst()
    #expect(queue.isEmpty == true)
  }
}
