import OnsideDomain
import OnsideProto

extension OnsideDomain.Storefront {
  init(_ message: OnsideProto.Storefront?) throws(OnsideError) {
    guard let message else { throw .invalidResponse("it has no storefront") }
    guard let country = CountryCode(alpha2: message.countryCode) else {
      throw .invalidResponse("country \"\(message.countryCode)\" isn't known")
    }
    self.init(id: message.id, country: country)
  }
}

extension OnsideDomain.Money {
  init(_ message: OnsideProto.Money?) throws(OnsideError) {
    guard let message else { throw .invalidResponse("an amount is missing") }
    guard let currency = Currency(message.currencyCode) else {
      throw .invalidResponse("currency \"\(message.currencyCode)\" isn't known")
    }
    // An amount read with another exponent would be wrong by powers of ten.
    guard Int(message.exponent) == currency.exponent else {
      throw .invalidResponse(
        "\(currency.code) has \(currency.exponent) decimal places, not \(message.exponent)")
    }
    self.init(minorUnits: message.minorUnits, currency: currency)
  }

  var message: OnsideProto.Money {
    OnsideProto.Money(
      minorUnits: minorUnits, currencyCode: currency.code, exponent: UInt32(currency.exponent))
  }
}

extension OnsideDomain.Period {
  init(_ message: OnsideProto.Period) throws(OnsideError) {
    guard let unit = UInt8(exactly: message.unit.rawValue).flatMap(Unit.init(rawValue:)),
      let period = OnsideDomain.Period(Int(message.count), unit)
    else {
      throw .invalidResponse("a period of \(message.count) units \(message.unit.rawValue)")
    }
    self = period
  }
}
