import OnsideClient
import OnsideDomain

/// Receipts of what was paid.
extension Shop {
  func showReceipts() async {
    while true {
      let paid: [TransactionRecord]
      do throws(OnsideError) {
        paid = try await marketplace.history().filter { $0.state == .purchased }
          .sorted { $0.createdAtMilliseconds > $1.createdAtMilliseconds }
      } catch {
        return complain(error)
      }
      guard !paid.isEmpty else { return say("Nothing was paid yet, so there are no receipts.") }
      let list = "\n" + list(paid)
      let answer = await ask(
        "Number to see its receipt, empty for the menu: ", below: { list },
        or: "Enter a number from 1 to \(paid.count)."
      ) { Self.place($0, of: paid.count) }
      switch answer {
      case .end, .empty: return
      case .again: continue
      case .value(let place): await showReceipt(of: paid[place])
      }
    }
  }

  private func list(_ paid: [TransactionRecord]) -> String {
    var listing = Listing(titles: ["Product", "Price", "Date"], rightAligned: [0])
    for (place, record) in paid.enumerated() {
      listing.add(
        Listing.Row(
          number: "\(place + 1)", title: title(record.productIdentifier),
          details: ["\(record.price)", Self.date(record.createdAtMilliseconds)]))
    }
    return listing.text(columns: terminal.columns, terminal.style)
  }

  private func showReceipt(of record: TransactionRecord) async {
    do throws(OnsideError) {
      let receipt = try await marketplace.receipt(transactionID: record.id)
      say("\n" + ReceiptText.of(receipt))
      if await askUntilAnswered("s to save it, empty to go back: ") == "s" {
        say(presenter.keep(receipt))
      }
    } catch {
      complain(error)
    }
  }
}
