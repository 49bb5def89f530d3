import OnsideCatalogue
import OnsideDomain
import OnsideProto

/// `ListProducts` as one would write it without caring for time: messages, dictionaries, strings.
struct ReferenceListing {
  var products: [String: CatalogueProduct]
  var storefront: OnsideDomain.Storefront
  var profile: OnsideDomain.ProfileKind

  func answer(_ request: ListProductsRequest) -> ListProductsResponse {
    var response = ListProductsResponse()
    var seen: Set<String> = []
    for identifier in request.productIdentifiers where seen.insert(identifier).inserted {
      if let product = products[identifier] {
        if profile == .external && product.kind != .consumable {
          response.unsupportedIdentifiers.append(identifier)
        } else {
          response.products.append(OnsideProto.Product(product))
        }
      } else {
        response.invalidIdentifiers.append(identifier)
      }
    }
    response.storefront = OnsideProto.Storefront(storefront)
    return response
  }
}

extension OnsideProto.Storefront {
  init(_ storefront: OnsideDomain.Storefront) {
    self.init()
    id = storefront.id
    countryCode = storefront.country.alpha2
  }
}

extension OnsideProto.Money {
  init(_ money: OnsideDomain.Money) {
    self.init()
    minorUnits = money.minorUnits
    currencyCode = money.currency.code
    exponent = UInt32(money.currency.exponent)
  }
}

extension OnsideProto.Period {
  init(_ period: OnsideDomain.Period) {
    self.init()
    unit = PeriodUnit(rawValue: Int32(period.unit.rawValue))
    count = UInt32(period.count)
  }
}

extension OnsideProto.PeriodPrice {
  init(_ price: OnsideCatalogue.PeriodPrice) {
    self.init()
    self.price = OnsideProto.Money(price.price)
    period = OnsideProto.Period(price.period)
  }
}

extension OnsideProto.Product {
  init(_ product: CatalogueProduct) {
    self.init()
    productIdentifier = product.identifier
    title = product.title
    description = product.description
    kind = OnsideProto.ProductKind(rawValue: Int32(product.kind.rawValue))
    price = OnsideProto.Money(product.price)
    subscriptionGroup = product.subscriptionGroup ?? ""
    subscriptionPeriod = product.subscriptionPeriod.map(OnsideProto.Period.init)
    introductoryPrice = product.introductoryPrice.map(OnsideProto.PeriodPrice.init)
    discountedPrice = product.discountedPrice.map(OnsideProto.PeriodPrice.init)
    iconURL = product.iconURL ?? ""
  }
}
