import OnsideDomain
import Testing

@testable import OnsideCatalogue

@Suite struct IndexSlotTests {
  @Test func holdsWhatItWasMadeOf() {
    for offset in [8, 16, 1 << 20, (1 << 43) - 8] {
      for kind in ProductKind.allCases {
        for hash in [0, 1, 0x3F_FFFF, UInt64.max, 0x1234_5678_9ABC_DEF0] {
          let slot = IndexSlot(offset: offset, kind: kind, hash: hash)
          #expect(slot.offset == offset)
          #expect(slot.kind == kind.rawValue)
          #expect(slot.matches(hash))
          #expect(!slot.matches(hash ^ 1))
          #expect(!slot.matches(hash ^ 1 << 21))
          #expect(!slot.isFree)
        }
      }
    }
    #expect(IndexSlot(rawValue: 0).isFree)
  }
}
