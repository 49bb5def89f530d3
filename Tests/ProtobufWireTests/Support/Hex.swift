import ProtobufWire

/// Bytes from hexadecimal digits; spaces are for the reader.
func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  precondition(digits.count.isMultiple(of: 2), "an odd number of digits in \(text)")
  return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Hexadecimal digits of bytes.
func hexText(_ bytes: [UInt8]) -> String {
  bytes.map { byte in
    String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
  }.joined()
}

/// A length-delimited field with a number up to 15.
func field(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
  [number << 3 | 2] + varint(UInt64(content.count)) + content
}

/// A varint, written independently of the codec under test.
func varint(_ value: UInt64) -> [UInt8] {
  value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7f) | 0x80] + varint(value >> 7)
}

/// The code of the `WireError` that a body throws; nil when it throws none.
func errorCode<Result>(_ body: () throws -> Result) -> WireError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? WireError)?.code
  }
}
