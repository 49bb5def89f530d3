/// The head of an HTTP/1 request, read as it comes: as much of the protocol as somebody needs who
/// is asked for one text. What follows the head is nobody's business here.
struct HTTPRequestHead: Equatable {
  /// How far reading is.
  enum Progress: Equatable {
    /// The head isn't whole yet.
    case unfinished

    /// It is.
    case whole(HTTPRequestHead)

    /// It can't be served; the status says why.
    case refused(HTTPStatus)
  }

  /// The longest head, in bytes.
  static let longest = 8192

  /// `GET`.
  var method: String

  /// Without what follows a question mark: `/metrics`.
  var path: String

  /// Looks at all that has come so far.
  static func read(_ bytes: [UInt8]) -> Progress {
    guard let end = endOfHead(bytes) else {
      return bytes.count < longest ? .unfinished : .refused(.headTooLong)
    }
    guard end <= longest else { return .refused(.headTooLong) }
    let lines = bytes[..<end].split(separator: newline, omittingEmptySubsequences: false)
      .map { $0.last == carriageReturn ? $0.dropLast() : $0 }
    let words = (lines.first ?? []).split(separator: space, omittingEmptySubsequences: false)
    guard words.count == 3, words.allSatisfy(isPrintable), words[0].allSatisfy(isLetter) else {
      return .refused(.badRequest)
    }
    guard words[2].starts(with: "HTTP/1.".utf8), words[2].count == 8 else {
      return .refused(words[2].starts(with: "HTTP/".utf8) ? .wrongVersion : .badRequest)
    }
    // HTTP/1.1 wants it: who doesn't send it isn't a client of HTTP.
    guard words[2].last == UInt8(ascii: "0") || lines.dropFirst().contains(where: isHost) else {
      return .refused(.badRequest)
    }
    return .whole(
      HTTPRequestHead(
        method: String(decoding: words[0], as: UTF8.self),
        path: String(decoding: words[1].prefix { $0 != questionMark }, as: UTF8.self)))
  }

  /// Where the head's last line ends; nil: it hasn't come. Lines may end without a carriage return.
  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    var lineIsEmpty = false
    for (index, byte) in bytes.enumerated() {
      if byte == newline {
        if lineIsEmpty { return index }
        lineIsEmpty = true
      } else if byte != carriageReturn {
        lineIsEmpty = false
      }
    }
    return nil
  }

  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let space = UInt8(ascii: " ")
  private static let questionMark = UInt8(ascii: "?")

  private static func isPrintable(_ word: ArraySlice<UInt8>) -> Bool {
    !word.isEmpty && word.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

  private static func isHost(_ line: ArraySlice<UInt8>) -> Bool {
    line.count >= 5 && line.prefix(5).elementsEqual("host:".utf8) { $0 | 0x20 == $1 | 0x20 }
  }
}
