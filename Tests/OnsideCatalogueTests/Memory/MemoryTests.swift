import Testing

@testable import OnsideCatalogue

@Suite struct MemoryTests {
  @Test(arguments: [1, 4_096, 4_097, 2 << 20, (2 << 20) + 1, 8 << 20])
  func alignedMemoryIsZeroedAndWritable(size: Int) throws {
    let memory = try AlignedMemory(byteCount: size)
    #expect(memory.byteCount >= size)
    if memory.byteCount >= 2 << 20 {
      #expect(UInt(bitPattern: memory.address) % (2 << 20) == 0)
    }
    for offset in Set([0, size / 2, size - 1]) {
      #expect(memory.address.load(fromByteOffset: offset, as: UInt8.self) == 0)
      memory.address.storeBytes(of: 7, toByteOffset: offset, as: UInt8.self)
    }
  }

  @Test func anImpossibleSizeIsAnErrorAndNoCrash() {
    let problem = #expect(throws: CatalogueProblem.self) {
      try AlignedMemory(byteCount: 1 << 46)
    }
    #expect(problem?.code == .outOfMemory)
  }

  @Test func arenaRecordsDoNotOverlapOrCrossBlocks() throws {
    var arena = RecordArena()
    var last = 0
    for size in (0..<3_000).map({ _ in Int.random(in: 1...16_000) }) {
      let offset = try arena.reserve(size)
      #expect(offset > last)
      #expect(offset.isMultiple(of: 8))
      #expect(offset / RecordArena.chunkSize == (offset + size - 1) / RecordArena.chunkSize)
      last = offset + size - 1
      arena.address(offset).storeBytes(of: 1, as: UInt8.self)
      arena.address(offset + size - 1).storeBytes(of: 1, as: UInt8.self)
    }
    #expect(arena.chunks.count > 1)
  }

  @Test func poolKeepsEachPartOnce() throws {
    var pool = try PricePool()
    var handles: [UInt32] = []
    for index in 0..<5_000 {
      handles.append(try pool.handle(Array("price \(index)".utf8)))
    }
    let used = pool.used
    for index in 0..<5_000 {
      #expect(try pool.handle(Array("price \(index)".utf8)) == handles[index])
    }
    #expect(pool.used == used)
    #expect(Set(handles).count == 5_000)
    #expect(!handles.contains(0))
    let memory = try pool.finished()
    for index in 0..<5_000 {
      let part = PricePool.part(handles[index], in: memory.address)
      #expect(part.elementsEqual("price \(index)".utf8))
    }
  }

  @Test func comparesAndCopiesAnyNumberOfBytes() {
    for count in 0...70 {
      let source = (0..<count).map { UInt8($0) }
      var copy = [UInt8](repeating: 0xEE, count: count + 2)
      source.withUnsafeBytes { from in
        copy.withUnsafeMutableBytes { to in
          guard let from = from.baseAddress, let to = to.baseAddress, count > 0 else { return }
          Bytes.copy(count, from: from, to: to + 1)
        }
      }
      #expect(copy == (count == 0 ? [0xEE, 0xEE] : [0xEE] + source + [0xEE]))
      for changed in 0..<count {
        var other = source
        other[changed] ^= 0x80
        let areEqual = source.withUnsafeBytes { left in
          other.withUnsafeBytes { Bytes.areEqual(left, $0) }
        }
        #expect(!areEqual)
      }
      let isItself = source.withUnsafeBytes { left in
        Array(source).withUnsafeBytes { Bytes.areEqual(left, $0) }
      }
      #expect(isItself)
    }
  }
}
