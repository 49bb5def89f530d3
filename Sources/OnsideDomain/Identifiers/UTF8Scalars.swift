/// Reads Unicode scalars from bytes that may not be UTF-8.
public enum UTF8Scalars {
  /// The scalar that begins at a position, and its length in bytes; nil if there is none by RFC
  /// 3629: overlong forms, surrogates and values above U+10FFFF are none.
  @inlinable
  public static func first(
    _ bytes: UnsafeRawBufferPointer, at position: Int
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    let lead = bytes[position]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard lead >= 0xC2, lead < 0xF5, bytes.count - position >= length else { return nil }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for offset in 1..<length {
      let byte = bytes[position + offset]
      guard byte & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    let smallest: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x1_0000
    // Refuses surrogates and values above U+10FFFF too.
    guard value >= smallest, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }
}
