import CAllocations
import ConformanceMessages
import ProtobufWire
import Testing

@Suite("Sizes and writing")
struct WireWriterTests {
  @Test("A varint takes the bytes that its size says, for every number of bits")
  func varintSizes() throws {
    for bits in 0..<64 {
      for value in [UInt64(1) << bits, (UInt64(1) << bits) - 1, UInt64.max >> bits] {
        let expected = varint(value)
        #expect(WireFormat.varintSize(value) == expected.count)
        #expect(written(expected.count) { $0.writeVarint(value) } == expected)
        if let short = UInt32(exactly: value) {
          #expect(WireFormat.varintSize(short) == expected.count)
        }
      }
    }
  }

  @Test("Zigzag maps small numbers of both signs to small ones, and back")
  func zigZag() {
    #expect([0, -1, 1, -2, 2].map { WireFormat.zigZag(Int32($0)) } == [0, 1, 2, 3, 4])
    for value in [Int64.min, -1, 0, 1, .max] {
      #expect(WireFormat.unzigZag(WireFormat.zigZag(value)) == value)
    }
    for value in [Int32.min, -1, 0, 1, .max] {
      #expect(WireFormat.unzigZag(WireFormat.zigZag(value)) == value)
    }
    #expect(WireFormat.zigZag(Int64.min) == .max)
  }

  @Test("Strings of every length around the length's sizes are written whole")
  func strings() throws {
    for count in [0, 1, 15, 16, 126, 127, 128, 129, 16383, 16384] {
      let text = String(repeating: "x", count: count)
      let expected = varint(UInt64(count)) + Array(text.utf8)
      #expect(StringCoding.size(of: text) == expected.count)
      #expect(written(expected.count) { $0.writeString(text) } == expected)
      #expect(written(expected.count) { $0.writeBytes(Array(text.utf8)) } == expected)
    }
  }

  @Test("Every sample's size is the number of bytes written, and reading gives it back")
  func samples() throws {
    try check(Samples.scalars)
    try check(Samples.optionals)
    try check(Samples.lists)
    try check(Samples.unpackedLists)
    try check(Samples.maps)
    try check(Samples.tree)
    try check(Samples.choice)
    try check(Scalars())
  }

  private func check<M: Message>(_ message: M) throws {
    let plan = message.sizePlan()
    let bytes = message.serialized()
    #expect(plan.total == bytes.count)
    #expect(try M(serialized: bytes) == message)
    // At any alignment, and nothing beyond the end.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: plan.total + 9, alignment: 8)
    defer { buffer.deallocate() }
    buffer.initializeMemory(as: UInt8.self, repeating: 0xaa)
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[1..<(plan.total + 1)])
    #expect(message.encode(into: part, plan: plan) == plan.total)
    #expect(part.elementsEqual(bytes))
    #expect(buffer[0] == 0xaa && buffer[(plan.total + 1)...].allSatisfy { $0 == 0xaa })
  }

  @Test("Default values are not written; values set to the default are, where there is presence")
  func defaults() {
    #expect(Scalars().serialized().isEmpty)
    #expect(Lists().serialized().isEmpty)
    #expect(Samples.optionals.serialized().count > 17)
    #expect(Scalars(aDouble: -0.0).serialized() == hex("09 0000000000000080"))
  }

  @Test("Writing into raw memory allocates nothing, with up to eight nested messages too")
  func allocations() {
    guard callocations_available() else { return }
    let flat = Samples.scalars
    let nested = Tree(
      label: "a label that is too long for a small string", left: Tree(label: "left"),
      children: [Tree(label: "x"), Tree(label: "y"), Tree(), Tree()])
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 8)
    defer { buffer.deallocate() }
    // Once before counting: the runtime makes metadata at first use.
    _ = flat.encode(into: buffer, plan: flat.sizePlan())
    _ = nested.encode(into: buffer, plan: nested.sizePlan())
    let before = callocations_count()
    var total = 0
    for _ in 0..<100 {
      total += flat.encode(into: buffer, plan: flat.sizePlan())
      total += nested.encode(into: buffer, plan: nested.sizePlan())
    }
    #expect(callocations_count() - before == 0)
    #expect(total == 100 * (flat.serialized().count + nested.serialized().count))
  }

  /// What a body writes into memory of this size.
  private func written(_ size: Int, _ body: (inout WireWriter) -> Void) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
      body(&writer)
      count = writer.count
    }
  }
}
