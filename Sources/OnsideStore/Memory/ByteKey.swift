/// Text as a key, compared byte by byte.
///
/// `String` compares by canonical equivalence: two external user identifiers with different bytes
/// would be one user.
struct ByteKey: Hashable {
  private let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }
}
