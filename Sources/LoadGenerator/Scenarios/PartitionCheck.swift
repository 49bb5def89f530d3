import ProtobufWire

/// Checks that a `ListProductsResponse` splits a request: every identifier in exactly one of the
/// three lists, each list in the order of the request, and each where it has to be. It reads the
/// bytes as they came, and keeps its memory from call to call.
struct PartitionCheck {
  private enum List: Int {
    case products, invalid, unsupported
  }

  /// For each place in the request: the number of the check that saw it last.
  private var seen: [UInt64] = []
  private var round: UInt64 = 0
  private var last = [-1, -1, -1]
  private var found = 0

  /// What is wrong; nil: nothing.
  mutating func problem(
    _ response: UnsafeRawBufferPointer, of query: ProductQuery
  ) throws(WireError) -> String? {
    round += 1
    found = 0
    for list in last.indices { last[list] = -1 }
    if seen.count < query.fingerprints.count {
      seen += [UInt64](repeating: 0, count: query.fingerprints.count - seen.count)
    }
    var reader = WireReader(response.bytes)
    while true {
      let tag = try reader.readTag()
      let problem: String?
      switch tag {
      case 0:
        guard found < query.fingerprints.count else { return nil }
        return "\(query.fingerprints.count - found) of the identifiers are in no list"
      case 10:
        let product = try reader.readRange()
        let name = try PartitionCheck.identifier(ofProduct: product, in: response)
        problem = take(name, .products, response, query)
      case 18: problem = take(try reader.readRange(), .invalid, response, query)
      case 26: problem = take(try reader.readRange(), .unsupported, response, query)
      default:
        try reader.skipField(tag)
        problem = nil
      }
      if let problem { return problem }
    }
  }

  @inline(__always)
  private mutating func take(
    _ range: Range<Int>, _ list: List, _ response: UnsafeRawBufferPointer, _ query: ProductQuery
  ) -> String? {
    let bytes = UnsafeRawBufferPointer(rebasing: response[range])
    guard let place = query.place(of: Fingerprint.of(bytes)) else {
      return "\(name(bytes)) is in the answer and wasn't asked for"
    }
    guard seen[place] != round else { return "\(name(bytes)) is in the answer twice" }
    guard place > last[list.rawValue] else {
      return "\(name(bytes)) is out of the request's order"
    }
    seen[place] = round
    last[list.rawValue] = place
    found += 1
    let isRight =
      switch query.expectations[place] {
      case .any: true
      case .offered: list != .unsupported
      case .notOffered: list != .products
      case .invalid: list == .invalid
      }
    return isRight ? nil : "\(name(bytes)) is among the \(list)"
  }

  private func name(_ bytes: UnsafeRawBufferPointer) -> String {
    "\"\(String(decoding: bytes, as: UTF8.self))\""
  }

  /// The range of `Product.product_identifier`; empty if it has none.
  @inline(__always)
  private static func identifier(
    ofProduct range: Range<Int>, in response: UnsafeRawBufferPointer
  ) throws(WireError) -> Range<Int> {
    var reader = WireReader(response.bytes, range: range)
    while true {
      let tag = try reader.readTag()
      if tag == 0 { return range.lowerBound..<range.lowerBound }
      if tag == 10 { return try reader.readRange() }
      try reader.skipField(tag)
    }
  }
}
