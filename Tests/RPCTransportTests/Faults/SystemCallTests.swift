import TestSupport
import Foundation
import Testing

/// Every system call of an exchange fails once, each in an exchange of its own. In a process of its
/// own: a trap would show, and no other test's descriptors are counted.
@Suite struct SystemCallTests {
  @Test func everyFailureIsOneErrorAndLeavesNothingBehind() async throws {
    let certificates = try await TestCertificates.shared.value
    // Beside the program of the tests.
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let child = URL(filePath: own).deletingLastPathComponent().path + "/transport-fault-child"
    let outcome = try await Program.run([child, certificates.folder.path])
    #expect(outcome.status == 0, "\(outcome.everything)")
    let lines = outcome.everything.split(separator: "\n")
    for call in [
      "read", "write", "accept", "connect", "recv", "SSL_read", "SSL_do_handshake", "eventfd",
      "epoll_pwait2",
    ] {
      let failed = lines.filter { $0.hasPrefix(call) }.compactMap(failures)
      // Otherwise the program's own functions aren't the ones that are called.
      #expect(!failed.isEmpty && failed.allSatisfy { $0 > 0 }, "\(call): \(failed)")
    }
  }

  /// The number in "read EINTR: 12 failed, …".
  private func failures(_ line: Substring) -> Int? {
    line.split(separator: ":").last?.split(separator: " ").first.flatMap { Int($0) }
  }
}
