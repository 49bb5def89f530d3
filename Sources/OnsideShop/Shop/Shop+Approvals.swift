import OnsideClient

/// Local testing: purchases that wait for approval are decided by the person.
extension Shop {
  func decide() async {
    while true {
      let waiting = marketplace.transactions.filter { $0.isDeferred && $0.transactionID != nil }
      guard !waiting.isEmpty else { return say("No purchase waits for approval.") }
      var listing = Listing(titles: ["Product", "Price"], rightAligned: [0])
      for (place, transaction) in waiting.enumerated() {
        listing.add(
          Listing.Row(
            number: "\(place + 1)", title: transaction.payment.product.title,
            details: ["\(transaction.payment.product.price)"]))
      }
      let list = "\n" + listing.text(columns: terminal.columns, terminal.style)
      let answer = await ask(
        "y N to approve, n N to decline, empty for the menu: ", below: { list },
        or: "Enter y or n and a number from 1 to \(waiting.count), as \"y 1\"."
      ) { Self.decision($0, of: waiting.count) }
      switch answer {
      case .end, .empty: return
      case .again: continue
      case .value(let decision): await decide(waiting[decision.place], decision.approves)
      }
    }
  }

  private func decide(_ transaction: PaymentTransaction, _ approve: Bool) async {
    outcomes.forget(.purchase(transaction.id))
    guard let id = transaction.transactionID,
      marketplace.decideLocally(transactionID: id, approve: approve)
    else { return }
    _ = await outcomes.wait(for: .purchase(transaction.id))
  }

  /// `y 1` or `n 1`: the place from 0, and whether it is approved.
  private static func decision(_ text: String, of count: Int) -> (place: Int, approves: Bool)? {
    let parts = text.split(separator: " ")
    guard parts.count == 2, ["y", "n"].contains(parts[0]),
      let place = place(String(parts[1]), of: count)
    else { return nil }
    return (place, parts[0] == "y")
  }
}
