import ProtobufWire

extension ProductLister {
  /// Writes the encoded `ListProductsResponse`.
  ///
  /// - Precondition: The memory has the size that `plan` returned.
  public func write(into memory: UnsafeMutableRawBufferPointer) {
    let size = scratch.listBytes + storefrontField.count
    precondition(memory.count == size, "the memory hasn't the size of the response")
    guard var place = memory.baseAddress else { return }
    if let start = request.baseAddress {
      let (items, list) = (scratch.items, scratch.lists)
      for entry in 0..<scratch.sizes[ListingOutcome.product].items {
        let item = items[Int(list[entry])]
        guard let record = item.record, let part = item.part else { continue }
        Self.write(ProductRecord(record), part, to: &place)
      }
      writeIdentifiers(ListingOutcome.invalid, as: 2, start, to: &place)
      writeIdentifiers(ListingOutcome.unsupported, as: 3, start, to: &place)
    }
    if let field = storefrontField.baseAddress {
      place.copyMemory(from: field, byteCount: storefrontField.count)
    }
  }

  /// Writes a list of identifiers as they came.
  private func writeIdentifiers(
    _ outcome: Int, as field: UInt32, _ start: UnsafeRawPointer,
    to place: inout UnsafeMutableRawPointer
  ) {
    let list = scratch.lists + outcome * scratch.capacity
    let items = scratch.items
    for entry in 0..<scratch.sizes[outcome].items {
      Self.write(field, items[Int(list[entry])].identifier(start), to: &place)
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
