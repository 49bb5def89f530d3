import Foundation
import LoadReporting
import Testing

@testable import LoadGenerator

/// What needs machines, or a machine's settings, of its own: network namespaces on this one.
@Suite(.serialized) struct NamespaceTests {
  /// Runs a script as root of a user namespace with its own network; nil, with a printed reason:
  /// this machine doesn't permit it, which CI may not pass over.
  private func isolated(_ script: [String]) async throws -> ProgramOutput? {
    let output = try await runProgram(
      "/usr/bin/env",
      [
        "timeout", "120", "unshare", "--map-root-user", "--net", "--mount", "--pid", "--fork",
        "--kill-child",
      ] + script)
    let isUnable =
      output.status == 77 || (output.status != 0 && output.error.hasPrefix("unshare: "))
    guard isUnable else { return output }
    print("skipped: no network namespaces here: \(output.error)")
    #expect(ProcessInfo.processInfo.environment["CI"] != "true", "\(output.error)")
    return nil
  }

  private func machines(_ words: [String]) async throws -> ProgramOutput? {
    let certificates = try await TestCertificates.shared.value
    let binaries = URL(fileURLWithPath: try builtProgram("onside-load"))
      .deletingLastPathComponent().path
    return try await isolated(
      ["bash", packageRoot + "/Scripts/machines.sh", binaries, certificates.folder] + words)
  }

  @Test func severalMachinesMakeALoadTogether() async throws {
    guard let output = try await machines(["3", "0", "--calls", "600"]) else { return }
    #expect(output.status == 0, "\(output.error)")
    let report = try LoadReport(json: JSONValue(parsing: output.output))
    #expect(report.verdict == .passed)
    #expect(report.calls.ok == 600)
    #expect(report.calls.latency.count == 600)
    #expect(report.agents.map(\.name) == (11...13).map { "10.77.0.\($0):9444" })
    #expect(report.agents.allSatisfy { $0.state == .finished })
    #expect(report.connections.opened == 6)
  }

  @Test func agentWhoseLinkIsCutIsReported() async throws {
    guard let output = try await machines(["2", "2", "--duration", "15", "--warmup", "0"])
    else { return }
    #expect(output.status == 1, "\(output.error)")
    let report = try LoadReport(json: JSONValue(parsing: output.output))
    #expect(report.verdict == .failed)
    #expect(report.agents.map(\.state) == [.finished, .lost])
    #expect(report.agents[1].reason?.hasPrefix("after ") == true)
    #expect(report.agents[1].load.ok > 0)
    #expect(report.remarks.contains { $0.hasPrefix("LOST: 10.77.0.12:9444 after ") })
    // The other went on to the end.
    #expect(report.series.count >= 15)
    #expect((report.series.dropLast().last?.ok ?? 0) > 0)
    // The one that was cut off ended its load by itself.
    #expect(output.error.contains("agent2: onside-load: share 2 of 2"))
    #expect(output.error.contains("ended early"), "\(output.error)")
  }

  @Test("LG-10 no local port left: the generator's limit, in phase connect, and not a dead server")
  func portsRunOut() async throws {
    let certificates = try await TestCertificates.shared.value
    let script = """
      ip link set lo up || exit 77
      echo 40000 40199 > /proc/sys/net/ipv4/ip_local_port_range || exit 77
      echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse || exit 77
      mkfifo "$3/ports.fifo"
      "$1" --listen 127.0.0.1:9443 --certificate "$3/server.pem" --key "$3/server.key" \
        --store memory > "$3/ports.fifo" 2> /dev/null &
      read -r line < "$3/ports.fifo"
      rm "$3/ports.fifo"
      "$2" run handshake --target 127.0.0.1:9443 --ca "$3/ca.pem" --connections 4 --users 10 \
        --duration 3 --warmup 0 --json -
      """
    let words = [
      "sh", "-c", script, "sh", try builtProgram("onside-server"), try builtProgram("onside-load"),
      certificates.folder,
    ]
    guard let output = try await isolated(words) else { return }
    #expect(output.status == 98, "\(output.error)")
    #expect(output.error.contains("200 free local ports"), "\(output.error)")
    let report = try LoadReport(json: JSONValue(parsing: output.output))
    #expect(report.verdict == .saturated)
    #expect(report.calls.ok > 0)
    #expect(
      report.calls.failures.entries.map(\.kind) == [
        .init(phase: .connect, status: "UNAVAILABLE", reason: "NO_LOCAL_PORT")
      ])
    #expect(report.saturation.first?.contains("ip_local_port_range") == true)
  }
}
