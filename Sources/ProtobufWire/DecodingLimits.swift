/// Bounds on what a message may cost its reader.
///
/// The size of the encoded message is the caller's to bound, before it calls. These limits are
/// about messages that are small on the wire and large in memory.
public struct DecodingLimits: Hashable, Sendable {
  /// How many sub-messages and groups may be in each other. The outermost message doesn't count.
  ///
  /// 100 by default, as in the other implementations of protobuf.
  public var depth: Int

  /// How many bytes of elements one byte of input may turn into. 16 by default.
  ///
  /// An empty sub-message has 2 bytes on the wire, yet its struct may have hundreds. What counts:
  /// elements of repeated fields, entries of maps, and boxes of recursive fields, each with the
  /// size of its Swift type. An array that grows takes up to three times its elements for a moment,
  /// so that the peak is at most 3 × 16 = 48 times the input, beside the strings and bytes
  /// themselves.
  public var expansion: Int

  /// A message may always take this many bytes, however short it is. 256 KiB by default.
  public var minimumAllowance: Int

  /// Makes limits; those not given have their defaults.
  @inlinable
  public init(depth: Int = 100, expansion: Int = 16, minimumAllowance: Int = 256 * 1024) {
    self.depth = depth
    self.expansion = expansion
    self.minimumAllowance = minimumAllowance
  }

  /// Bytes that decoding an input of this size may take.
  @usableFromInline
  func allowance(inputBytes: Int) -> Int {
    let (product, overflow) = inputBytes.multipliedReportingOverflow(by: expansion)
    return overflow ? .max : max(product, minimumAllowance)
  }
}
