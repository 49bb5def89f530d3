import Glibc

/// A file that can't be read or written.
struct FileError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  init(_ path: String, _ number: Int32) {
    description = "\(path): \(String(cString: strerror(number)))"
  }
}

/// The whole of a text file.
func readText(_ path: String) throws(FileError) -> String {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw FileError(path, errno) }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw FileError(path, errno) }
    if count == 0 { return String(decoding: bytes, as: UTF8.self) }
    bytes += block[..<count]
  }
}

/// Writes a file, in place of one that is there.
func writeText(_ text: String, toFile path: String) throws(FileError) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  guard descriptor >= 0 else { throw FileError(path, errno) }
  defer { close(descriptor) }
  try writeText(text, to: descriptor, name: path)
}

/// Writes all of a text.
func writeText(
  _ text: String, to descriptor: Int32, name: String = "standard output"
) throws(FileError) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw FileError(name, errno) }
    rest = rest.dropFirst(count)
  }
}
