extension WireWriter {
  /// Writes a field: tag and value.
  @inlinable
  public mutating func write<Coding: FieldCoding>(
    _ value: Coding.Value, as coding: Coding.Type, tag: UInt32
  ) {
    writeTag(tag)
    Coding.write(value, to: &self)
  }

  /// Writes a field for each element: tag and value, tag and value.
  @inlinable
  public mutating func writeRepeated<Coding: FieldCoding>(
    _ values: [Coding.Value], as coding: Coding.Type, tag: UInt32
  ) {
    for value in values {
      writeTag(tag)
      Coding.write(value, to: &self)
    }
  }

  /// Writes numbers behind one tag and one length; nothing when there are none.
  @inlinable
  public mutating func writePacked<Coding: ScalarCoding>(
    _ values: [Coding.Value], as coding: Coding.Type, tag: UInt32
  ) {
    guard !values.isEmpty else { return }
    writeTag(tag)
    if let size = Coding.fixedSize {
      writeVarint(UInt64(size * values.count))
    } else {
      writeVarint(UInt64(plan.next()))
    }
    for value in values { Coding.write(value, to: &self) }
  }

  /// Writes a nested message; its size comes from the plan.
  @inlinable
  public mutating func writeMessage<M: Message>(_ value: M, tag: UInt32) {
    writeTag(tag)
    writeMessageBody(value)
  }

  /// Writes the length and the fields of a nested message; its size comes from the plan.
  @inlinable
  public mutating func writeMessageBody<M: Message>(_ value: M) {
    writeVarint(UInt64(plan.next()))
    value.encode(into: &self)
  }

  /// Writes nested messages, each with its tag; their sizes come from the plan.
  @inlinable
  public mutating func writeMessages<M: Message>(_ values: [M], tag: UInt32) {
    // By index: in unoptimized code an iterator allocates for each element.
    values.withUnsafeBufferPointer { values in
      for index in values.indices {
        writeTag(tag)
        writeVarint(UInt64(plan.next()))
        values[index].encode(into: &self)
      }
    }
  }

  /// Writes a map: for each entry a nested message with the key as field 1 and the value as 2.
  @inlinable
  public mutating func writeMap<Key: FieldCoding, Value: FieldCoding>(
    _ map: [Key.Value: Value.Value], key: Key.Type, value: Value.Type, tag: UInt32
  ) {
    for (key, value) in map {
      writeTag(tag)
      writeVarint(UInt64(plan.next()))
      write(key, as: Key.self, tag: WireFormat.tag(1, Key.wireType))
      write(value, as: Value.self, tag: WireFormat.tag(2, Value.wireType))
    }
  }
}
