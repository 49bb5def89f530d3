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
  public func text(for query: TransactionQuery) -> String {
    let head = Self.version << 1 | (isFinished ? 1 : 0)
    let words: [(UInt64, digits: Int)] = [
      (head, 2), (UInt64(bitPattern: createdAt.milliseconds), 16), (id.high, 16), (id.low, 16),
      (Self.checksum(of: query), 16),
    ]
    return words.map { Self.hexadecimal($0.0, digits: $0.digits) }.joined()
  }

  /// Reads a cursor's text; nil unless it was given for the list of `query`.
  ///
  /// The binding guards against mistakes: a cursor names a place, and gives no access.
  public init?(text: String, for query: TransactionQuery) {
    let digits = text.utf8
    guard digits.count == 66, digits.allSatisfy(Self.isDigit) else { return nil }
    var words: [UInt64] = []
    var start = digits.startIndex
    for length in [2, 16, 16, 16, 16] {
      let end = digits.index(start, offsetBy: length)
      guard let word = UInt64(text[start..<end], radix: 16) else { return nil }
      words.append(word)
      start = end
    }
    guard words[0] >> 1 == Self.version, words[4] == Self.checksum(of: query) else { return nil }
    self.init(
      isFinished: words[0] & 1 == 1,
      createdAt: Timestamp(milliseconds: Int64(bitPattern: words[1])),
      id: TransactionID(high: words[2], low: words[3]))
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private static func hexadecimal(_ word: UInt64, digits: Int) -> String {
    let text = String(word, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  /// FNV-1a over what makes a list: profile, app, and whether it leaves out the finished.
  private static func checksum(of query: TransactionQuery) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    query.profileID.withBytes { $0.forEach(add) }
    query.appID.utf8.forEach(add)
    add(query.unfinishedOnly ? 1 : 0)
    return hash
  }
}
