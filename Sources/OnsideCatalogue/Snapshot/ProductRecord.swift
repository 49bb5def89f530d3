import OnsideDomain

/// A product in memory: what is the same in all storefronts, already encoded, and where the part of
/// each storefront is.
///
/// A head of 4 bytes (length of the common part 16 bits, kind 8, number of storefronts 8), a price
/// handle of 4 bytes for each storefront of its app (0: not sold there), and the common part: the
/// fields of a `Product` message that don't depend on the storefront. The first is the identifier.
struct ProductRecord {
  let address: UnsafeRawPointer

  @inline(__always)
  init(_ address: UnsafeRawPointer) {
    self.address = address
  }

  static let headSize = 4
  static let handleSize = 4
  static let maximumCommonLength = 0xFFFF

  /// Bytes of a record.
  static func size(storefronts: Int, commonLength: Int) -> Int {
    headSize + storefronts * handleSize + commonLength
  }

  static func head(commonLength: Int, kind: ProductKind, storefronts: Int) -> UInt32 {
    UInt32(commonLength) | UInt32(kind.rawValue) << 16 | UInt32(storefronts) << 24
  }

  @inline(__always)
  private var head: UInt32 { address.load(as: UInt32.self) }

  @inline(__always)
  var storefrontCount: Int { Int(head >> 24) }

  @inline(__always)
  var kind: UInt8 { UInt8(truncatingIfNeeded: head >> 16) }

  /// The encoded fields that are the same in all storefronts.
  @inline(__always)
  var common: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: address + Self.headSize + storefrontCount * Self.handleSize,
      count: Int(head & 0xFFFF))
  }

  /// Where the part of a storefront is; 0: not sold there.
  @inline(__always)
  func priceHandle(_ storefront: Int) -> UInt32 {
    guard storefront < storefrontCount else { return 0 }
    return address.load(
      fromByteOffset: Self.headSize + storefront * Self.handleSize, as: UInt32.self)
  }

  /// The identifier: at most 255 bytes, so its length has one or two bytes behind the tag.
  @inline(__always)
  var identifier: UnsafeRawBufferPointer {
    let common = common
    guard let start = common.baseAddress else { return common }
    let low = Int(start.load(fromByteOffset: 1, as: UInt8.self))
    if low < 0x80 { return UnsafeRawBufferPointer(start: start + 2, count: low) }
    let high = Int(start.load(fromByteOffset: 2, as: UInt8.self))
    return UnsafeRawBufferPointer(start: start + 3, count: low & 0x7F | high << 7)
  }

  @inline(__always)
  func isNamed(_ other: UnsafeRawBufferPointer) -> Bool {
    Bytes.areEqual(identifier, other)
  }
}
