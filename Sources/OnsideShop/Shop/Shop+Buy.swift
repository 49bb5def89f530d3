import OnsideClient
import OnsideDomain

/// Buying something.
extension Shop {
  func buy(_ identifier: String) async {
    if marketplace.profile == nil {
      say("Buying needs a login.")
      guard await offerLogin() else { return }
    }
    // Prices and rules are the user's: what was seen before the login may be another product.
    guard let product = await product(identifier) else { return }
    say(Self.details(product))
    let transaction: PaymentTransaction
    do throws(OnsideError) {
      transaction = try await marketplace.add(Payment(product))
    } catch {
      return complain(error)
    }
    guard await outcomes.wait(for: .purchase(transaction.id)) else {
      return say(
        "The outcome isn't known yet. You are told here when it is; see transactions (t) too.")
    }
    if marketplace.profile?.kind == .external,
      marketplace.transactions.first(where: { $0.id == transaction.id })?.state == .purchased
    {
      // It comes by itself; waiting for it keeps the list from being shown in between.
      _ = await outcomes.wait(for: .reminder(transaction.id))
    }
  }

  private func product(_ identifier: String) async -> ProductRecord? {
    do throws(OnsideError) {
      let list = try await marketplace.products([identifier])
      if let product = list.products.first { return product }
      let name = PlainText.of(title(identifier))
      if list.unsupportedIdentifiers.isEmpty {
        complain(
          "\(name) is unknown, or isn't sold in \(list.storefront.country.alpha2): choose another.")
      } else {
        complain(
          "\(name) is unsupported: an external profile buys consumables only. Log out, and log in "
            + "by phone or through the store app, to have it.")
      }
    } catch {
      complain(error)
    }
    return nil
  }

  /// What a person wants to know before paying.
  static func details(_ product: ProductRecord) -> String {
    var lines = ["", "\(PlainText.of(product.title)), \(kind(product.kind)): \(price(product))"]
    if !product.description.isEmpty { lines.append("  " + PlainText.of(product.description)) }
    if let offer = product.introductoryPrice {
      lines.append("  At first: \(offer.price) for the first \(name(offer.period))")
    }
    if let offer = product.discountedPrice {
      lines.append("  On offer: \(offer.price) for \(name(offer.period))")
    }
    return lines.joined(separator: "\n")
  }
}
