import OnsideDomain
import OnsideStore
import Testing

@Suite("Identifiers")
struct UniqueIDTests {
  @Test("The text form is a UUID in lower case, and comes back")
  func text() throws {
    let id = ProfileID(high: 0x0189_0a5d_ac96_774b, low: 0xbcce_b302_099a_8057)
    #expect(id.description == "01890a5d-ac96-774b-bcce-b302099a8057")
    #expect(ProfileID(id.description) == id)
    #expect(ProfileID("01890A5D-AC96-774B-BCCE-B302099A8057") == id)
    for _ in 0..<1_000 {
      let random = ProfileID.random()
      #expect(ProfileID(random.description) == random)
    }
  }

  @Test(
    "Other texts are refused",
    arguments: [
      "", "01890a5d", "01890a5dac96774bbcceb302099a8057", "01890a5d-ac96-774b-bcce-b302099a805",
      "01890a5d-ac96-774b-bcce-b302099a80570", "01890a5d-ac96-774b-bcce-b302099a805g",
      "01890a5d_ac96_774b_bcce_b302099a8057", "{1890a5d-ac96-774b-bcce-b302099a8057",
      "01890a5d-ac96-774b-bcceb-302099a8057", "é1890a5d-ac96-774b-bcce-b302099a805",
    ])
  func refuses(text: String) {
    #expect(ProfileID(text) == nil)
  }

  @Test("The bytes are big-endian, and come back; only 16 are accepted")
  func bytes() throws {
    let id = ProfileID(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10)
    #expect(id.withBytes { Array($0) } == Array(1...16))
    for count in 0...20 {
      let read = [UInt8](repeating: 7, count: count).withUnsafeBytes { ProfileID(bytes: $0) }
      #expect((read != nil) == (count == 16))
    }
    #expect(id.withBytes { ProfileID(bytes: $0) } == id)
  }

  @Test("Time-ordered identifiers have RFC 9562's version 7 and sort by time")
  func ordersByTime() {
    var last = ProfileID(high: 0, low: 0)
    for step in 0..<1_000 {
      let time = Fixtures.time(Int64(step))
      let id = ProfileID.timeOrdered(at: time)
      #expect(Int64(id.high >> 16) == time.milliseconds)
      #expect(id.high >> 12 & 0xf == 7)
      #expect(id.low >> 62 == 0b10)
      #expect(id > last)
      last = id
    }
  }

  @Test("They order as their bytes do")
  func ordersAsBytes() {
    let ids = [(0, 1), (0, .max), (1, 0), (1, 1), (1 << 63, 0), (.max, .max)]
      .map { ProfileID(high: $0.0, low: $0.1) }
    #expect(ids.shuffled().sorted() == ids)
    for (left, right) in zip(ids, ids.dropFirst()) {
      let bytes = (left.withBytes { Array($0) }, right.withBytes { Array($0) })
      #expect(bytes.0.lexicographicallyPrecedes(bytes.1))
    }
  }

  @Test("Random identifiers don't repeat, from any number of threads")
  func isRandom() async {
    let all = await withTaskGroup(of: [SessionID].self) { group in
      for _ in 0..<4 { group.addTask { (0..<10_000).map { _ in SessionID.random() } } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(Set(all).count == 40_000)
  }
}
