import Dispatch
import Foundation
import Synchronization
import TestProcess
import Testing

@testable import MetricsEndpoint

@Suite struct MetricsEndpointTests {
  private func withEndpoint(
    _ text: @escaping @Sendable () -> String = { "up 1\n" },
    _ body: (MetricsEndpoint, UInt16) async throws -> Void
  ) async throws {
    let endpoint = try MetricsEndpoint(host: "127.0.0.1", port: 0, text: text)
    let port = try #require(UInt16(endpoint.address.split(separator: ":").last ?? ""))
    try await body(endpoint, port)
    withExtendedLifetime(endpoint) {}
  }

  /// Python's own client is as strict as Prometheus' is.
  @Test func clientsGetTheText() async throws {
    let count = Atomic(0)
    try await withEndpoint({
      "asked \(count.wrappingAdd(1, ordering: .relaxed).newValue)\n"
    }) { endpoint, _ in
      #expect(endpoint.url == "http://\(endpoint.address)/metrics")
      let script = """
        import sys, urllib.request, urllib.error
        url = sys.argv[1]
        for _ in range(3):
            answer = urllib.request.urlopen(url)
            print(answer.status, answer.headers["Content-Type"], answer.read().decode(), end="")
        for address, method in [(url + "s", "GET"), (url, "POST"), (url, "HEAD")]:
            request = urllib.request.Request(address, method=method)
            try:
                answer = urllib.request.urlopen(request)
                print(answer.status, len(answer.read()))
            except urllib.error.HTTPError as error:
                print(error.code, error.headers["Allow"])
        """
      let output = try await onQueue { try run(["python3", "-c", script, endpoint.url]) }
      let type = "text/plain; version=0.0.4; charset=utf-8"
      #expect(
        output == """
          200 \(type) asked 1
          200 \(type) asked 2
          200 \(type) asked 3
          404 None
          405 GET, HEAD
          200 0

          """)
    }
  }

  @Test func answersThatASocketDoesNotTakeAtOnceComeWhole() async throws {
    let line = "x_total{a=\"b\"} 1\n"
    let text = String(repeating: line, count: 200_000)
    try await withEndpoint({ text }) { _, port in
      let answer = try await onQueue {
        let client = try Client(port)
        client.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
        // Long enough for the server to find the socket full; it is right without it, too.
        usleep(20_000)
        return client.readAll()
      }
      #expect(answer.hasSuffix(line))
      #expect(answer.utf8.count > text.utf8.count)
    }
  }

  @Test func hostileVisitorsGetAnswersAndNoMore() async throws {
    try await withEndpoint { _, port in
      let answers = try await onQueue {
        try [
          String(repeating: "A", count: 1 << 16), "GET /metrics HTTP/1.1\r\n\r\n",
          "\u{16}\u{3}\u{1}\u{2}\n\n\n", "GET /metrics HTTP/9\r\nHost: a\r\n\r\n",
          "GET ../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n" + String(repeating: "B", count: 100_000),
        ].map { text in
          let client = try Client(port)
          client.send(text)
          return String(client.readAll().prefix(12))
        }
      }
      #expect(
        answers == [
          "HTTP/1.1 431", "HTTP/1.1 400", "HTTP/1.1 400", "HTTP/1.1 505", "HTTP/1.1 404",
          "HTTP/1.1 200",
        ])
    }
  }

  /// More than there are places for sit and say nothing, or half of something, and go away without
  /// a goodbye: whoever comes after them is served at once.
  @Test func silentVisitorsKeepNobodyOut() async throws {
    try await withEndpoint { _, port in
      let answers = try await onQueue {
        var silent: [Client] = []
        var answers: [String] = []
        for number in 0..<(3 * MetricsEndpoint.mostVisits) {
          silent.append(try Client(port))
          if number % 2 == 0 { silent.last?.send("GET /met") }
          if number % 5 == 0 { silent.last?.reset() }
          guard number % 8 == 0 else { continue }
          let client = try Client(port)
          client.send("GET /metrics HTTP/1.0\r\n\r\n")
          answers.append(client.readAll())
        }
        return answers
      }
      #expect(answers.count == 6)
      #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 200 ") && $0.hasSuffix("\r\nup 1\n") })
    }
  }

  @Test func endLetsGoOfTheAddress() async throws {
    var port: UInt16 = 0
    try await withEndpoint { _, used in port = used }
    let again = try MetricsEndpoint(host: "127.0.0.1", port: port) { "" }
    #expect(again.address == "127.0.0.1:\(port)")
    #expect(throws: MetricsEndpointError.self) {
      try MetricsEndpoint(host: "127.0.0.1", port: port) { "" }
    }
  }

  @Test func addressesThatCanNotBeAreNamed() {
    for host in ["203.0.113.1", "::zz"] {
      let error = #expect(throws: MetricsEndpointError.self) {
        try MetricsEndpoint(host: host, port: 0) { "" }
      }
      #expect(error?.description.hasPrefix(host) == true)
    }
  }
}

private let queue = DispatchQueue(label: "metrics-tests", attributes: .concurrent)

/// What blocks is done where no thread of Swift's tasks waits for it.
private func onQueue<Result: Sendable>(
  _ work: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    queue.async { continuation.resume(with: Swift.Result(catching: work)) }
  }
}

private func run(_ words: [String]) throws -> String {
  let process = TestProcess()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = words
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return String(decoding: data, as: UTF8.self)
}

/// A socket that sends what it is told to.
private final class Client {
  private let descriptor: Int32

  init(_ port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  /// As much as the peer takes.
  func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// All that comes until the peer's end.
  func readAll() -> String {
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(descriptor, &block, block.count), count > 0 {
      all += block[..<count]
    }
    return String(decoding: all, as: UTF8.self)
  }

  /// Closes without a goodbye.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  deinit { close(descriptor) }
}
