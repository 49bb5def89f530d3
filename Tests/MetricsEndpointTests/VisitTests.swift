import Testing

@testable import MetricsEndpoint

@Suite struct VisitTests {
  private static let request = Array("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".utf8)

  private func answer(_ head: HTTPRequestHead) -> HTTPAnswer {
    HTTPAnswer(to: head, path: "/metrics") { "up 1\n" }
  }

  private func text(_ visit: Visit) -> String { String(decoding: visit.unsent, as: UTF8.self) }

  @Test func requestInPiecesIsAnswered() {
    var visit = Visit(now: 0)
    for byte in Self.request {
      #expect(visit.phase == .reading)
      visit.received([byte], answer: answer)
    }
    #expect(visit.phase == .writing)
    #expect(text(visit).hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(text(visit).hasSuffix("\r\n\r\nup 1\n"))
    #expect(text(visit).contains("Content-Length: 5\r\n"))
    let count = visit.unsent.count
    visit.sent(count - 1, now: 1)
    #expect(visit.phase == .writing)
    visit.sent(1, now: 2)
    #expect(visit.phase == .leaving)
    #expect(visit.deadline == 2 + Visit.goodbye)
    visit.visitorEnded()
    #expect(visit.phase == .over)
  }

  @Test func bodyOfAHeadIsLeftOut() {
    var visit = Visit(now: 0)
    visit.received(
      Array("HEAD /metrics HTTP/1.1\r\nHost: a\r\n\r\n".utf8)[...], answer: answer)
    #expect(text(visit).hasSuffix("\r\n\r\n"))
    #expect(text(visit).contains("Content-Length: 5\r\n"))
  }

  @Test(arguments: [
    ("GET /other HTTP/1.1", "404"), ("POST /metrics HTTP/1.1", "405"),
    ("GET /metrics HTTP/3.0", "505"), ("nonsense", "400"),
  ])
  func whatIsNotServed(_ line: String, _ status: String) {
    var visit = Visit(now: 0)
    visit.received(Array("\(line)\r\nHost: a\r\n\r\n".utf8)[...], answer: answer)
    #expect(text(visit).hasPrefix("HTTP/1.1 \(status) "))
    #expect(text(visit).contains("Allow: GET, HEAD") == (status == "405"))
    #expect(!text(visit).contains("up 1"))
  }

  @Test func silenceEndsIt() {
    var visit = Visit(now: 5)
    visit.tick(now: 4 + Visit.patience)
    #expect(visit.phase == .reading)
    visit.tick(now: 5 + Visit.patience)
    #expect(visit.phase == .over)
  }

  @Test func slownessIsToldAndEndsIt() {
    var visit = Visit(now: 0)
    // A byte now and then doesn't make it longer.
    visit.received(Self.request[..<5], answer: answer)
    visit.tick(now: Visit.patience - 1)
    visit.received(Self.request[5..<6], answer: answer)
    visit.tick(now: Visit.patience)
    #expect(text(visit).hasPrefix("HTTP/1.1 408 "))
    visit.tick(now: Visit.patience + Visit.goodbye)
    #expect(visit.phase == .over)
  }

  @Test func whoDoesNotReadTheAnswerIsLeft() {
    var visit = Visit(now: 0)
    visit.received(Self.request[...], answer: answer)
    visit.tick(now: Visit.patience)
    #expect(visit.phase == .over)
  }

  @Test func whoGoesOnSendingIsLeft() {
    var visit = Visit(now: 0)
    visit.received(Self.request[...], answer: answer)
    visit.sent(visit.unsent.count, now: 1)
    let block = [UInt8](repeating: 0, count: 1 << 16)
    for _ in 0..<(Visit.mostDropped / block.count) {
      visit.received(block[...], answer: answer)
      #expect(visit.phase == .leaving)
    }
    visit.received(block[...], answer: answer)
    #expect(visit.phase == .over)
  }
}
