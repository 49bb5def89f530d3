import ProtobufWire

/// The payload of SETUP: `rpc.v1.Setup`. A number that is absent or 0 means the default.
struct Setup: Equatable {
  var minorVersion: UInt32 = 0
  var features: UInt64 = 0
  var maximumFramePayload: UInt64 = 0
  var maximumMessageSize: UInt64 = 0
  var maximumConcurrentCalls: UInt64 = 0
  var streamWindow: UInt64 = 0
  var connectionWindow: UInt64 = 0
  var acceptedCompression: [UInt32] = []
  var minimumPingMilliseconds: UInt64 = 0

  /// The minor version that this code speaks.
  static let currentMinorVersion: UInt32 = 0
  /// The longest frame payload that can be announced, in bytes.
  static let largestFramePayload = 16 * 1024 * 1024

  private enum Field {
    static let minorVersion = WireFormat.tag(1, .varint)
    static let features = WireFormat.tag(2, .varint)
    static let maximumFramePayload = WireFormat.tag(3, .varint)
    static let maximumMessageSize = WireFormat.tag(4, .varint)
    static let maximumConcurrentCalls = WireFormat.tag(5, .varint)
    static let streamWindow = WireFormat.tag(6, .varint)
    static let connectionWindow = WireFormat.tag(7, .varint)
    static let acceptedCompression = WireFormat.tag(8, .lengthDelimited)
    static let oneAcceptedCompression = WireFormat.tag(8, .varint)
    static let minimumPingMilliseconds = WireFormat.tag(9, .varint)
  }

  init() {}

  /// What a side with this configuration announces.
  init(_ configuration: ConnectionConfiguration) {
    minorVersion = Setup.currentMinorVersion
    features = configuration.features
    maximumFramePayload = UInt64(clamping: configuration.maximumFramePayload)
    maximumMessageSize = UInt64(clamping: configuration.maximumMessageSize)
    maximumConcurrentCalls = UInt64(clamping: configuration.maximumConcurrentCalls)
    streamWindow = UInt64(clamping: configuration.streamWindow)
    connectionWindow = UInt64(clamping: configuration.connectionWindow)
    acceptedCompression = configuration.acceptedCompression.map(\.rawValue)
    minimumPingMilliseconds = UInt64(
      clamping: configuration.keepAlive.minimumPeerInterval.saturatedNanoseconds / 1_000_000)
  }

  init(decoding bytes: RawSpan) throws(WireError) {
    var reader = WireReader(bytes)
    while true {
      let tag = try reader.readTag()
      if tag == 0 { break }
      switch tag {
      case Field.minorVersion: minorVersion = UInt32(clamping: try reader.readVarint())
      case Field.features: features = try reader.readVarint()
      case Field.maximumFramePayload: maximumFramePayload = try reader.readVarint()
      case Field.maximumMessageSize: maximumMessageSize = try reader.readVarint()
      case Field.maximumConcurrentCalls: maximumConcurrentCalls = try reader.readVarint()
      case Field.streamWindow: streamWindow = try reader.readVarint()
      case Field.connectionWindow: connectionWindow = try reader.readVarint()
      case Field.acceptedCompression: try readCompression(&reader)
      case Field.oneAcceptedCompression:
        acceptedCompression.append(UInt32(clamping: try reader.readVarint()))
      case Field.minimumPingMilliseconds: minimumPingMilliseconds = try reader.readVarint()
      default: try reader.skipField(tag)
      }
    }
  }

  private mutating func readCompression(_ reader: inout WireReader) throws(WireError) {
    let outer = try reader.beginMessage()
    while !reader.isAtEnd {
      acceptedCompression.append(UInt32(clamping: try reader.readVarint()))
    }
    reader.endMessage(outer)
  }

  func encoded() -> [UInt8] {
    // Nine fields of at most 11 bytes, and the algorithms with at most 5 each.
    let capacity = 128 + 5 * acceptedCompression.count
    return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      var writer = WireWriter(UnsafeMutableRawBufferPointer(buffer))
      let numbers: [(UInt32, UInt64)] = [
        (Field.minorVersion, UInt64(minorVersion)), (Field.features, features),
        (Field.maximumFramePayload, maximumFramePayload),
        (Field.maximumMessageSize, maximumMessageSize),
        (Field.maximumConcurrentCalls, maximumConcurrentCalls),
        (Field.streamWindow, streamWindow), (Field.connectionWindow, connectionWindow),
      ]
      for (tag, value) in numbers where value != 0 {
        writer.writeTag(tag)
        writer.writeVarint(value)
      }
      if !acceptedCompression.isEmpty {
        writer.writeTag(Field.acceptedCompression)
        writer.writeVarint(
          UInt64(acceptedCompression.reduce(0) { $0 + WireFormat.varintSize($1) }))
        for algorithm in acceptedCompression { writer.writeVarint(UInt64(algorithm)) }
      }
      if minimumPingMilliseconds != 0 {
        writer.writeTag(Field.minimumPingMilliseconds)
        writer.writeVarint(minimumPingMilliseconds)
      }
      count = writer.count
    }
  }
}

extension PeerSettings {
  /// The settings that a SETUP makes effective; nil with the name of a field that is out of range.
  init(_ setup: Setup, ours: ConnectionConfiguration) throws(SetupFault) {
    isReceived = true
    minorVersion = min(setup.minorVersion, Setup.currentMinorVersion)
    features = setup.features & ours.features
    maximumFramePayload = min(
      try Self.size(
        setup.maximumFramePayload, "max_frame_payload", least: ProtocolDefaults.framePayload),
      Setup.largestFramePayload)
    maximumMessageSize = try Self.size(
      setup.maximumMessageSize, "max_message_size", least: 1,
      fallback: ProtocolDefaults.messageSize)
    maximumConcurrentCalls =
      setup.maximumConcurrentCalls == 0
      ? ProtocolDefaults.concurrentCalls
      : Int(clamping: min(setup.maximumConcurrentCalls, 0x7FFF_FFFF))
    streamWindow = try Self.size(
      setup.streamWindow, "stream_window", least: ProtocolDefaults.streamWindow)
    connectionWindow = try Self.size(
      setup.connectionWindow, "connection_window", least: ProtocolDefaults.connectionWindow)
    acceptsZlib = setup.acceptedCompression.contains(CompressionAlgorithm.zlib.rawValue)
    if setup.minimumPingMilliseconds != 0 {
      let (nanoseconds, overflow) = setup.minimumPingMilliseconds
        .multipliedReportingOverflow(by: 1_000_000)
      minimumPingInterval = overflow ? .max : Int64(clamping: nanoseconds)
    }
  }

  private static func size(
    _ value: UInt64, _ name: String, least: Int, fallback: Int? = nil
  ) throws(SetupFault) -> Int {
    guard value != 0 else { return fallback ?? least }
    guard value >= UInt64(clamping: least), value <= UInt64(ProtocolDefaults.largestWindow) else {
      throw SetupFault(
        text: "SETUP: \(name) is \(value), allowed are 0 and \(least) to 2147483647")
    }
    return Int(clamping: value)
  }
}

/// Which value of a SETUP is out of range.
struct SetupFault: Error {
  var text: String
}
