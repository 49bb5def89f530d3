/// What a request ends with.
enum HTTPStatus: String {
  case ok = "200 OK"
  case badRequest = "400 Bad Request"
  case notFound = "404 Not Found"
  case methodNotAllowed = "405 Method Not Allowed"
  case tooSlow = "408 Request Timeout"
  case headTooLong = "431 Request Header Fields Too Large"
  case wrongVersion = "505 HTTP Version Not Supported"
}

/// A whole answer. Each closes its connection: who asks every few seconds can connect again.
struct HTTPAnswer {
  let bytes: [UInt8]

  /// The answer to a request.
  ///
  /// - Parameters:
  ///   - path: where the text is.
  ///   - text: made only if it is asked for.
  init(to head: HTTPRequestHead, path: String, text: () -> String) {
    guard head.path == path else {
      self.init(.notFound)
      return
    }
    switch head.method {
    case "GET": self.init(.ok, text())
    case "HEAD": self.init(.ok, text(), withoutBody: true)
    default: self.init(.methodNotAllowed)
    }
  }

  /// What went wrong.
  init(_ status: HTTPStatus) {
    self.init(status, status.rawValue + "\n")
  }

  private init(_ status: HTTPStatus, _ text: String, withoutBody: Bool = false) {
    let body = Array(text.utf8)
    var head = "HTTP/1.1 \(status.rawValue)\r\n"
    // Prometheus' text format has a version of its own.
    head += "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
    head += "Content-Length: \(body.count)\r\nConnection: close\r\nCache-Control: no-store\r\n"
    head += "X-Content-Type-Options: nosniff\r\n"
    if status == .methodNotAllowed { head += "Allow: GET, HEAD\r\n" }
    bytes = Array((head + "\r\n").utf8) + (withoutBody ? [] : body)
  }
}
