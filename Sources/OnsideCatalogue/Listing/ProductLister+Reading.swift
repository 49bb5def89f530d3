import OnsideDomain
import ProtobufWire

extension ProductLister {
  /// Reads an encoded `ListProductsRequest`, which has to stay where it is until `write(into:)`.
  ///
  /// Unknown fields are skipped; so are known ones of a wrong wire type, as protobuf has it.
  ///
  /// - Throws: The reason to refuse the whole call for: too many identifiers before an invalid one.
  public func read(_ request: UnsafeRawBufferPointer) throws(ListingError) -> ListingFields {
    refresh()
    self.request = request
    count = 0
    var fields = ListingFields()
    var invalid: InvalidIdentifier?
    do throws(WireError) {
      try readFields(&fields, &invalid)
    } catch {
      throw .malformed(error.description)
    }
    if fields.identifierCount > maximumIdentifiers {
      throw .tooManyIdentifiers(count: fields.identifierCount, limit: maximumIdentifiers)
    }
    if let invalid { throw .invalidIdentifier(invalid) }
    collapseDuplicates()
    return fields
  }

  private func readFields(
    _ fields: inout ListingFields, _ invalid: inout InvalidIdentifier?
  ) throws(WireError) {
    var reader = WireReader(RawSpan(_unsafeBytes: request))
    while true {
      let tag = try reader.readTag()
      switch tag {
      case 0: return
      case WireFormat.tag(1, .lengthDelimited):
        let range = try reader.readRange()
        if fields.identifierCount < maximumIdentifiers, invalid == nil {
          invalid = take(range, position: fields.identifierCount)
        }
        fields.identifierCount += 1
      case WireFormat.tag(2, .lengthDelimited): fields.appID = try checkedRange(&reader)
      case WireFormat.tag(3, .lengthDelimited): fields.countryHint = try checkedRange(&reader)
      default: try reader.skipField(tag)
      }
    }
  }

  /// The place of a string, which has to be UTF-8.
  private func checkedRange(_ reader: inout WireReader) throws(WireError) -> Range<Int> {
    var copy = reader
    _ = try copy.readString()
    return try reader.readRange()
  }

  /// Appends an identifier to the items; returns what is wrong with it.
  @inline(__always)
  private func take(_ range: Range<Int>, position: Int) -> InvalidIdentifier? {
    guard let start = request.baseAddress else { return nil }
    let (hash, isPlain) = IdentifierHash.shared.screen(start + range.lowerBound, range.count)
    if !isPlain || range.isEmpty || range.count > IdentifierRule.productIdentifier.maximumBytes {
      let bytes = UnsafeRawBufferPointer(rebasing: request[range])
      if let invalid = IdentifierRule.productIdentifier.invalid(bytes, position: position) {
        return invalid
      }
    }
    if count == scratch.capacity { scratch.grow(keeping: count) }
    (scratch.items + count).initialize(
      to: ListingItem(
        hash: hash, start: UInt32(truncatingIfNeeded: range.lowerBound),
        length: UInt32(truncatingIfNeeded: range.count)))
    count += 1
    return nil
  }

  /// Keeps the first of equal identifiers.
  private func collapseDuplicates() {
    guard count > 1, let start = request.baseAddress else { return }
    let (items, seen) = (scratch.items, scratch.seen)
    // A power of 2 of at least 2 places for each item; the table has that many.
    let bits = UInt64.bitWidth - (count * 2 - 1).leadingZeroBitCount
    let size = 1 << bits
    seen.update(repeating: 0, count: size)
    var kept = 0
    for next in 0..<count {
      let item = items[next]
      var place = Int(truncatingIfNeeded: item.hash) & (size - 1)
      while seen[place] != 0 {
        let other = items[Int(seen[place]) - 1]
        if other.hash == item.hash, Self.areEqual(item, other, start) { break }
        place = (place + 1) & (size - 1)
      }
      if seen[place] != 0 { continue }
      seen[place] = UInt32(kept + 1)
      items[kept] = item
      kept += 1
    }
    count = kept
  }

  private static func areEqual(
    _ left: ListingItem, _ right: ListingItem, _ request: UnsafeRawPointer
  ) -> Bool {
    left.identifier(request).elementsEqual(right.identifier(request))
  }
}
