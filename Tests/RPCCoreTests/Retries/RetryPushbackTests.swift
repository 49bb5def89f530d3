import ProtobufWire
@testable import RPCCore
import Testing

@Suite struct RetryPushbackTests {
  private func roundTrip(_ status: Status) throws -> Status {
    try Status(decoding: status.encoded().span.bytes)
  }

  @Test(arguments: [
    RetryPushback.never, .after(.zero), .after(.milliseconds(1)), .after(.seconds(86_400)),
  ])
  func travelsWithAnError(pushback: RetryPushback) throws {
    var trailers = Metadata()
    try trailers.add("k", "v")
    let status = Status(code: .unavailable, trailers: trailers, pushback: pushback)
    #expect(try roundTrip(status) == status)
  }

  @Test func isNoPartOfASuccess() throws {
    let status = Status(code: .ok, message: "x", pushback: .never)
    #expect(try roundTrip(status).pushback == nil)
  }

  @Test func delaysAreCutToADay() throws {
    let status = Status(code: .unavailable, pushback: .after(.seconds(1 << 40)))
    #expect(try roundTrip(status).pushback == .after(.seconds(86_400)))
  }

  /// What a peer may write; all that isn't a number means never.
  @Test(arguments: [
    ("0", RetryPushback.after(.zero)), ("1500", .after(.milliseconds(1500))),
    ("99999999999999999999", .after(.seconds(86_400))), ("-1", .never), ("", .never),
    ("1.5", .never), (" 1", .never), ("+1", .never),
  ])
  func valuesOfPeers(text: String, pushback: RetryPushback) throws {
    let entry =
      [0x0A, 0x15] + Array("rpc-retry-pushback-ms".utf8) + [0x12, UInt8(text.utf8.count)]
      + Array(text.utf8)
    let bytes: [UInt8] = [0x08, 14, 0x22, UInt8(entry.count)] + entry
    let status = try Status(decoding: bytes.span.bytes)
    #expect(status.pushback == pushback)
    #expect(status.trailers.isEmpty)
  }

  @Test func aBinaryValueMeansNever() throws {
    let entry = [0x0A, 0x15] + Array("rpc-retry-pushback-ms".utf8) + [0x1A, 1, 0x35]
    let bytes: [UInt8] = [0x08, 14, 0x22, UInt8(entry.count)] + entry
    #expect(try Status(decoding: bytes.span.bytes).pushback == .never)
  }
}
