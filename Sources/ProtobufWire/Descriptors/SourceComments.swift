/// `google.protobuf.SourceCodeInfo`: the comments of a file by the place of what they stand at.
package struct SourceComments: DescriptorPart {
  private var byPath: [[Int32]: String] = [:]

  /// No comments.
  package init() {}

  /// The comment before the element at this path, else the one behind it.
  ///
  /// A path is alternately a field number of the descriptor and an index, as `descriptor.proto`
  /// says.
  package subscript(path: [Int32]) -> String? { byPath[path] }

  package mutating func read(
    _ tag: UInt32, from reader: inout WireReader
  ) throws(WireError) -> Bool {
    guard tag == 1 << 3 | 2 else { return false }
    try reader.charge(MemoryLayout<Location>.stride)
    var location = Location()
    try reader.readPart(into: &location)
    let text = location.leading.isEmpty ? location.trailing : location.leading
    if !text.isEmpty { byPath[location.path] = text }
    return true
  }

  private struct Location: DescriptorPart {
    var path: [Int32] = []
    var leading = ""
    var trailing = ""

    mutating func read(_ tag: UInt32, from reader: inout WireReader) throws(WireError) -> Bool {
      switch tag {
      case 1 << 3 | 2: try reader.readPacked(into: &path, as: Int32Coding.self)
      case 1 << 3 | 0: try reader.readRepeated(into: &path, as: Int32Coding.self)
      case 3 << 3 | 2: leading = try reader.readString()
      case 4 << 3 | 2: trailing = try reader.readString()
      default: return false
      }
      return true
    }
  }
}
