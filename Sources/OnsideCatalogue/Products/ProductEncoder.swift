import OnsideDomain
import ProtobufWire

/// Encodes the two parts of a `Product` message of `products.proto`.
///
/// Fields of a message may come in any order, so a product is its common part and a storefront's
/// part one behind the other.
struct ProductEncoder {
  private(set) var bytes: [UInt8] = []

  mutating func reset() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Appends fields 1 to 4, 6, 7 and 10.
  mutating func appendCommonPart(
    _ draft: ProductDraft, kind: ProductKind, text: UnsafeRawBufferPointer
  ) {
    append(1, text: UnsafeRawBufferPointer(rebasing: text[draft.identifier]))
    append(2, text: UnsafeRawBufferPointer(rebasing: text[draft.title]))
    append(3, text: UnsafeRawBufferPointer(rebasing: text[draft.description]))
    append(4, varint: UInt64(kind.rawValue))
    append(6, text: UnsafeRawBufferPointer(rebasing: text[draft.subscriptionGroup]))
    if let period = draft.subscriptionPeriod {
      append(7) { $0.appendPeriod(period) }
    }
    append(10, text: UnsafeRawBufferPointer(rebasing: text[draft.iconURL]))
  }

  /// Appends fields 5, 8 and 9.
  mutating func appendStorefrontPart(_ offer: StorefrontOffer) {
    append(5) { $0.appendMoney(offer.price) }
    if let price = offer.introductoryPrice { append(8) { $0.appendPeriodPrice(price) } }
    if let price = offer.discountedPrice { append(9) { $0.appendPeriodPrice(price) } }
  }

  /// Appends a `Storefront` as a field.
  mutating func append(_ field: UInt32, storefront: Storefront) {
    append(field) {
      $0.append(1, string: storefront.id)
      $0.append(2, string: storefront.country.alpha2)
    }
  }

  private mutating func appendMoney(_ money: Money) {
    append(1, varint: UInt64(bitPattern: money.minorUnits))
    append(2, string: money.currency.code)
    append(3, varint: UInt64(money.currency.exponent))
  }

  private mutating func appendPeriod(_ period: Period) {
    append(1, varint: UInt64(period.unit.rawValue))
    append(2, varint: UInt64(period.count))
  }

  private mutating func appendPeriodPrice(_ price: PeriodPrice) {
    append(1) { $0.appendMoney(price.price) }
    append(2) { $0.appendPeriod(price.period) }
  }

  private mutating func append(_ field: UInt32, string: String) {
    var string = string
    string.withUTF8 { append(field, text: UnsafeRawBufferPointer($0)) }
  }

  /// Appends a text; an empty one isn't there on the wire.
  private mutating func append(_ field: UInt32, text: UnsafeRawBufferPointer) {
    guard !text.isEmpty else { return }
    append(varint: UInt64(WireFormat.tag(field, .lengthDelimited)))
    append(varint: UInt64(text.count))
    bytes.append(contentsOf: text)
  }

  /// Appends a number; 0 isn't there on the wire.
  private mutating func append(_ field: UInt32, varint value: UInt64) {
    guard value != 0 else { return }
    append(varint: UInt64(WireFormat.tag(field, .varint)))
    append(varint: value)
  }

  /// Appends a message of at most 127 bytes; all that are made here are far shorter.
  private mutating func append(_ field: UInt32, _ message: (inout ProductEncoder) -> Void) {
    append(varint: UInt64(WireFormat.tag(field, .lengthDelimited)))
    let place = bytes.count
    bytes.append(0)
    message(&self)
    bytes[place] = UInt8(bytes.count - place - 1)
  }

  private mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
