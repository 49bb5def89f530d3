extension WireReader {
  /// Reads the length of a nested message and makes its end the limit.
  ///
  /// - Returns: The outer limit, for `endMessage(_:)`.
  /// - Throws: `.tooDeep`; `.truncated` when the nested message ends after the outer one.
  @inlinable
  public mutating func beginMessage() throws(WireError) -> Int {
    let length = try readLength()
    guard depth > 0 else { throw error(.tooDeep) }
    depth -= 1
    let outer = end
    end = position + length
    return outer
  }

  /// Goes back to the outer message, behind the nested one.
  @inlinable
  public mutating func endMessage(_ outer: Int) {
    position = end
    end = outer
    depth += 1
  }

  /// Merges a nested message.
  @inlinable
  public mutating func readMessage<M: Message>(into value: inout M) throws(WireError) {
    let outer = try beginMessage()
    try value.merge(from: &self)
    endMessage(outer)
  }

  /// Merges a nested message; makes one when there was none.
  @inlinable
  public mutating func readMessage<M: Message>(into value: inout M?) throws(WireError) {
    let outer = try beginMessage()
    if value == nil { value = M() }
    // In place: a copy would share its arrays with the original and copy them on every append.
    try value?.merge(from: &self)
    endMessage(outer)
  }

  /// Merges a nested message of a recursive type; makes one when there was none.
  @inlinable
  public mutating func readMessage<M: Message & Hashable>(
    into value: inout Indirect<M>?
  ) throws(WireError) {
    let outer = try beginMessage()
    if value == nil {
      try chargeBox(of: M.self)
      value = Indirect(M())
    }
    try value?.value.merge(from: &self)
    endMessage(outer)
  }

  /// Reads one element of a repeated field of messages.
  @inlinable
  public mutating func readMessage<M: Message>(
    appendingTo values: inout [M]
  ) throws(WireError) {
    try chargeElement(of: values)
    let outer = try beginMessage()
    values.append(M())
    try values[values.count - 1].merge(from: &self)
    endMessage(outer)
  }

  /// Charges for a value in memory of its own.
  @inlinable
  public mutating func chargeBox<M>(of type: M.Type) throws(WireError) {
    try charge(MemoryLayout<M>.stride + 32)
  }
}
