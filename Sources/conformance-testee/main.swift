// What the official protobuf conformance runner starts and talks to over standard input and output:
// a request, then its response, each behind its length in 4 bytes, the lowest first.
//
// Exit codes: 0 the input ended between two requests; 1 it ended within one, was no request or was
// too long, or the output can't be written.

import ConformanceMessages
import Glibc
import ProtobufWire

/// Far above what the runner sends.
let maximumRequest = 64 << 20

/// Reads until the buffer is full.
///
/// - Returns: The bytes read: fewer than asked for at the end of the input.
func readFully(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
  var filled = 0
  while filled < buffer.count {
    let count = read(STDIN_FILENO, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
    if count < 0, errno == EINTR { continue }
    if count <= 0 { break }
    filled += count
  }
  return filled
}

func writeFully(_ bytes: [UInt8]) {
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { fail("standard output can't be written to: errno \(errno)") }
    written += count
  }
}

func fail(_ text: String) -> Never {
  let line = Array("conformance-testee: \(text)\n".utf8)
  _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  exit(1)
}

func readRequest() -> [UInt8]? {
  var header = [UInt8](repeating: 0, count: 4)
  let count = header.withUnsafeMutableBytes { readFully($0) }
  if count == 0 { return nil }
  guard count == 4 else { fail("the input ended within a length") }
  let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
  guard length <= maximumRequest else {
    fail("a request of \(length) bytes is above the limit of \(maximumRequest)")
  }
  var bytes = [UInt8](repeating: 0, count: length)
  guard bytes.withUnsafeMutableBytes({ readFully($0) }) == length else {
    fail("the input ended within a request")
  }
  return bytes
}

while let bytes = readRequest() {
  do {
    let request = try ConformanceRequest(serialized: bytes)
    let response = ConformanceExaminee.answer(request).serialized()
    let length = withUnsafeBytes(of: UInt32(response.count).littleEndian) { [UInt8]($0) }
    writeFully(length + response)
  } catch {
    fail("standard input has no ConformanceRequest: \(error)")
  }
}
