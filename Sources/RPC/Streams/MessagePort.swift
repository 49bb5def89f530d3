/// One side of a streaming call, as its writer and its reader need the transport.
///
/// `isHere` says whether the calling thread may use the other functions at once; else they are
/// called from work that was handed to `post`.
@usableFromInline
package protocol MessagePort: AnyObject, Sendable {
  /// True on the thread that the call lives on.
  var isHere: Bool { get }

  /// Runs work on the thread that the call lives on.
  func post(_ work: @escaping @Sendable () -> Void)

  /// Sends a message of exactly `size` bytes, which `encode` writes at once. When it has to wait
  /// for credit or for room, the port says so to the call's `OutboundMessages` before this returns.
  ///
  /// - Parameter compression: nil: as the call's messages are sent.
  func write(
    size: Int, compression: MessageCompression?, encode: (UnsafeMutableRawBufferPointer) -> Void
  ) -> RPCError?

  /// A message that another thread handed over couldn't be sent.
  func writeFailed(_ error: RPCError)

  /// The writer sends nothing more.
  func closeSending()

  /// The reader has taken messages of so many bytes.
  func returnCredit(_ bytes: Int)
}
