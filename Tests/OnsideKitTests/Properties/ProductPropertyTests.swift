@testable import OnsideClient
import OnsideDomain
import OnsideProto
import RPCTransport
import TestSupport
import Testing

/// Property P2 against the real service: products, invalid and unsupported identifiers together are
/// the request, each once and in its order, whoever asks, wherever.
@Suite("P2 over the network", .timeLimit(.minutes(1))) struct ProductPropertyTests {
  private static let sold: [String: OnsideDomain.ProductKind] = [
    "coins": .consumable, "no-ads": .nonConsumable, "club": .subscription,
  ]

  private static let pool =
    Array(sold.keys).sorted() + ["coin", "coinsx", "Coins", "é", "e\u{301}", "a/b", "🎲"]

  @Test("Any request falls into three parts", arguments: Seeds.first(3))
  func parts(_ seed: UInt64) async throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let service = try await KitService()
    let group = try EventLoopGroup(loops: 1)
    let device = try Device(service, group, user: "anna")
    for round in 0..<60 {
      try await change(device, service, &random)
      let request = (0..<Int.random(in: 1...25, using: &random)).map { _ in
        Self.pool.randomElement(using: &random) ?? ""
      }
      let profile = device.marketplace.profile
      let list = try await device.marketplace.products(request)
      check(list, request, profile, "seed \(seed), round \(round): \(request)")
    }
    await device.kill()
    await service.stop()
    await group.shutdown()
  }

  /// Somebody comes, goes, or moves to another country.
  private func change(
    _ device: Device, _ service: KitService, _ random: inout SeededGenerator
  ) async throws {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try await device.marketplace.logIn()
    case 1: device.marketplace.logOut()
    case 2:
      let country = ["DE", "JP"].randomElement(using: &random) ?? ""
      device.marketplace.host.countryHint = { country }
      guard device.marketplace.profile != nil else { return }
      let anna = ExternalName(appID: KitService.app, externalUserID: "anna")
      _ = try await service.sandbox.setStorefront(
        SetStorefrontRequest(
          profile: ProfileName(name: .external(anna)), countryCode: country))
    default: break
    }
  }

  private func check(
    _ list: ProductList, _ request: [String], _ profile: ProfileRecord?, _ note: String
  ) {
    // Compared by bytes: two spellings of one text are two identifiers.
    var seen: Set<[UInt8]> = []
    let distinct = request.map { Array($0.utf8) }.filter { seen.insert($0).inserted }
    let products = list.products.map { Array($0.identifier.utf8) }
    let invalid = list.invalidIdentifiers.map { Array($0.utf8) }
    let unsupported = list.unsupportedIdentifiers.map { Array($0.utf8) }
    for part in [products, invalid, unsupported] {
      #expect(distinct.filter(part.contains) == part, "\(note): the order")
    }
    #expect(Set(products + invalid + unsupported) == seen, "\(note): all of it")
    #expect(products.count + invalid.count + unsupported.count == seen.count, "\(note): once")
    for identifier in list.invalidIdentifiers {
      // The club isn't sold in Japan.
      #expect(Self.sold[identifier] == nil || list.storefront.id == "JP", "\(note)")
    }
    guard profile?.kind == .external else {
      #expect(unsupported.isEmpty, "\(note)")
      return
    }
    #expect(list.products.allSatisfy { $0.kind == .consumable }, "\(note)")
  }
}
