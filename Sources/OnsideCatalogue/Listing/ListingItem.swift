/// A product identifier of a call, and what was found for it.
struct ListingItem {
  var hash: UInt64

  /// Where the identifier is in the request.
  var start: UInt32
  var length: UInt32

  /// The first record that may be its own, then that one.
  var record: UnsafeRawPointer?

  /// The storefront's part of a product.
  var part: UnsafeRawPointer?

  @inline(__always)
  func identifier(_ request: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: request + Int(start), count: Int(length))
  }
}

/// Which list of a response an identifier is in.
///
/// Numbers and not cases, since which one it is can't be foreseen: what depends on it is calculated
/// and not jumped to.
enum ListingOutcome {
  static let product = 0
  static let invalid = 1
  static let unsupported = 2
  static let count = 3
}

/// How long a list of a response is.
struct ListSize {
  /// How many identifiers it has.
  var items = 0

  /// Bytes of the encoded list.
  var bytes = 0
}
