import LoadReporting
import OnsideClient
import ProtobufWire

/// A prepared `ListProducts` request, and what its answer has to be like.
struct ProductQuery: Sendable {
  /// What is known of an identifier before the service is asked.
  enum Expectation: UInt8, Sendable {
    /// A consumable: a product, or invalid if it isn't sold in this storefront.
    case offered

    /// Another kind: not for an external profile.
    case notOffered

    /// In no catalogue.
    case invalid

    /// Nothing is known.
    case any
  }

  /// What is asked for.
  let request: DirectProductQuery.Request

  /// Of each identifier, in the order of the request; all are different.
  let fingerprints: [UInt64]
  let expectations: [Expectation]

  /// Open addressing: a place in the two lists above, or -1.
  private let places: [Int16]

  init(_ items: [(identifier: String, expectation: Expectation)]) {
    request = DirectProductQuery.Request(items.map(\.identifier))
    expectations = items.map(\.expectation)
    fingerprints = items.map { item in
      Array(item.identifier.utf8).withUnsafeBytes { Fingerprint.of($0) }
    }
    var size = 4
    while size < items.count * 2 { size *= 2 }
    var places = [Int16](repeating: -1, count: size)
    for (index, fingerprint) in fingerprints.enumerated() {
      var slot = Int(fingerprint & UInt64(size - 1))
      while places[slot] >= 0 { slot = (slot + 1) & (size - 1) }
      places[slot] = Int16(index)
    }
    self.places = places
  }

  /// The place of an identifier in the request; nil: it wasn't asked for.
  @inline(__always)
  func place(of fingerprint: UInt64) -> Int? {
    var slot = Int(fingerprint & UInt64(places.count - 1))
    while true {
      let place = Int(places[slot])
      if place < 0 { return nil }
      if fingerprints[place] == fingerprint { return place }
      slot = (slot + 1) & (places.count - 1)
    }
  }
}

extension ProductQuery {
  /// Random requests of different identifiers, some of which no catalogue has.
  ///
  /// - Parameters:
  ///   - count: identifiers in each.
  ///   - unknownShare: the share of made-up ones, rounded; more if the pool is too small.
  ///   - unsupportedShare: the share of known ones that external profiles can't buy, rounded; less
  ///     if the pool hasn't so many. Nil: as it comes.
  static func make(
    _ number: Int, of count: Int, from pool: ProductPool, unknownShare: Double,
    unsupportedShare: Double? = nil, random: inout SeededRandom
  ) -> [ProductQuery] {
    let wanted = count - min(count, Int((Double(count) * unknownShare).rounded()))
    let known = min(wanted, pool.items.count)
    var madeUp = 0
    let choice = ProductChoice(
      pool, notOffered: unsupportedShare.map { Int((Double(count) * $0).rounded()) })
    return (0..<number).map { _ in
      let taken = choice.take(known, random: &random)
      var items = taken.sorted().map { index in
        let item = pool.items[index]
        let expectation: Expectation =
          switch item.kind {
          case .consumable: .offered
          case .other: .notOffered
          case .unknown: .any
          }
        return (identifier: item.identifier, expectation: expectation)
      }
      for _ in items.count..<count {
        madeUp += 1
        let digits = String(madeUp)
        let padded = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
        items.append(("com.example.shop.gone.\(padded)", .invalid))
      }
      items.shuffle(using: &random)
      return ProductQuery(items)
    }
  }
}
