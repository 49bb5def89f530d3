import OnsideDomain

/// A place of an index of products: where a record is, and enough of what it says that few other
/// records are read.
///
/// From the lowest bit: the record's offset in units of 8 bytes (40), its kind (2), and bits of its
/// identifier's hash (22). All 0: free.
struct IndexSlot {
  let rawValue: UInt64

  @inline(__always)
  init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  init(offset: Int, kind: ProductKind, hash: UInt64) {
    rawValue =
      UInt64(offset) >> 3 | UInt64(kind.rawValue) << Self.offsetBits | Self.tag(hash)
  }

  private static let offsetBits: UInt64 = 40
  private static let tagShift: UInt64 = 42

  /// The bits of a hash that a slot has. An index takes its places from the highest bits.
  @inline(__always)
  static func tag(_ hash: UInt64) -> UInt64 { hash << tagShift }

  @inline(__always)
  var isFree: Bool { rawValue == 0 }

  @inline(__always)
  func matches(_ hash: UInt64) -> Bool {
    (rawValue ^ Self.tag(hash)) >> Self.tagShift == 0
  }

  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: rawValue & ((1 << Self.offsetBits) - 1)) << 3 }

  @inline(__always)
  var kind: UInt8 { UInt8(truncatingIfNeeded: rawValue >> Self.offsetBits) & 3 }
}
