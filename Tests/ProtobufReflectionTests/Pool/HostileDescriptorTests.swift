import TestSupport
import ConformanceMessages
import ProtobufReflection
import ProtobufWire
import Testing

/// Descriptors come from servers: whatever they hold, nothing traps.
@Suite("Descriptors that nobody has checked")
struct HostileDescriptorTests {
  @Test("Damaged descriptors are refused, or make types that can be used")
  func damage() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let original = ProtoFile.testV1Kinds.descriptor
    var usable = 0
    for _ in 0..<600 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      guard let pool = try? DescriptorPool(serializedFiles: [bytes]) else { continue }
      usable += 1
      use(pool, seed: random.next())
    }
    print("\(usable) of 600 damaged descriptors could be used")
    #expect(usable > 0)
  }

  private func use(_ pool: DescriptorPool, seed: UInt64) {
    var source = RandomMessage(seed: seed)
    for name in ["Scalars", "Lists", "Maps", "Tree", "Choice", "Names"] {
      _ = pool.describe("test.v1." + name)
      guard let type = pool.message(named: "test.v1." + name) else { continue }
      let message = source.make(type)
      guard let again = try? DynamicMessage(serialized: message.serialized(), as: type) else {
        continue
      }
      guard let text = try? again.json() else { continue }
      _ = try? DynamicMessage(json: text, as: type)
    }
  }

  @Test("Damaged messages and texts are refused, or read")
  func damagedMessages() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var source = RandomMessage(seed: seed)
    var refused = 0
    for _ in 0..<300 {
      let message = source.make(Schema.testAllTypes)
      var bytes = message.serialized()
      var text = Array(try message.json().utf8)
      if !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      text[Int.random(in: text.indices, using: &random)] = .random(in: 0...255, using: &random)
      let first = try? DynamicMessage(serialized: bytes, as: message.type)
      if (try? first?.json()) == nil { refused += 1 }
      if (try? DynamicMessage(json: text, as: message.type)) == nil { refused += 1 }
    }
    #expect(refused > 0)
  }

  @Test("A type that only looks well known has the ordinary form")
  func impostor() throws {
    // package google.protobuf; message Timestamp { string a = 1; }
    let field: [UInt8] = [0x0a, 1, 0x61, 0x18, 1, 0x20, 1, 0x28, 9]
    let name = Array("Timestamp".utf8)
    let message = [0x0a, UInt8(name.count)] + name + [0x12, UInt8(field.count)] + field
    let package = Array("google.protobuf".utf8)
    let file =
      [0x0a, 1, 0x78, 0x12, UInt8(package.count)] + package
      + [0x22, UInt8(message.count)] + message
    let pool = try DescriptorPool(serializedFiles: [file])
    let type = try #require(pool.message(named: "google.protobuf.Timestamp"))
    var options = JSONWritingOptions()
    options.isIndented = false
    let read = try DynamicMessage(json: "{\"a\": \"b\"}", as: type)
    #expect(try read.json(options: options) == "{\"a\":\"b\"}")
  }
}
