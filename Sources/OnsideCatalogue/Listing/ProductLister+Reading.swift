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
    var invalid: InvalidPlace?
    do throws(WireError) {
      try readFields(&fields, &invalid)
    } catch {
      throw .malformed(error.description)
    }
    if fields.identifierCount > maximumIdentifiers {
      throw .tooManyIdentifiers(count: fields.identifierCount, limit: maximumIdentifiers)
    }
    if let invalid { throw Self.error(invalid, request) }
    collapseDuplicates()
    return fields
  }

  /// Where the first invalid identifier is; what is wrong with it is found out when it is refused.
  private struct InvalidPlace {
    let start: Int
    let count: Int
    let position: Int
  }

  private static func error(
    _ place: InvalidPlace, _ request: UnsafeRawBufferPointer
  ) -> ListingError {
    let bytes = UnsafeRawBufferPointer(rebasing: request[place.start..<place.start + place.count])
    let rule = IdentifierRule.productIdentifier
    guard let invalid = rule.invalid(bytes, position: place.position) else {
      preconditionFailure("an identifier is invalid at first sight only")
    }
    return .invalidIdentifier(invalid)
  }

  private func readFields(
    _ fields: inout ListingFields, _ invalid: inout InvalidPlace?
  ) throws(WireError) {
    var offset = 0
    while true {
      offset = takeUsual(from: offset, &fields.identifierCount)
      if offset == request.count { return }
      offset = try readField(at: offset, &fields, &invalid)
    }
  }

  /// Takes identifiers of at most 127 bytes of visible ASCII, up to the first field that is
  /// anything else; returns where that begins. Nearly always, nothing else comes.
  private func takeUsual(from first: Int, _ identifierCount: inout Int) -> Int {
    guard let start = request.baseAddress else { return request.count }
    let (end, hasher) = (start + request.count, hash)
    let last = scratch.items + min(scratch.capacity, maximumIdentifiers)
    var item = scratch.items + identifierCount
    var field = start + first
    while item < last, end - field >= 2 {
      // The tag, and the length where that is below 128.
      let head = Int(UInt16(littleEndian: field.loadUnaligned(as: UInt16.self)))
      let length = head >> 8
      guard head & 0x80FF == 0x000A, length > 0, length <= end - field &- 2 else { break }
      let (hash, isPlain) = hasher.screen(field + 2, length)
      guard isPlain else { break }
      item.initialize(
        to: ListingItem(
          hash: hash, start: UInt32(truncatingIfNeeded: field + 2 - start),
          length: UInt32(truncatingIfNeeded: length)))
      item += 1
      field += 2 &+ length
    }
    if item > scratch.items + identifierCount {
      identifierCount = item - scratch.items
      count = identifierCount
    }
    return field - start
  }

  /// Reads one field of any kind; returns where the next one begins.
  private func readField(
    at offset: Int, _ fields: inout ListingFields, _ invalid: inout InvalidPlace?
  ) throws(WireError) -> Int {
    var reader = WireReader(RawSpan(_unsafeBytes: request), range: offset..<request.count)
    let tag = try reader.readTag()
    switch tag {
    case WireFormat.tag(1, .lengthDelimited):
      let range = try reader.readRange()
      take(range.lowerBound, range.count, &fields, &invalid)
    case WireFormat.tag(2, .lengthDelimited): fields.appID = try checkedRange(&reader)
    case WireFormat.tag(3, .lengthDelimited): fields.countryHint = try checkedRange(&reader)
    default: try reader.skipField(tag)
    }
    return reader.offset
  }

  /// The place of a string, which has to be UTF-8.
  private func checkedRange(_ reader: inout WireReader) throws(WireError) -> Range<Int> {
    var copy = reader
    _ = try copy.readString()
    return try reader.readRange()
  }

  /// Appends any identifier to the items, or remembers that it is invalid. Beyond the limit they
  /// are only counted.
  private func take(
    _ start: Int, _ length: Int, _ fields: inout ListingFields, _ invalid: inout InvalidPlace?
  ) {
    let position = fields.identifierCount
    fields.identifierCount += 1
    guard position < maximumIdentifiers else { return }
    let bytes = UnsafeRawBufferPointer(rebasing: request[start..<start + length])
    if invalid == nil, IdentifierRule.productIdentifier.problem(bytes) != nil {
      invalid = InvalidPlace(start: start, count: length, position: position)
    }
    if position == scratch.capacity { scratch.grow(keeping: position) }
    (scratch.items + position).initialize(
      to: ListingItem(
        hash: hash.hash(bytes), start: UInt32(truncatingIfNeeded: start),
        length: UInt32(truncatingIfNeeded: length)))
    count = position + 1
  }

  /// Keeps the first of equal identifiers.
  private func collapseDuplicates() {
    guard count > 1, let start = request.baseAddress else { return }
    let (items, seen) = (scratch.items, scratch.seen)
    // A power of 2 of at least 2 places for each item; the table has that many.
    let size = 1 << (Int.bitWidth - (count * 2 - 1).leadingZeroBitCount)
    seen.update(repeating: 0, count: size)
    let mask = size &- 1
    var kept = 0
    for next in 0..<count {
      let item = items[next]
      var place = Int(truncatingIfNeeded: item.hash) & mask
      var isNew = true
      while seen[place] != 0 {
        let other = items[Int(seen[place]) &- 1]
        if other.hash == item.hash,
          Bytes.areEqual(item.identifier(start), other.identifier(start))
        {
          isNew = false
          break
        }
        place = (place &+ 1) & mask
      }
      guard isNew else { continue }
      if kept < next { items[kept] = item }
      kept &+= 1
      seen[place] = UInt32(truncatingIfNeeded: kept)
    }
    count = kept
  }
}
