import OnsideDomain
import Testing

@testable import OnsideStore

@Suite("Places in lists of transactions")
struct TransactionCursorTests {
  private let query = TransactionQuery(
    profileID: ProfileID(high: 1, low: 2), appID: "com.example.shop", limit: 10)

  private let cursors = [
    TransactionCursor(
      isFinished: false, createdAt: Timestamp(milliseconds: 1_772_000_000_000),
      id: TransactionID(high: 3, low: 4)),
    TransactionCursor(
      isFinished: true, createdAt: Timestamp(milliseconds: -1),
      id: TransactionID(high: .max, low: 0)),
  ]

  @Test("Their text comes back for the same list, whatever the page's size")
  func comesBack() {
    for cursor in cursors {
      let text = cursor.text(for: query)
      #expect(text.utf8.count == 66)
      let other = TransactionQuery(
        profileID: query.profileID, appID: query.appID, limit: 3, after: cursor)
      #expect(TransactionCursor(text: text, for: other) == cursor)
    }
  }

  @Test("A text of another list is refused")
  func isBoundToList() {
    let text = cursors[0].text(for: query)
    let others = [
      TransactionQuery(profileID: ProfileID(high: 1, low: 3), appID: query.appID, limit: 10),
      TransactionQuery(profileID: query.profileID, appID: "com.example.shoq", limit: 10),
      TransactionQuery(
        profileID: query.profileID, appID: query.appID, limit: 10, unfinishedOnly: true),
    ]
    for other in others { #expect(TransactionCursor(text: text, for: other) == nil) }
  }

  @Test("Other texts are refused")
  func refusesOthers() {
    let text = cursors[0].text(for: query)
    let others = [
      "", "0", String(text.dropLast()), text + "0", "+" + text.dropFirst(), text.uppercased() + " ",
      String(repeating: "f", count: 66), String(repeating: "é", count: 33),
      "04" + text.dropFirst(2),
    ]
    for other in others { #expect(TransactionCursor(text: other, for: query) == nil, "\(other)") }
  }
}
