/// Writes numbers of a fixed width into a buffer that has room for them.
struct DigitWriter {
  let bytes: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  init(bytes: UnsafeMutableBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Appends the last `width` digits of a number that isn't negative, and a mark.
  mutating func append(_ number: Int, width: Int, then mark: Unicode.Scalar) {
    var rest = number
    for place in (count..<count + width).reversed() {
      bytes[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    bytes[count + width] = UInt8(ascii: mark)
    count += width + 1
  }
}

/// Reads numbers of a fixed width from a text.
struct DigitReader {
  private var bytes: Substring.UTF8View

  init(bytes: Substring.UTF8View) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { bytes.isEmpty }

  private mutating func digit() -> Int? {
    guard let byte = bytes.first, (0x30...0x39).contains(byte) else { return nil }
    bytes.removeFirst()
    return Int(byte - 0x30)
  }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard bytes.first == UInt8(ascii: mark) else { return false }
    bytes.removeFirst()
    return true
  }

  /// A number of exactly `width` digits and the mark behind it.
  mutating func number(_ width: Int, then mark: Unicode.Scalar? = nil) -> Int? {
    var value = 0
    for _ in 0..<width {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    if let mark, !take(mark) { return nil }
    return value
  }

  /// A fraction in milliseconds; 0 if there is none, nil if it has no digits.
  mutating func milliseconds() -> Int? {
    guard take(".") else { return 0 }
    guard var value = digit() else { return nil }
    var places = 1
    while let digit = digit() {
      if places < 3 { value = value * 10 + digit }
      places += 1
    }
    while places < 3 {
      value *= 10
      places += 1
    }
    return value
  }

  /// The minutes that local time is ahead of UTC.
  mutating func offsetMinutes() -> Int? {
    if take("Z") { return 0 }
    let isAhead = take("+")
    guard isAhead || take("-") else { return nil }
    guard let hours = number(2, then: ":"), let minutes = number(2), hours < 24, minutes < 60 else {
      return nil
    }
    return (hours * 60 + minutes) * (isAhead ? 1 : -1)
  }
}
