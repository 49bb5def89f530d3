/// The external identifiers of simulated users: `user-SSSSSSSS-` with the run's seed, and a number
/// of twelve hexadecimal digits.
struct UserNames: Sendable {
  static let numberDigits = 12

  private let prefix: [UInt8]

  /// How long each is, in bytes.
  let length: Int

  init(seed: UInt64) {
    let digits = String(seed & 0xFFFF_FFFF, radix: 16)
    let padded = String(repeating: "0", count: 8 - digits.count) + digits
    prefix = Array("user-\(padded)-".utf8)
    length = prefix.count + UserNames.numberDigits
  }

  /// Writes a user's identifier.
  @inline(__always)
  private func write(_ number: UInt64, to target: UnsafeMutableRawPointer) {
    prefix.withUnsafeBytes { source in
      if let base = source.baseAddress { target.copyMemory(from: base, byteCount: source.count) }
    }
    var rest = number
    var place = length
    while place > prefix.count {
      place &-= 1
      let digit = UInt8(truncatingIfNeeded: rest & 15)
      target.storeBytes(of: digit &+ (digit < 10 ? 48 : 87), toByteOffset: place, as: UInt8.self)
      rest >>= 4
    }
  }

  /// A user's identifier as text.
  func text(_ number: UInt64) -> String {
    String(unsafeUninitializedCapacity: length) { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      write(number, to: base)
      return length
    }
  }
}
