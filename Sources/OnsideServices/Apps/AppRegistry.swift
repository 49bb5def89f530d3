import Glibc

/// The apps that may use the service. Immutable: a reload makes a new one.
public final class AppRegistry: Sendable {
  /// In the order of the file.
  public let apps: [RegisteredApp]

  /// Open addressing over a table at most half full; each slot is a row of `apps`, or -1.
  private let slots: [Int]
  private let identifiers: [[UInt8]]

  /// By the tag that session tokens carry in place of the identifier.
  private let tags: [AppTag: RegisteredApp]

  /// A registry of some apps. Of two with the same identifier the first counts; the apps file
  /// refuses that.
  public init(_ apps: [RegisteredApp]) {
    self.apps = apps
    identifiers = apps.map { Array($0.id.utf8) }
    var capacity = 8
    while capacity < apps.count * 2 { capacity *= 2 }
    var slots = [Int](repeating: -1, count: capacity)
    for (row, identifier) in identifiers.enumerated() {
      var place = identifier.withUnsafeBytes { Self.hash($0) } & (capacity - 1)
      while slots[place] >= 0 { place = (place + 1) & (capacity - 1) }
      slots[place] = row
    }
    self.slots = slots
    tags = Dictionary(apps.map { ($0.tag, $0) }) { first, _ in first }
  }

  /// The app with this tag; nil: none is registered.
  func find(_ tag: AppTag) -> RegisteredApp? { tags[tag] }

  /// The app with this identifier; nil: none is registered.
  public func find(_ id: String) -> RegisteredApp? {
    var id = id
    return id.withUTF8 { find(UnsafeRawBufferPointer($0)) }
  }

  /// The app with this identifier, as bytes; nil: none is registered. Allocates nothing.
  func find(_ id: UnsafeRawBufferPointer) -> RegisteredApp? {
    var place = Self.hash(id) & (slots.count - 1)
    while slots[place] >= 0 {
      let row = slots[place]
      if Self.areEqual(identifiers[row], id) { return apps[row] }
      place = (place + 1) & (slots.count - 1)
    }
    return nil
  }

  private static func areEqual(_ own: [UInt8], _ id: UnsafeRawBufferPointer) -> Bool {
    guard own.count == id.count, let bytes = id.baseAddress else {
      return own.isEmpty && id.isEmpty
    }
    return memcmp(own, bytes, own.count) == 0
  }

  /// A weak hash is enough: who is registered isn't the peers' choice.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hash = UInt64(bytes.count)
    for byte in bytes {
      // Wrapping is what a hash is about: no length is computed here.
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// What is registered when no apps file is given: one open app, `com.example.shop`, whose default
  /// storefront is the catalogue's.
  public static let example = AppRegistry([
    RegisteredApp(id: "com.example.shop", name: "Example Shop")
  ])
}
