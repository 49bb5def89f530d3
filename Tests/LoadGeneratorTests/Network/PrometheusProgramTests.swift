import Foundation
import TestProcess
import Testing

/// What is fetched from `onside-load` while it makes a load.
@Suite struct PrometheusProgramTests {
  /// Fetches until the text has calls in it, and prints it.
  private static let fetch = """
    import sys, time, urllib.request
    while True:
        text = urllib.request.urlopen(sys.argv[1]).read().decode()
        if 'result="ok"} 0\\n' not in text and "latency_seconds" in text:
            break
        time.sleep(0.05)
    print(text, end="")
    """

  @Test func metricsAreServedDuringTheRun() async throws {
    try await withLoginServer { server, _ in
      let process = TestProcess()
      process.executableURL = URL(fileURLWithPath: try builtProgram("onside-load"))
      process.arguments =
        ["run", "session-create", "--target", "127.0.0.1:\(server.port)", "--ca"]
        + [server.certificates.path("ca.pem"), "--connections", "2", "--duration", "600"]
        + ["--warmup", "0", "--think-time", "10ms", "--quiet", "--prometheus-listen", "0"]
      let error = Pipe()
      process.standardError = error
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      defer { process.interrupt() }
      var said = ""
      while !said.contains("\n"), case let piece = error.fileHandleForReading.availableData,
        !piece.isEmpty
      { said += String(decoding: piece, as: UTF8.self) }
      let place = /metrics at (http:\/\/127\.0\.0\.1:\d+\/metrics)/
      let url = try #require(said.firstMatch(of: place))
      let fetched = try await runProgram(
        "/usr/bin/env", ["python3", "-c", Self.fetch, String(url.1)])
      #expect(fetched.status == 0, "\(fetched.error)")
      let labels = "{scenario=\"session-create\",result=\"ok\"}"
      #expect(fetched.output.contains("onside_load_calls_total\(labels)"))
    }
  }

  @Test func addressesThatCanNotBeEndBeforeTheLoad() async throws {
    let program = try builtProgram("onside-load")
    let words = ["run", "session-create", "--target", "127.0.0.1:1", "--prometheus-listen"]
    for wrong in ["", "x", "127.0.0.1", "127.0.0.1:70000", "unix:/tmp/x"] {
      let output = try await runProgram(program, words + [wrong])
      #expect(output.status == 2)
      #expect(output.error.contains("--prometheus-listen"), "\(output.error)")
    }
    let taken = try await runProgram(program, words + ["203.0.113.1:0"])
    #expect(taken.status == 3)
    #expect(taken.error.contains("--prometheus-listen 203.0.113.1:0: "), "\(taken.error)")
  }
}
