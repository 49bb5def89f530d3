import OnsideClient
import OnsideDomain

/// What was bought, and what is still to be delivered.
extension Shop {
  /// The most finished transactions that are listed.
  private static let mostFinished = 20

  func showTransactions() async {
    while marketplace.profile != nil {
      let unfinished = marketplace.transactions
      let list = "\n" + (await transactions(unfinished))
      let question =
        unfinished.isEmpty
        ? "Empty for the menu: " : "Number to finish what was delivered, empty for the menu: "
      let answer = await ask(
        question, below: { list }, or: "Enter the number of a transaction that has one."
      ) { Self.place($0, of: unfinished.count) }
      switch answer {
      case .end, .empty: return
      case .again: continue
      case .value(let place): finish(unfinished[place])
      }
    }
  }

  private func finish(_ transaction: PaymentTransaction) {
    do throws(OnsideError) {
      finishedHere.insert(Self.key(transaction))
      try marketplace.finish(transaction.id)
      say("Finished: \(Self.title(transaction))")
    } catch {
      finishedHere.remove(Self.key(transaction))
      complain(error)
    }
  }

  /// The unfinished, which can be chosen, and then the finished, newest first.
  private func transactions(_ unfinished: [PaymentTransaction]) async -> String {
    var listing = Listing(titles: ["Product", "Price", "State", "Date"], rightAligned: [0])
    for (place, transaction) in unfinished.enumerated() {
      listing.add(
        Listing.Row(
          number: "\(place + 1)", title: transaction.payment.product.title,
          details: ["\(transaction.payment.product.price)", Self.state(transaction), ""]))
    }
    do throws(OnsideError) {
      // What was finished here just now is finished, whether the service knows it yet or not.
      let finished = try await marketplace.history().filter {
        $0.isFinished || finishedHere.contains($0.id)
      }
      for record in finished.prefix(Self.mostFinished) { listing.add(row(record)) }
      let rest = finished.count - Self.mostFinished
      guard !listing.rows.isEmpty else { return "No transactions yet." }
      return listing.text(columns: terminal.columns, terminal.style)
        + (rest > 0 ? "and \(rest) older ones" : "")
    } catch {
      complain(error)
      return listing.rows.isEmpty
        ? "No unfinished transactions." : listing.text(columns: terminal.columns, terminal.style)
    }
  }

  private func row(_ record: TransactionRecord) -> Listing.Row {
    Listing.Row(
      title: title(record.productIdentifier),
      details: [
        "\(record.price)", "\(record.state), finished",
        Self.date(record.createdAtMilliseconds),
      ], look: .dim)
  }

  static func state(_ transaction: PaymentTransaction) -> String {
    switch transaction.state {
    case .purchasing: transaction.isDeferred ? "waits for approval" : "outcome not known yet"
    case .purchased: "purchased, to finish"
    case .restored: "restored, to finish"
    case .failed: "failed, to finish"
    }
  }

  /// Day and minute, UTC.
  static func date(_ milliseconds: Int64) -> String {
    let text = Timestamp(milliseconds: milliseconds).rfc3339
    return text.prefix(10) + " " + text.dropFirst(11).prefix(5)
  }
}
