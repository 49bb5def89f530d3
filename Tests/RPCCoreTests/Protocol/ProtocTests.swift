import Glibc
import Testing

@testable import RPCCore

/// The hand-written coding of the header blocks against protoc's reading of the .proto file.
@Suite struct ProtocTests {
  /// protoc's text form of a message; nil when protoc isn't there.
  private func decode(_ message: String, _ bytes: [UInt8]) -> String? {
    var name = Array("/tmp/rpccore-XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { return nil }
    defer {
      close(descriptor)
      unlink(name)
    }
    guard write(descriptor, bytes, bytes.count) == bytes.count else { return nil }
    let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let root = PackageFile.root + "/Proto"
    let command =
      "command -v protoc >/dev/null && protoc -I '\(root)' --decode=rpc.v1.\(message)"
      + " rpc/v1/protocol.proto < \(path) 2>&1"
    guard let pipe = popen(command, "r") else { return nil }
    var text = ""
    var buffer = [CChar](repeating: 0, count: 4096)
    while fgets(&buffer, 4096, pipe) != nil {
      text += String(
        decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    return pclose(pipe) == 0 ? text : nil
  }

  private func expect(_ message: String, _ bytes: [UInt8], _ text: String) {
    guard let decoded = decode(message, bytes) else {
      if getenv("CI") != nil { Issue.record("protoc is missing, or refused \(message)") }
      print("skipped: protoc (Debian package protobuf-compiler) isn't there to decode \(message)")
      return
    }
    #expect(decoded == text)
  }

  @Test func setup() {
    var setup = Setup()
    setup.minorVersion = 1
    setup.features = 1 << 63
    setup.maximumFramePayload = 65_536
    setup.maximumMessageSize = 4_194_304
    setup.maximumConcurrentCalls = 100
    setup.streamWindow = 65_536
    setup.connectionWindow = 1_048_576
    setup.acceptedCompression = [1]
    setup.minimumPingMilliseconds = 10_000
    expect(
      "Setup", setup.encoded(),
      """
      minor_version: 1
      features: 9223372036854775808
      max_frame_payload: 65536
      max_message_size: 4194304
      max_concurrent_calls: 100
      stream_window: 65536
      connection_window: 1048576
      accepted_compression: COMPRESSION_ZLIB
      min_ping_interval_ms: 10000

      """)
  }

  @Test func callHeader() throws {
    var client = Endpoint(.client)
    _ = client.takeOutput()
    var metadata = Metadata()
    try metadata.add("a-key", "text")
    try metadata.add("b", binary: [0, 255])
    _ = client.open("onside.v1.S/M", nil, timeout: 7, metadata: metadata)
    let frame = try #require(client.takeFrames().first)
    expect(
      "CallHeader", Array(frame.payload.dropFirst()),
      """
      method: "onside.v1.S/M"
      timeout_us: 7
      metadata {
        key: "a-key"
        ascii: "text"
      }
      metadata {
        key: "b"
        binary: "\\000\\377"
      }

      """)
  }

  @Test func status() throws {
    var status = Status(code: .unavailable, message: "later")
    status.details = [StatusDetail(typeURL: "x/y", value: [1])]
    try status.trailers.add("k", "v")
    expect(
      "StatusMessage", status.encoded(),
      """
      code: 14
      message: "later"
      details {
        type_url: "x/y"
        value: "\\001"
      }
      trailers {
        key: "k"
        ascii: "v"
      }

      """)
  }

  @Test func drainAndClose() throws {
    var server = Endpoint(.server)
    _ = server.takeOutput()
    server.connection.drain(now: server.now, into: &server.output)
    server.connection.close(.flowControl, "text", into: &server.output)
    let frames = server.takeFrames()
    expect("Drain", frames[0].payload, "last_stream_id: 2147483647\n")
    let close = try #require(frames.last)
    expect("Close", close.payload, "code: CLOSE_CODE_FLOW_CONTROL\ntext: \"text\"\n")
  }
}
