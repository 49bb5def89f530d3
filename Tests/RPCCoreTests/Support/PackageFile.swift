import Glibc

/// Files of the package, found from this source file.
enum PackageFile {
  static let root: String = {
    var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    // Tests/RPCCoreTests/Support/PackageFile.swift
    parts.removeLast(4)
    return parts.joined(separator: "/")
  }()

  /// A file's text; nil when it can't be read.
  static func read(_ path: String) -> String? {
    guard let file = fopen(root + "/" + path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Replaces a file's text; false when it can't be written.
  static func write(_ path: String, _ text: String) -> Bool {
    guard let file = fopen(root + "/" + path, "w") else { return false }
    defer { fclose(file) }
    return fputs(text, file) >= 0
  }
}
