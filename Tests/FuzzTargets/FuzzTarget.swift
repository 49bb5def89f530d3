/// What a fuzzer can be let loose on. Each takes any bytes and must neither trap nor break a rule.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Bytes as they come from a peer, to both ends of a connection.
  case frames
  /// Protobuf messages of every kind of field.
  case messages
  /// JSON texts, and messages whose types are known at run time only.
  case json
  /// Descriptors of such types, as a server may send them.
  case descriptors
  /// Compressed messages.
  case inflate
  /// Call headers, initial metadata and statuses.
  case metadata
  /// Operations of the simulator: the bytes decide what both ends and the pipe do.
  case simulation

  /// Runs one input.
  /// - Throws: `FuzzFinding` for a broken rule. A trap is a finding, too.
  public func run(_ input: [UInt8]) throws {
    switch self {
    case .frames: try fuzzFrames(input)
    case .messages: try fuzzMessages(input)
    case .json: try fuzzJSON(input)
    case .descriptors: fuzzDescriptors(input)
    case .inflate: try fuzzInflate(input)
    case .metadata: try fuzzMetadata(input)
    case .simulation: try fuzzSimulation(input)
    }
  }
}

/// A rule that an input broke.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// What is wrong.
  public let description: String

  init(_ text: String) {
    description = text
  }
}

/// Takes an input's first bytes for choices, the rest for data.
struct FuzzInput {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isUsedUp: Bool { position == bytes.count }

  /// The next byte; 0 when there is none.
  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    position += 1
    return bytes[position - 1]
  }

  /// At most that many further bytes.
  mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    let end = min(bytes.count, position + max(0, count))
    defer { position = end }
    return bytes[position..<end]
  }

  /// All that is left.
  mutating func rest() -> ArraySlice<UInt8> { take(bytes.count) }
}
