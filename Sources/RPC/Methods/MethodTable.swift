/// Finds a method by the bytes of its path as they are in a call, without making a String of them.
///
/// Open addressing over a table at most half full. Callers can't add paths, so a weak hash is
/// enough: it takes the path's length and its first, middle and last eight bytes.
package struct MethodTable: Sendable {
  private struct Slot: Sendable {
    var hash: UInt64
    var method: RegisteredMethod
  }

  private var slots: [Slot?]
  private let mask: Int

  /// All methods, in the order of registration.
  package let methods: [RegisteredMethod]

  package init(_ methods: [RegisteredMethod]) {
    self.methods = methods
    var capacity = 8
    while capacity < methods.count * 2 { capacity *= 2 }
    slots = Array(repeating: nil, count: capacity)
    mask = capacity - 1
    for method in methods {
      let hash = method.path.withUnsafeBytes { Self.hash($0) }
      var index = Int(truncatingIfNeeded: hash) & mask
      while slots[index] != nil { index = (index + 1) & mask }
      slots[index] = Slot(hash: hash, method: method)
    }
  }

  /// The method with this path; nil when there is none.
  package func find(_ path: UnsafeRawBufferPointer) -> RegisteredMethod? {
    let hash = Self.hash(path)
    var index = Int(truncatingIfNeeded: hash) & mask
    while let slot = slots[index] {
      if slot.hash == hash, slot.method.isNamed(path) { return slot.method }
      index = (index + 1) & mask
    }
    return nil
  }

  static func hash(_ path: UnsafeRawBufferPointer) -> UInt64 {
    var hash = UInt64(path.count)
    if path.count >= 8 {
      mix(&hash, path.loadUnaligned(as: UInt64.self))
      mix(&hash, path.loadUnaligned(fromByteOffset: path.count / 2 - 4, as: UInt64.self))
      mix(&hash, path.loadUnaligned(fromByteOffset: path.count - 8, as: UInt64.self))
    } else {
      for byte in path { mix(&hash, UInt64(byte)) }
    }
    return hash
  }

  private static func mix(_ hash: inout UInt64, _ word: UInt64) {
    // Wrapping is what a hash is about: no length is computed here.
    hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    hash ^= hash >> 32
  }
}
