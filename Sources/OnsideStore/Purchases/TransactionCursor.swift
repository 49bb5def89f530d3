import OnsideDomain

/// A place in a list of transactions: the last one that was given out.
///
/// It names a transaction by age and identifier, not by count, so that changes in between neither
/// hide a transaction nor move the place. One that is finished meanwhile is seen again among the
/// finished.
public struct TransactionCursor: Hashable, Sendable {
  let isFinished: Bool
  let createdAt: Timestamp
  let id: TransactionID

  init(isFinished: Bool, createdAt: Timestamp, id: TransactionID) {
    self.isFinished = isFinished
    self.createdAt = createdAt
    self.id = id
  }

  init(after transaction: TransactionRecord) {
    self.init(
      isFinished: transaction.lifecycle.isFinished, createdAt: transaction.createdAt,
      id: transaction.id)
  }

  private static let version: UInt64 = 1

  /// The cursor as text for a client: 66 hexadecimal digits, bound to the list of `query`.
  public func text(for query: TransactionQuery) -> String { text(query.checksum) }

  /// The cursor as text for a client: 66 hexadecimal digits, bound to the list of `query`.
  public func text(for query: OwnedQuery) -> String { text(query.checksum) }

  /// Reads a cursor's text; nil unless it was given for the list of `query`.
  ///
  /// The binding guards against mistakes: a cursor names a place, and gives no access.
  public init?(text: String, for query: TransactionQuery) {
    self.init(text: text, query.checksum)
  }

  /// Reads a cursor's text; nil unless it was given for the list of `query`.
  public init?(text: String, for query: OwnedQuery) {
    self.init(text: text, query.checksum)
  }

  private func text(_ checksum: UInt64) -> String {
    let head = Self.version << 1 | (isFinished ? 1 : 0)
    let words = [UInt64(bitPattern: createdAt.milliseconds), id.high, id.low, checksum]
    return Hexadecimal64.text(head).suffix(2) + words.map(Hexadecimal64.text).joined()
  }

  private init?(text: String, _ checksum: UInt64) {
    guard text.utf8.count == 66, let head = Hexadecimal64.words("00000000000000" + text.prefix(2)),
      let words = Hexadecimal64.words(text.dropFirst(2)), head[0] >> 1 == Self.version,
      words[3] == checksum
    else { return nil }
    self.init(
      isFinished: head[0] & 1 == 1, createdAt: Timestamp(milliseconds: Int64(bitPattern: words[0])),
      id: TransactionID(high: words[1], low: words[2]))
  }
}

extension TransactionQuery {
  /// Over what makes a list: profile, app, and whether it leaves out the finished.
  fileprivate var checksum: UInt64 {
    var checksum = ListChecksum()
    profileID.withBytes { checksum.add($0) }
    checksum.add(appID.utf8)
    checksum.add(CollectionOfOne(unfinishedOnly ? 1 : 0))
    return checksum.value
  }
}

extension OwnedQuery {
  /// Over what makes a list: profile and app. 2 is none of the other list's.
  fileprivate var checksum: UInt64 {
    var checksum = ListChecksum()
    profileID.withBytes { checksum.add($0) }
    checksum.add(appID.utf8)
    checksum.add(CollectionOfOne(2))
    return checksum.value
  }
}
