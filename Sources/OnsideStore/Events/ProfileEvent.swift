import OnsideDomain

/// Something that happened to a profile, at its place in the profile's sequence of events.
public struct ProfileEvent: Hashable, Sendable {
  /// What happened.
  public enum Change: Hashable, Sendable {
    /// A transaction is new or has changed; it is as this change left it.
    case transaction(TransactionRecord)

    /// The profile has this storefront now.
    case storefront(Storefront)
  }

  /// From 1, rising by one within a profile.
  public let sequence: Int64
  public let change: Change

  public init(sequence: Int64, change: Change) {
    self.sequence = sequence
    self.change = change
  }
}

/// A part of a profile's events, in their order.
public struct ProfileEventPage: Hashable, Sendable {
  public let events: [ProfileEvent]

  /// The place to read on from, now or later.
  public let position: Int64

  /// More can be read at once.
  public let hasMore: Bool

  public init(events: [ProfileEvent], position: Int64, hasMore: Bool) {
    self.events = events
    self.position = position
    self.hasMore = hasMore
  }
}

/// What reading a profile's events found.
public enum ProfileEventReading: Hashable, Sendable {
  case page(ProfileEventPage)

  /// Events behind the place were forgotten, or the profile hasn't had so many.
  case lost
}

extension ProfileEventReading {
  /// What a reader is told that stands at `position`.
  ///
  /// - Parameters:
  ///   - found: The events behind it, in order; one more than `limit` if there are so many.
  ///   - last: The number of the profile's last event; 0: none.
  init(_ found: [ProfileEvent], after position: Int64, last: Int64, limit: Int) {
    // Without a gap: whatever was forgotten, nothing is left out unnoticed.
    let isWhole = found.enumerated().allSatisfy { $1.sequence == position + Int64($0) + 1 }
    guard isWhole, position <= last, position == last || !found.isEmpty else {
      self = .lost
      return
    }
    let page = found.prefix(limit)
    self = .page(
      ProfileEventPage(
        events: Array(page), position: page.last?.sequence ?? position,
        hasMore: found.count > limit))
  }
}
