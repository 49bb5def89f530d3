import COpenSSL
import RPCCore

extension Channel {
  /// How often a channel is read before it may keep its buffers: short connections needn't.
  private static let busyAfterReads: UInt8 = 8
  /// The most memory for output that a busy channel keeps.
  private static let keptOutput = 16 * 1024

  /// Something was received.
  @inline(__always)
  func noteUse() {
    wasBusy = true
    if busySlot < 0 { considerKeepingBuffers() }
  }

  @inline(never)
  private func considerKeepingBuffers() {
    if reads < Self.busyAfterReads { reads += 1 }
    guard reads == Self.busyAfterReads, let ssl else { return }
    loop.keepBuffers(of: self)
    if busySlot >= 0 { copenssl_release_buffers(ssl, false) }
  }

  /// Everything queued was written: gives the output's memory back, unless it is used again soon.
  @inline(__always)
  func releaseOutput() {
    output.releaseMemoryIfEmpty(above: busySlot < 0 ? 0 : Self.keptOutput)
  }

  /// Frees what an idle channel doesn't need.
  func releaseBuffers() {
    reads = 0
    output.releaseMemoryIfEmpty()
    if let ssl { copenssl_release_buffers(ssl, true) }
  }
}
