import OnsideCatalogue
import OnsideDomain
import RPC

extension PurchaseOrder {
  /// What an order that may begin is about.
  struct Admission: Sendable {
    /// As the catalogue sells it.
    let product: CatalogueProduct
    let storefront: Storefront
    let payment: Payment
  }

  /// Checks an order against what holds now: the buyer's storefront and kind, the catalogue, and
  /// what the processor would take. Nothing is written before this has passed.
  ///
  /// The storefront comes first, since another one explains a missing product and another price;
  /// that a profile can't buy a product at all comes before how it would be paid.
  func admit(
    _ buyer: Buyer, catalogue: CatalogueSnapshot, processor: any PaymentProcessor
  ) throws(RPCError) -> Admission {
    let place = SalesPlace(catalogue, appID: buyer.appID, storefront: buyer.storefront)
    let storefront = place.storefront
    guard seen.storefrontID == storefront.id else { throw storefrontChanged(storefront) }
    guard let product = catalogue.product(productIdentifier, at: place) else {
      throw RPCError(
        .productNotFound,
        "product \(Escaping.quoted(productIdentifier)) isn't sold in the storefront "
          + "\(storefront.id); ask ListProducts what is",
        ["product_identifier": productIdentifier, "storefront_id": storefront.id])
    }
    try checkEligibility(product, buyer)
    guard let payment else {
      throw RPCError(
        .paymentMethodInvalid,
        "no payment method; set apple_pay_token, card_token or "
          + "saved_card_id")
    }
    let offer = PurchaseOffer(storefrontID: storefront.id, price: product.price)
    if offer.refusal(ofSeen: seen) != nil { throw priceChanged(product) }
    // A saved card's token is the processor's own.
    if payment.method != .savedCard,
      let problem = processor.problem(withToken: payment.token, of: payment.method)
    {
      throw RPCError(.paymentMethodInvalid, problem)
    }
    return Admission(product: product, storefront: storefront, payment: payment)
  }

  private func checkEligibility(
    _ product: CatalogueProduct, _ buyer: Buyer
  ) throws(RPCError) {
    // No method at all isn't Apple Pay either.
    let method = payment?.method ?? .card
    switch EligibilityRules.refusal(of: product.kind, for: buyer.kind, paidWith: method) {
    case nil: return
    case .applePayRequired?:
      throw RPCError(
        .applePayRequired,
        "a profile with external login pays through Apple Pay only; send an apple_pay_token")
    case let reason?:
      throw RPCError(
        reason,
        "a profile with external login buys consumables only; "
          + "\(Escaping.quoted(productIdentifier)) isn't one, so it needs a regular login",
        ["product_identifier": productIdentifier])
    }
  }

  private func storefrontChanged(_ storefront: Storefront) -> RPCError {
    RPCError(
      .storefrontChanged,
      "the purchase is for the storefront \(Escaping.quoted(seen.storefrontID)), but the profile "
        + "is in \(storefront.id); list the products again and ask the user",
      ["storefront_id": storefront.id, "country_code": storefront.country.alpha2])
  }

  private func priceChanged(_ product: CatalogueProduct) -> RPCError {
    RPCError(
      .priceChanged,
      "the user saw \(seen.price), but \(Escaping.quoted(productIdentifier)) costs "
        + "\(product.price) now; list the products again and ask the user",
      [
        "price_minor_units": String(product.price.minorUnits),
        "price_currency": product.price.currency.code,
      ])
  }
}

extension CatalogueSnapshot {
  /// A product as it is sold at a place; nil: it isn't sold there.
  func product(_ identifier: String, at place: SalesPlace) -> CatalogueProduct? {
    guard case .storefront(let app, let storefront) = place.listing else { return nil }
    return product(identifier, app: app, storefront: storefront)
  }
}
