/// A piece of state as it lies in a file: a line with format, length and checksum, then the
/// content.
///
/// A file that was torn or changed is told apart from a whole one.
enum SealedPiece {
  private static let format = "onside-state 1"

  /// The most bytes of a content that is read.
  static let maximumBytes = 64 << 20

  static func seal(_ content: [UInt8]) -> [UInt8] {
    let sum = String(checksum(content[...]), radix: 16)
    return Array("\(format) \(content.count) \(sum)\n".utf8) + content
  }

  /// The content; nil: the file isn't whole, or of another format.
  static func open(_ file: [UInt8]) -> [UInt8]? {
    guard let end = file.prefix(96).firstIndex(of: UInt8(ascii: "\n")),
      let line = String(validating: file[..<end], as: UTF8.self), line.hasPrefix(format + " ")
    else { return nil }
    let fields = line.dropFirst(format.count + 1).split(separator: " ")
    let content = file[(end + 1)...]
    guard fields.count == 2, Int(fields[0]) == content.count,
      UInt64(fields[1], radix: 16) == checksum(content)
    else { return nil }
    return Array(content)
  }

  /// FNV-1a with 64 bits.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
