import ProtobufWire

extension ProductLister {
  /// Writes the encoded `ListProductsResponse`.
  ///
  /// - Precondition: The memory has the size that `plan` returned.
  public func write(into memory: UnsafeMutableRawBufferPointer) {
    let size = sizes.total + storefrontField.count
    precondition(memory.count == size, "the memory hasn't the size of the response")
    guard let products = memory.baseAddress else { return }
    // Each list has its own place, so that one walk over the items fills all three.
    var product = products
    var invalid = products + sizes.products
    var unsupported = invalid + sizes.invalid
    if let start = request.baseAddress {
      let items = scratch.items
      for index in 0..<count {
        let item = items[index]
        if let part = item.part, let record = item.record {
          Self.write(ProductRecord(record), part, to: &product)
        } else if item.record == nil {
          Self.write(2, item.identifier(start), to: &invalid)
        } else {
          Self.write(3, item.identifier(start), to: &unsupported)
        }
      }
    }
    if let field = storefrontField.baseAddress {
      unsupported.copyMemory(from: field, byteCount: storefrontField.count)
    }
  }

  /// Writes a field `products`: the common part and the storefront's part as one message.
  @inline(__always)
  private static func write(
    _ record: ProductRecord, _ part: UnsafeRawPointer, to place: inout UnsafeMutableRawPointer
  ) {
    let common = record.common
    let partCount = Int((part - PricePool.lengthSize).load(as: UInt16.self))
    guard let start = common.baseAddress else { return }
    writeHead(1, count: common.count + partCount, to: &place)
    place.copyMemory(from: start, byteCount: common.count)
    place += common.count
    Bytes.copy(partCount, from: part, to: place)
    place += partCount
  }

  /// Writes a field of a string.
  @inline(__always)
  private static func write(
    _ field: UInt32, _ text: UnsafeRawBufferPointer, to place: inout UnsafeMutableRawPointer
  ) {
    guard let start = text.baseAddress else { return }
    writeHead(field, count: text.count, to: &place)
    Bytes.copy(text.count, from: start, to: place)
    place += text.count
  }

  @inline(__always)
  private static func writeHead(
    _ field: UInt32, count: Int, to place: inout UnsafeMutableRawPointer
  ) {
    let tag = UInt8(truncatingIfNeeded: WireFormat.tag(field, .lengthDelimited))
    place.storeBytes(of: tag, as: UInt8.self)
    place += 1
    var rest = count
    while rest >= 0x80 {
      place.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
      place += 1
      rest >>= 7
    }
    place.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
    place += 1
  }
}
