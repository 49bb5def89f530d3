import Foundation
@testable import OnsideClient
import OnsideDomain
import RPCTransport
import Testing

/// A thousand users in one process, each with a marketplace and a connection of its own, under one
/// load.
@Suite("Many clients in one process", .serialized, .timeLimit(.minutes(3)))
struct ManyClientsTests {
  private static let count = 1_000

  @Test("Each is one user: sees its own purchase and nothing else, and leaves nothing behind")
  func thousand() async throws {
    let service = try await KitService()
    let group = try EventLoopGroup(loops: 2)
    let alone = try Self.sockets(service)
    let left = try await run(service, group)
    while left.contains(where: \.isThere) { await Task.yield() }
    // The server's ends are closed when it has read that the clients' are.
    while try Self.sockets(service) > alone { await Task.yield() }
    await service.stop()
    await group.shutdown()
  }

  /// What there was of one client, unless it is gone.
  private struct Remains {
    weak var device: Device?
    weak var marketplace: Marketplace?
    weak var client: OnsideClient?

    var isThere: Bool { device != nil || marketplace != nil || client != nil }
  }

  private func run(_ service: KitService, _ group: EventLoopGroup) async throws -> [Remains] {
    let devices = try (0..<Self.count).map { number in
      try Device(service, group, user: "user-\(number)", isDelivering: true)
    }
    // All at once is another test's concern: a server gives a flood of handshakes less time.
    for start in stride(from: 0, to: Self.count, by: 50) {
      try await all(Array(devices[start..<start + 50])) { _, device in try await device.connect() }
    }
    try await all(devices) { number, device in try await Self.shop(device, number) }
    // Only when everybody has bought, and is still there, the books are looked at.
    let books = try await all(devices) { _, device in try await device.client.transactions() }
    #expect(try Self.sockets(service) >= 2 * Self.count)
    for (number, device) in devices.enumerated() { Self.check(device, number, books[number]) }
    let ids = books.flatMap { $0.map(\.id) }
    #expect(Set(ids).count == Self.count && ids.count == Self.count)
    #expect(service.charges == Self.count)
    try await all(devices) { _, device in await device.kill() }
    return devices.map { Remains(device: $0, marketplace: $0.marketplace, client: $0.client) }
  }

  /// Logs in, lists, buys, and waits until it is delivered and finished.
  private static func shop(_ device: Device, _ number: Int) async throws {
    let marketplace = device.marketplace
    let events = marketplace.observe()
    try await marketplace.logIn()
    let list = try await marketplace.products(["no-ads", "coins", "x"])
    #expect(list.products.map(\.identifier) == ["coins"])
    #expect(list.unsupportedIdentifiers == ["no-ads"] && list.invalidIdentifiers == ["x"])
    let coins = try #require(list.products.first)
    try await marketplace.add(Payment(coins, appAccountToken: "order-\(number)"))
    for await case .removed in events { break }
  }

  private static func check(_ device: Device, _ number: Int, _ books: [TransactionRecord]) {
    #expect(device.marketplace.profile?.externalUserID == "user-\(number)")
    #expect(books.map(\.appAccountToken) == ["order-\(number)"])
    #expect(books.allSatisfy { $0.state == .purchased })
    let events = device.events
    let users = events.compactMap { event -> String? in
      if case .userChanged(_, let profile) = event { profile?.externalUserID } else { nil }
    }
    #expect(users == ["user-\(number)"])
    let told = events.flatMap(\.transactions)
    #expect(Set(told.map(\.payment.appAccountToken)) == ["order-\(number)"])
    #expect(Set(told.compactMap(\.transactionID)) == Set(books.map(\.id)))
    #expect(told.filter { $0.state == .purchased }.count == 2, "purchased, and then removed")
  }

  /// Does something with all devices at the same time.
  @discardableResult
  private func all<Value: Sendable>(
    _ devices: [Device], _ body: @escaping @Sendable (Int, Device) async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { tasks in
      for (number, device) in devices.enumerated() {
        tasks.addTask { (number, try await body(number, device)) }
      }
      var values: [Int: Value] = [:]
      for try await (number, value) in tasks { values[number] = value }
      return devices.indices.compactMap { values[$0] }
    }
  }

  /// How many descriptors of connections to a service there are, of both ends.
  private static func sockets(_ service: KitService) throws -> Int {
    let port = try #require(service.address.split(separator: ":").last.flatMap { UInt16($0) })
    let digits = String(port, radix: 16, uppercase: true)
    let name = ":" + String(repeating: "0", count: 4 - digits.count) + digits
    return try connections().split(separator: "\n").filter { line in
      let fields = line.split(separator: " ")
      // Field 9 is the inode: 0 when there is no descriptor any more.
      return fields.count > 9 && fields[9] != "0"
        && (fields[1].hasSuffix(name) || fields[2].hasSuffix(name))
    }.count
  }

  /// The kernel's table of TCP connections. It comes in parts, none of which fills a buffer.
  private static func connections() throws -> String {
    let file = open("/proc/self/net/tcp", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw KitFailure("no table of connections") }
    defer { close(file) }
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(file, &part, part.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += part.prefix(count)
    }
  }
}
