/// A message of `google/protobuf/descriptor.proto` or `compiler/plugin.proto`, as far as its reader
/// wants it.
///
/// Written by hand: the code generator can't wait for its own output, and reflection keeps options
/// as they came.
package protocol DescriptorPart: Sendable {
  init()

  /// Reads the field when it is one that is wanted.
  ///
  /// - Returns: False when the field has to be skipped; nothing has been read then.
  mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool
}

extension DescriptorPart {
  /// Reads fields up to the reader's limit.
  package mutating func merge(from reader: inout WireReader) throws(WireError) {
    while true {
      let tag = try reader.readTag()
      if tag == 0 { return }
      if try !read(tag, from: &reader) { try reader.skipField(tag) }
    }
  }

  /// Reads a whole part.
  package init(serialized bytes: [UInt8]) throws(WireError) {
    self.init()
    // A descriptor's structs are large beside its bytes: an option of four bytes fills a struct.
    var reader = WireReader(bytes.span.bytes, limits: DecodingLimits(expansion: 1024))
    try merge(from: &reader)
  }
}

extension WireReader {
  /// Merges a nested message.
  package mutating func readPart<Part: DescriptorPart>(
    into part: inout Part
  ) throws(WireError) {
    let outer = try beginMessage()
    try part.merge(from: &self)
    endMessage(outer)
  }

  /// Appends a nested message.
  package mutating func readPart<Part: DescriptorPart>(
    appendingTo parts: inout [Part]
  ) throws(WireError) {
    try charge(MemoryLayout<Part>.stride)
    var part = Part()
    try readPart(into: &part)
    parts.append(part)
  }

  /// Reads an int32.
  package mutating func readInt32() throws(WireError) -> Int32 { try read(as: Int32Coding.self) }

  /// Reads a bool.
  package mutating func readBool() throws(WireError) -> Bool { try read(as: BoolCoding.self) }
}
