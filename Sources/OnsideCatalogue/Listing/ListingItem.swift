/// A product identifier of a call, and what was found for it.
struct ListingItem {
  var hash: UInt64

  /// Where the identifier is in the request.
  var start: UInt32
  var length: UInt32

  /// Nil: invalid.
  var record: UnsafeRawPointer?

  /// The storefront's part; nil with a record: unsupported.
  var part: UnsafeRawPointer?

  @inline(__always)
  func identifier(_ request: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: request + Int(start), count: Int(length))
  }
}

/// Bytes of the encoded lists of a response.
struct ListSizes {
  var products = 0
  var invalid = 0
  var unsupported = 0

  var total: Int { products + invalid + unsupported }
}
