import Glibc
import OnsideDomain

/// The storefront parts of products, each distinct one once: a length of 2 bytes and the encoded
/// fields of a `Product` message that depend on the storefront.
///
/// Products share prices, so the pool stays small enough for the processor's caches.
struct PricePool {
  private let memory: GrowableMemory

  /// Bytes in use. The first ones are left free: handle 0 means that there is no price.
  private(set) var used = 4

  /// Handles by the hash of their parts; 0: free.
  private var table: [UInt32]
  private var count = 0

  static let lengthSize = 2

  init() throws(CatalogueProblem) {
    memory = try GrowableMemory(byteCount: 4_096)
    table = [UInt32](repeating: 0, count: 64)
  }

  /// The handle of a part; takes it over if it is new.
  ///
  /// - Throws: `.outOfMemory`, also when all handles are taken.
  mutating func handle(_ part: [UInt8]) throws(CatalogueProblem) -> UInt32 {
    try part.span.bytes.withUnsafeBytes { bytes throws(CatalogueProblem) in try handle(bytes) }
  }

  /// The handle of a part; takes it over if it is new.
  ///
  /// - Throws: `.outOfMemory`, also when all handles are taken.
  mutating func handle(_ part: UnsafeRawBufferPointer) throws(CatalogueProblem) -> UInt32 {
    if count * 2 >= table.count { grow() }
    let mask = table.count - 1
    var place = Int(truncatingIfNeeded: IdentifierHash.shared.hash(part)) & mask
    while table[place] != 0 {
      if holds(table[place], part) { return table[place] }
      place = (place + 1) & mask
    }
    let handle = try append(part)
    table[place] = handle
    count += 1
    return handle
  }

  private func holds(_ handle: UInt32, _ part: UnsafeRawBufferPointer) -> Bool {
    let own = Self.part(handle, in: memory.address)
    guard own.count == part.count, let left = own.baseAddress, let right = part.baseAddress else {
      return false
    }
    return memcmp(left, right, own.count) == 0
  }

  private mutating func append(_ part: UnsafeRawBufferPointer) throws(CatalogueProblem) -> UInt32 {
    let size = (Self.lengthSize + part.count + 1) & ~1
    guard let length = UInt16(exactly: part.count), let handle = UInt32(exactly: used) else {
      throw CatalogueProblem(.outOfMemory, "the catalogue has more than 4 GiB of distinct prices")
    }
    if used + size > memory.byteCount {
      try memory.resize(max(memory.byteCount * 2, used + size))
    }
    memory.address.storeBytes(of: length, toByteOffset: used, as: UInt16.self)
    if let source = part.baseAddress {
      (memory.address + used + Self.lengthSize).copyMemory(from: source, byteCount: part.count)
    }
    used += size
    return handle
  }

  private mutating func grow() {
    let old = table
    table = [UInt32](repeating: 0, count: old.count * 2)
    let mask = table.count - 1
    for handle in old where handle != 0 {
      let hash = IdentifierHash.shared.hash(Self.part(handle, in: memory.address))
      var place = Int(truncatingIfNeeded: hash) & mask
      while table[place] != 0 { place = (place + 1) & mask }
      table[place] = handle
    }
  }

  /// The encoded fields behind a handle.
  @inline(__always)
  static func part(_ handle: UInt32, in bytes: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    let start = bytes + Int(handle)
    return UnsafeRawBufferPointer(
      start: start + lengthSize, count: Int(start.load(as: UInt16.self)))
  }

  /// The parts without what growing took too much. Nothing may be added afterwards.
  func finished() throws(CatalogueProblem) -> GrowableMemory {
    try memory.resize(used)
    return memory
  }
}
