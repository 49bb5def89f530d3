import COpenSSL
import RPCCore

extension Channel {
  /// The most memory for output that a channel in use keeps.
  private static let keptOutput = 16 * 1024

  /// The channel is new, or has received something.
  @inline(__always)
  func noteUse() {
    wasBusy = true
    if busySlot < 0 { keepBuffers() }
  }

  @inline(never)
  private func keepBuffers() {
    loop.keepBuffers(of: self)
    if busySlot >= 0, let ssl { copenssl_release_buffers(ssl, false) }
  }

  /// Everything queued was written: gives the output's memory back, unless it is used again soon.
  @inline(__always)
  func releaseOutput() {
    output.releaseMemoryIfEmpty(above: busySlot < 0 ? 0 : Self.keptOutput)
  }

  /// Frees what an idle channel doesn't need.
  func releaseBuffers() {
    output.releaseMemoryIfEmpty()
    if let ssl { copenssl_release_buffers(ssl, true) }
  }
}
