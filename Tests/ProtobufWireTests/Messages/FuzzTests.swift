import TestSupport
import ConformanceMessages
import ProtobufWire
import Testing

@Suite("Random bytes and damaged messages")
struct FuzzTests {
  @Test("What can be decoded encodes to something that decodes to the same bytes again")
  func roundTrips() throws {
    let seed = SeededGenerator.testSeed
    print("fuzz seed \(seed); ONSIDE_SEED repeats it")
    var random = SeededGenerator(seed: seed)
    let originals = [
      Samples.scalars.serialized(), Samples.optionals.serialized(), Samples.lists.serialized(),
      Samples.unpackedLists.serialized(), Samples.maps.serialized(), Samples.tree.serialized(),
      Samples.choice.serialized(),
    ]
    var decoded = 0
    for round in 0..<4000 {
      let original = originals.randomElement(using: &random) ?? []
      let input = Bool.random(using: &random) ? damaged(original, &random) : fields(&random)
      let decode = Samples.decoders[Int.random(in: 0..<Samples.decoders.count, using: &random)]
      guard let once = try? decode(input) else { continue }
      decoded += 1
      let twice = try? decode(once)
      // Sizes, since the entries of maps have no order.
      #expect(twice?.count == once.count, "seed \(seed), round \(round): \(hexText(input))")
    }
    // Damage that nothing survives would test errors only.
    #expect(decoded > 400)
  }

  /// A message with some bytes changed, taken out, doubled or put in.
  private func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = .random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(bytes[place], at: place)
      default: bytes[place] ^= UInt8(1) << Int.random(in: 0..<8, using: &random)
      }
    }
    return bytes
  }

  /// Random fields, mostly well-formed, with messages in each other.
  private func fields(_ random: inout SeededGenerator, depth: Int = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let number = UInt64.random(in: 1...20, using: &random)
      let type: UInt64 = [0, 1, 2, 2, 2, 5].randomElement(using: &random) ?? 0
      bytes += varint(number << 3 | type)
      switch type {
      case 0: bytes += varint(random.next() >> Int.random(in: 0...63, using: &random))
      case 1: bytes += (0..<8).map { _ in .random(in: 0...255, using: &random) }
      case 5: bytes += (0..<4).map { _ in .random(in: 0...255, using: &random) }
      default:
        let content = depth < 5 ? fields(&random, depth: depth + 1) : Array("text".utf8)
        bytes += varint(UInt64(content.count)) + content
      }
    }
    return bytes
  }
}
