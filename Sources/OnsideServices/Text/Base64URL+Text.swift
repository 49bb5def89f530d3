extension Base64URL {
  /// The text of some bytes.
  func text(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: Self.encodedCount(bytes.count)) { text in
      bytes.withUnsafeBytes { encode($0, to: UnsafeMutableRawBufferPointer(text)) }
    }
  }
}
