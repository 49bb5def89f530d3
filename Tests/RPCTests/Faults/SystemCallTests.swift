import TestSupport
import Foundation
import Testing

/// Every system call of a call from client to server fails once. In a process of its own, as the
/// transport's test of the same name.
@Suite struct SystemCallTests {
  @Test func everyFailureIsOneErrorAndLeavesNothingBehind() async throws {
    let certificates = try await TestCertificates.shared.value
    // Beside the program of the tests.
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let child = URL(filePath: own).deletingLastPathComponent().path + "/rpc-fault-child"
    let outcome = try await Program.run([child, certificates.folder])
    #expect(outcome.status == 0, "\(outcome.everything)")
    let lines = outcome.everything.split(separator: "\n").filter { $0.contains(" failed, ") }
    #expect(lines.count > 20, "\(outcome.everything)")
    for call in ["read EINTR", "write EPIPE", "accept EMFILE", "SSL_read"] {
      let line = lines.first { $0.hasPrefix(call) }
      #expect(line?.contains(": 0 failed") == false, "\(call): \(line ?? "")")
    }
  }
}
