import OnsideDomain

/// The 128-bit identifier of an `Entity`, written as a UUID.
///
/// The type parameter keeps identifiers of profiles, transactions and sessions apart.
@frozen
public struct UniqueID<Entity>: Hashable, Sendable {
  /// The first eight bytes, big-endian.
  public let high: UInt64

  /// The last eight bytes, big-endian.
  public let low: UInt64

  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The identifier with these bytes; nil unless there are 16.
  @inlinable
  public init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 16 else { return nil }
    high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// An identifier that nobody can guess: 128 random bits of the system's generator.
  ///
  /// It isn't a UUID of any version: session identifiers keep all their bits.
  public static func random() -> UniqueID {
    let (high, low) = RandomPool.next()
    return UniqueID(high: high, low: low)
  }

  /// A new UUID of version 7 (RFC 9562): 48 bits of time, 74 random bits.
  ///
  /// Identifiers made one after another are neighbours in an index, which keeps the writes of a
  /// batch on few pages.
  public static func timeOrdered(at time: Timestamp) -> UniqueID {
    let random = RandomPool.next()
    let milliseconds = UInt64(truncatingIfNeeded: time.milliseconds) & 0xffff_ffff_ffff
    let high = milliseconds << 16 | 0x7000 | random.0 & 0x0fff
    let low = 0x8000_0000_0000_0000 | random.1 >> 2
    return UniqueID(high: high, low: low)
  }

  /// Hands the 16 bytes to `body`.
  @inlinable
  public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let words = (high.bigEndian, low.bigEndian)
    return withUnsafeBytes(of: words, body)
  }
}

/// What an identifier of a session belongs to; sessions have no record in the store.
public enum SessionTag: Sendable {}

/// Identifies a profile.
public typealias ProfileID = UniqueID<ProfileRecord>

/// Identifies a transaction.
public typealias TransactionID = UniqueID<TransactionRecord>

/// Identifies a session: 128 random bits.
public typealias SessionID = UniqueID<SessionTag>

extension UniqueID: Comparable {
  /// By the bytes, as an index of the store orders them.
  @inlinable
  public static func < (left: UniqueID, right: UniqueID) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}
