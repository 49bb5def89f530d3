extension SizePlan {
  /// Bytes of a repeated field that isn't packed, tags included.
  @inlinable
  public mutating func repeatedSize<Coding: FieldCoding>(
    _ values: [Coding.Value], as coding: Coding.Type, tagSize: Int
  ) -> Int {
    var size = values.count * tagSize
    for value in values { size += Coding.size(of: value, &self) }
    return size
  }

  /// Bytes of a packed field with its tag and length; 0 when it has no elements.
  @inlinable
  public mutating func packedSize<Coding: ScalarCoding>(
    _ values: [Coding.Value], as coding: Coding.Type, tagSize: Int
  ) -> Int {
    guard !values.isEmpty else { return 0 }
    if let size = Coding.fixedSize {
      return tagSize + WireFormat.lengthDelimitedSize(values.count * size)
    }
    var size = 0
    for value in values { size += Coding.size(of: value) }
    append(size)
    return tagSize + WireFormat.lengthDelimitedSize(size)
  }

  /// Bytes of a nested message with its length, without its tag.
  @inlinable
  public mutating func messageSize<M: Message>(_ value: M) -> Int {
    let place = reserve()
    let size = value.encodedSize(&self)
    set(size, at: place)
    return WireFormat.lengthDelimitedSize(size)
  }

  /// Bytes of nested messages with their lengths and tags.
  @inlinable
  public mutating func messagesSize<M: Message>(_ values: [M], tagSize: Int) -> Int {
    var size = values.count * tagSize
    // By index: in unoptimized code an iterator allocates for each element.
    values.withUnsafeBufferPointer { values in
      for index in values.indices {
        let place = reserve()
        let body = values[index].encodedSize(&self)
        set(body, at: place)
        size += WireFormat.lengthDelimitedSize(body)
      }
    }
    return size
  }

  /// Bytes of a map's entries with their lengths and tags.
  @inlinable
  public mutating func mapSize<Key: FieldCoding, Value: FieldCoding>(
    _ map: [Key.Value: Value.Value], key: Key.Type, value: Value.Type, tagSize: Int
  ) -> Int {
    var size = map.count * tagSize
    for (key, value) in map {
      let place = reserve()
      let entry = 2 + Key.size(of: key, &self) + Value.size(of: value, &self)
      set(entry, at: place)
      size += WireFormat.lengthDelimitedSize(entry)
    }
    return size
  }
}
