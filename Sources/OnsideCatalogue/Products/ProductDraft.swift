import OnsideDomain

/// A product on its way into a catalogue. Its texts are places in bytes that somebody else holds,
/// so that reading a million of them makes no strings.
struct ProductDraft {
  /// A place in the bytes; empty: absent.
  typealias Text = Range<Int>

  var identifier: Text = 0..<0
  var title: Text = 0..<0
  var description: Text = 0..<0
  var kind: ProductKind?
  var subscriptionGroup: Text = 0..<0
  var subscriptionPeriod: Period?
  var iconURL: Text = 0..<0
  var offers: [StorefrontOffer] = []

  /// Makes it empty, and keeps its memory.
  mutating func reset() {
    var offers = offers
    offers.removeAll(keepingCapacity: true)
    self = ProductDraft()
    self.offers = offers
  }
}

/// What a product costs in one storefront.
struct StorefrontOffer: Hashable {
  /// The storefront's place in its app.
  let storefront: Int
  let price: Money
  var introductoryPrice: PeriodPrice?
  var discountedPrice: PeriodPrice?
}
