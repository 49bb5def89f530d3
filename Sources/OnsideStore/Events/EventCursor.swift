/// A place in a profile's events, as text for a client that watches in an app.
public struct EventCursor: Hashable, Sendable {
  /// The number of the last event that was taken.
  public let position: Int64

  /// A place behind an event; 0: before the first.
  public init(position: Int64) {
    self.position = position
  }

  private static let version = "01"

  /// The cursor as 34 hexadecimal digits, bound to a profile and an app.
  public func text(for profileID: ProfileID, appID: String) -> String {
    Self.version + Hexadecimal64.text(UInt64(bitPattern: position))
      + Hexadecimal64.text(Self.checksum(profileID, appID))
  }

  /// Reads a cursor's text; nil unless it was given for this profile and app.
  ///
  /// The binding guards against mistakes: a cursor names a place, and gives no access.
  public init?(text: String, for profileID: ProfileID, appID: String) {
    guard text.utf8.count == 34, text.hasPrefix(Self.version),
      let words = Hexadecimal64.words(text.dropFirst(2)),
      words[1] == Self.checksum(profileID, appID), words[0] <= UInt64(Int64.max)
    else { return nil }
    position = Int64(words[0])
  }

  private static func checksum(_ profileID: ProfileID, _ appID: String) -> UInt64 {
    var checksum = ListChecksum()
    profileID.withBytes { checksum.add($0) }
    checksum.add(appID.utf8)
    return checksum.value
  }
}
