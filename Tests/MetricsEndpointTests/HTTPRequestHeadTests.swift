import Testing

@testable import MetricsEndpoint

@Suite struct HTTPRequestHeadTests {
  private func read(_ text: String) -> HTTPRequestHead.Progress {
    HTTPRequestHead.read(Array(text.utf8))
  }

  @Test(arguments: [
    ("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/metrics"),
    ("GET /metrics?x=1 HTTP/1.1\r\nhOST: a\r\nX: y\r\n\r\nrest", "GET", "/metrics"),
    ("HEAD / HTTP/1.0\r\n\r\n", "HEAD", "/"),
    ("POST /x HTTP/1.1\nHost: a\n\n", "POST", "/x"),
  ])
  func wholeHeadsAreRead(_ text: String, _ method: String, _ path: String) {
    #expect(read(text) == .whole(HTTPRequestHead(method: method, path: path)))
    let bytes = Array(text.utf8)
    for length in bytes.indices where !text.hasSuffix("rest") {
      #expect(HTTPRequestHead.read(Array(bytes[..<length])) == .unfinished)
    }
  }

  @Test(arguments: [
    ("\r\n\r\n", HTTPStatus.badRequest), ("GET\r\n\r\n", .badRequest),
    ("GET  /metrics HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET /metrics HTTP/1.1\r\n\r\n", .badRequest),
    ("GET /metrics HTTP/2.0\r\nHost: a\r\n\r\n", .wrongVersion),
    ("GET /metrics ftp\r\nHost: a\r\n\r\n", .badRequest),
    ("get /metrics HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET /met\u{7}rics HTTP/1.1\r\nHost: a\r\n\r\n", .badRequest),
    ("GET /metrics HTTP/1.1 x\r\nHost: a\r\n\r\n", .badRequest),
    ("\u{16}\u{3}\u{1}\n\n", .badRequest),
  ])
  func whatIsNoRequestIsRefused(_ text: String, _ status: HTTPStatus) {
    #expect(read(text) == .refused(status))
  }

  @Test func headsAreBounded() {
    let most = HTTPRequestHead.longest
    let start = "GET /metrics HTTP/1.1\r\nHost: a\r\nX: "
    let rest = most - start.utf8.count
    #expect(read(start + String(repeating: "x", count: rest - 1)) == .unfinished)
    #expect(read(start + String(repeating: "x", count: rest)) == .refused(.headTooLong))
    // Nor does it help to send the end together with what is too long.
    let long = start + String(repeating: "x", count: most) + "\r\n\r\n"
    #expect(read(long) == .refused(.headTooLong))
  }
}
