import OnsideDomain
import ProtobufWire

extension CatalogueSnapshot {
  /// A product as a storefront sells it; nil if the app doesn't have it or doesn't sell it there.
  public func product(
    _ identifier: String, app: AppHandle, storefront: StorefrontHandle
  ) -> CatalogueProduct? {
    var identifier = identifier
    return identifier.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      let hash = IdentifierHash.shared.hash(bytes)
      guard let record = tables.find(bytes, hash: hash, app: app) else { return nil }
      return product(record, app: app, storefront: storefront)
    }
  }

  private func product(
    _ record: ProductRecord, app: AppHandle, storefront: StorefrontHandle
  ) -> CatalogueProduct? {
    let handle = record.priceHandle(storefront.index)
    guard handle != 0, let kind = ProductKind(rawValue: record.kind) else { return nil }
    let currency = details(of: storefront, of: app).currency
    var product = CatalogueProduct(
      identifier: "", title: "", kind: kind, price: Money(minorUnits: 0, currency: currency))
    do {
      try product.merge(record.common)
      try product.merge(PricePool.part(handle, in: tables.prices))
    } catch {
      // The bytes are this module's own.
      preconditionFailure("a product of the catalogue can't be read: \(error)")
    }
    return product
  }

  /// Calls `body` with each product of an app that a storefront sells, in no particular order,
  /// until it returns false.
  public func forEachProduct(
    of app: AppHandle, storefront: StorefrontHandle, _ body: (CatalogueProduct) -> Bool
  ) {
    let table = tables.apps[app.index]
    for place in 0..<table.capacity {
      let slot = IndexSlot(rawValue: table.slots[place])
      guard !slot.isFree,
        let product = product(tables.record(slot.offset), app: app, storefront: storefront)
      else { continue }
      if !body(product) { return }
    }
  }
}

extension CatalogueProduct {
  /// Takes over the fields of an encoded `Product` message; the price's currency is known already.
  fileprivate mutating func merge(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
    var reader = WireReader(RawSpan(_unsafeBytes: bytes))
    while true {
      let tag = try reader.readTag()
      switch tag >> 3 {
      case 0: return
      case 1: identifier = try reader.readString()
      case 2: title = try reader.readString()
      case 3: description = try reader.readString()
      case 5: price = try reader.readMoney(price.currency)
      case 6: subscriptionGroup = try reader.readString()
      case 7: subscriptionPeriod = try reader.readPeriod()
      case 8: introductoryPrice = try reader.readPeriodPrice(price.currency)
      case 9: discountedPrice = try reader.readPeriodPrice(price.currency)
      case 10: iconURL = try reader.readString()
      default: try reader.skipField(tag)
      }
    }
  }
}

extension WireReader {
  /// Reads the numbers of a message by field; all fields of money and periods but the currency are
  /// varints.
  private mutating func readNumbers() throws(WireError) -> InlineArray<4, UInt64> {
    var numbers = InlineArray<4, UInt64>(repeating: 0)
    let outer = try beginMessage()
    while true {
      let tag = try readTag()
      if tag == 0 { break }
      if tag & 7 == WireType.varint.rawValue, tag >> 3 < 4 {
        numbers[Int(tag >> 3)] = try readVarint()
      } else {
        try skipField(tag)
      }
    }
    endMessage(outer)
    return numbers
  }

  fileprivate mutating func readMoney(_ currency: Currency) throws(WireError) -> Money {
    Money(minorUnits: Int64(bitPattern: try readNumbers()[1]), currency: currency)
  }

  fileprivate mutating func readPeriod() throws(WireError) -> Period? {
    let numbers = try readNumbers()
    guard let unit = Period.Unit(rawValue: UInt8(truncatingIfNeeded: numbers[1])) else {
      return nil
    }
    return Period(Int(truncatingIfNeeded: numbers[2]), unit)
  }

  fileprivate mutating func readPeriodPrice(
    _ currency: Currency
  ) throws(WireError) -> PeriodPrice? {
    var price: Money?
    var period: Period?
    let outer = try beginMessage()
    while true {
      let tag = try readTag()
      switch tag >> 3 {
      case 1: price = try readMoney(currency)
      case 2: period = try readPeriod()
      case 0:
        endMessage(outer)
        guard let price, let period else { return nil }
        return PeriodPrice(price: price, period: period)
      default: try skipField(tag)
      }
    }
  }
}
