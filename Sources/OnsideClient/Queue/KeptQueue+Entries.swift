import OnsideDomain

extension KeptQueue.Entry {
  init(_ entry: QueueEntry) {
    let transaction = entry.transaction
    id = transaction.id
    switch entry.step {
    case .queued: step = "queued"
    case .waiting: step = "waiting"
    case .settled: step = "settled"
    case .finishing: step = "finishing"
    case .sending(let way):
      step = "sending"
      method = KeptQueue.Method(way)
    }
    round = entry.round
    changedAt = entry.changedAtMilliseconds
    product = KeptQueue.Product(transaction.payment.product)
    appAccountToken = transaction.payment.appAccountToken
    state = transaction.state.rawValue
    isDeferred = transaction.isDeferred
    storefront = KeptQueue.Place(transaction.storefront)
    transactionID = transaction.transactionID
    originalTransactionID = transaction.originalTransactionID
    failure = transaction.failure.map {
      KeptQueue.Failure(code: $0.code.rawValue, message: $0.message, reason: $0.reason?.rawValue)
    }
  }
}

extension QueueEntry {
  /// The entry that was kept; nil if parts of it aren't known here.
  init?(_ kept: KeptQueue.Entry) {
    guard let state = PaymentTransaction.State(rawValue: kept.state),
      let storefront = kept.storefront.storefront, let product = kept.product.record
    else { return nil }
    transaction = PaymentTransaction(
      id: kept.id, payment: Payment(product, appAccountToken: kept.appAccountToken), state: state,
      storefront: storefront, transactionID: kept.transactionID,
      originalTransactionID: kept.originalTransactionID, isDeferred: kept.isDeferred,
      failure: kept.failure.map {
        PaymentTransaction.Failure(
          PaymentTransaction.Failure.Code(rawValue: $0.code), $0.message,
          reason: $0.reason.flatMap(RefusalReason.init(rawValue:)))
      })
    round = kept.round
    changedAtMilliseconds = kept.changedAt
    switch kept.step {
    case "queued": step = .queued
    case "waiting": step = .waiting
    case "settled": step = .settled
    case "finishing": step = .finishing
    case "sending":
      guard let method = kept.method?.method else { return nil }
      step = .sending(method)
    default: return nil
    }
  }
}

extension KeptQueue.Method {
  init(_ method: PaymentMethod) {
    switch method {
    case .applePay(let token): self.init(kind: "apple_pay", value: token)
    case .card(let token): self.init(kind: "card", value: token)
    case .savedCard(let id): self.init(kind: "saved_card", value: id)
    }
  }

  var method: PaymentMethod? {
    switch kind {
    case "apple_pay": .applePay(token: value)
    case "card": .card(token: value)
    case "saved_card": .savedCard(id: value)
    default: nil
    }
  }
}

extension KeptQueue.Place {
  init(_ storefront: Storefront) {
    self.init(id: storefront.id, country: storefront.country.alpha2)
  }

  var storefront: Storefront? {
    CountryCode(alpha2: country).map { Storefront(id: id, country: $0) }
  }
}

extension KeptQueue.Amount {
  init(_ money: Money) {
    self.init(minorUnits: money.minorUnits, currency: money.currency.code)
  }

  var money: Money? { Currency(currency).map { Money(minorUnits: minorUnits, currency: $0) } }
}

extension KeptQueue.PeriodPrice {
  init(_ price: ProductRecord.PeriodPrice) {
    self.init(price: KeptQueue.Amount(price.price), period: price.period.iso8601)
  }

  var record: ProductRecord.PeriodPrice? {
    guard let money = price.money, let period = Period(iso8601: period) else { return nil }
    return ProductRecord.PeriodPrice(price: money, period: period)
  }
}

extension KeptQueue.Product {
  init(_ product: ProductRecord) {
    self.init(
      identifier: product.identifier, title: product.title, description: product.description,
      kind: product.kind.rawValue, price: KeptQueue.Amount(product.price),
      group: product.subscriptionGroup, period: product.subscriptionPeriod?.iso8601,
      introductory: product.introductoryPrice.map(KeptQueue.PeriodPrice.init),
      discounted: product.discountedPrice.map(KeptQueue.PeriodPrice.init), icon: product.iconURL,
      storefront: KeptQueue.Place(product.storefront))
  }

  var record: ProductRecord? {
    guard let kind = ProductKind(rawValue: kind), let price = price.money,
      let storefront = storefront.storefront
    else { return nil }
    return ProductRecord(
      identifier: identifier, title: title, description: description, kind: kind, price: price,
      subscriptionGroup: group, subscriptionPeriod: period.flatMap(Period.init(iso8601:)),
      introductoryPrice: introductory?.record, discountedPrice: discounted?.record, iconURL: icon,
      storefront: storefront)
  }
}
