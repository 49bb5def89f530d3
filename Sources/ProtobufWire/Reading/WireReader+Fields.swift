extension WireReader {
  /// Reads a value that isn't a message.
  @inlinable
  public mutating func read<Coding: ScalarCoding>(
    as coding: Coding.Type
  ) throws(WireError) -> Coding.Value {
    try Coding.read(from: &self)
  }

  /// Reads one element of a repeated field that isn't packed.
  @inlinable
  public mutating func readRepeated<Coding: ScalarCoding>(
    into values: inout [Coding.Value], as coding: Coding.Type
  ) throws(WireError) {
    try chargeElement(of: values)
    values.append(try Coding.read(from: &self))
  }

  /// Reads the elements of a packed field.
  @inlinable
  public mutating func readPacked<Coding: ScalarCoding>(
    into values: inout [Coding.Value], as coding: Coding.Type
  ) throws(WireError) {
    let length = try readLength()
    let count: Int
    if let size = Coding.fixedSize {
      guard length.isMultiple(of: size) else { throw error(.truncated) }
      count = length / size
    } else {
      count = countVarints(length)
    }
    try charge(count * MemoryLayout<Coding.Value>.stride)
    // Only for the first run: reserving exactly for each of many short runs would copy all each
    // time.
    if values.isEmpty { values.reserveCapacity(count) }
    let outer = end
    end = position + length
    while position < end { values.append(try Coding.read(from: &self)) }
    end = outer
  }

  /// The number of varints that end in the next `length` bytes.
  @inlinable
  func countVarints(_ length: Int) -> Int {
    var count = 0
    for position in offset..<(offset + length) {
      let byte = byte(at: position)
      count += byte < 0x80 ? 1 : 0
    }
    return count
  }

  /// Charges for one more element, and for the array when it is the first.
  @inlinable
  mutating func chargeElement<Element>(of values: [Element]) throws(WireError) {
    try charge(MemoryLayout<Element>.stride + (values.isEmpty ? 32 : 0))
  }

  /// Reads an entry of a map. A later entry with the same key replaces the earlier one.
  @inlinable
  public mutating func readMapEntry<Key: ScalarCoding, Value: FieldCoding>(
    into map: inout [Key.Value: Value.Value], key: Key.Type, value: Value.Type
  ) throws(WireError) {
    // A table is at most three quarters full, and twice as large after it has grown.
    try charge(2 * (MemoryLayout<Key.Value>.stride + MemoryLayout<Value.Value>.stride))
    let outer = try beginMessage()
    var entryKey = Key.defaultValue
    var entryValue = Value.defaultValue
    while true {
      let tag = try readTag()
      if tag == 0 { break }
      if tag == WireFormat.tag(1, Key.wireType) {
        entryKey = try Key.read(from: &self)
      } else if tag == WireFormat.tag(2, Value.wireType) {
        try Value.read(&entryValue, from: &self)
      } else {
        try skipField(tag)
      }
    }
    endMessage(outer)
    map[entryKey] = entryValue
  }
}
