/// A message of a streaming call that has come and waits to be taken: encoded, and compressed if it
/// came so, so that a call holds no more memory than its window has bytes.
package struct EncodedMessage: Sendable {
  /// The bytes as they came.
  package var bytes: [UInt8]

  /// Makes the message of them; nil: they are the message.
  package var inflater: Inflater?

  /// The message came in several frames: its credit goes back at once when it is taken, since the
  /// connection's budget for such messages is held until then.
  package var isAssembled: Bool

  package init(_ bytes: [UInt8], inflater: Inflater? = nil, isAssembled: Bool = false) {
    self.bytes = bytes
    self.inflater = inflater
    self.isAssembled = isAssembled
  }
}
