// The plugin that protoc runs for `--rpc-swift_out`: reads a request from standard input, writes
// the response to standard output. Exit codes: 0 done (errors in `.proto` files included: protoc
// prints them); 1 the input isn't a request, or the output can't be written.

import Glibc
import ProtobufWire
import RPCCodeGenerator

func readAll() -> [UInt8] {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 64 * 1024)
  while true {
    let count = read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0, errno == EINTR { continue }
    if count <= 0 { return bytes }
    bytes.append(contentsOf: chunk[..<count])
  }
}

func writeAll(_ bytes: [UInt8]) -> Bool {
  var written = 0
  while written < bytes.count {
    let count = bytes[written...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    if count < 0 { return false }
    written += count
  }
  return true
}

func fail(_ text: String) -> Never {
  let line = Array("protoc-gen-rpc-swift: \(text)\n".utf8)
  _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  exit(1)
}

do {
  let response = try CodeGenerator.respond(to: readAll())
  if !writeAll(response) { fail("standard output can't be written to: errno \(errno)") }
} catch {
  fail("standard input isn't a CodeGeneratorRequest: \(error); run it through protoc")
}
