import OnsideDomain
import OnsideStore
import Testing

@testable import OnsideServices

@Suite("The profile cache")
struct ProfileCacheTests {
  private let app = AppTag(appID: "com.example.shop")

  private func profile(_ number: Int) throws -> ProfileSummary {
    ProfileSummary(
      id: ProfileID(high: 0, low: UInt64(number)), kind: .external,
      storefront: Storefront(try #require(CountryCode(alpha2: "DE"))))
  }

  @Test("It finds what was put in, by text and by bytes")
  func finds() throws {
    let cache = ProfileCache(capacity: 10_000)
    for number in 0..<1_000 {
      cache.insert(try profile(number), app: app, externalUserID: "user-\(number)")
    }
    for number in 0..<1_000 {
      let user = "user-\(number)"
      #expect(cache.find(app: app, externalUserID: user)?.id.low == UInt64(number))
      let found = Array(user.utf8).withUnsafeBytes { cache.find(app: app, externalUserID: $0) }
      #expect(found?.id.low == UInt64(number))
    }
    #expect(cache.find(app: app, externalUserID: "user-1000") == nil)
    #expect(cache.find(app: app, externalUserID: "") == nil)
    #expect(cache.count == 1_000)
  }

  @Test("Apps are separate, and identifiers are compared byte by byte")
  func separates() throws {
    let cache = ProfileCache(capacity: 1_000)
    cache.insert(try profile(1), app: app, externalUserID: "\u{e9}")
    #expect(cache.find(app: AppTag(appID: "other"), externalUserID: "\u{e9}") == nil)
    #expect(cache.find(app: app, externalUserID: "e\u{301}") == nil)
    #expect(cache.find(app: app, externalUserID: "\u{e9}")?.id.low == 1)
  }

  @Test("A profile that has changed replaces what was there")
  func replaces() throws {
    let cache = ProfileCache(capacity: 1_000)
    for number in 1...3 { cache.insert(try profile(number), app: app, externalUserID: "user") }
    #expect(cache.find(app: app, externalUserID: "user")?.id.low == 3)
    #expect(cache.count == 1)
    cache.remove(app: app, externalUserID: "user")
    cache.remove(app: app, externalUserID: "user")
    #expect(cache.find(app: app, externalUserID: "user") == nil)
    #expect(cache.count == 0)
  }

  @Test("It never holds more than its bound", arguments: [0, 1, 64, 1_000])
  func isBounded(capacity: Int) throws {
    let cache = ProfileCache(capacity: capacity)
    for number in 0..<5_000 {
      cache.insert(try profile(number), app: app, externalUserID: "user-\(number)")
    }
    // Each of the 64 parts rounds its share up.
    #expect(cache.count <= capacity + 63)
    #expect(cache.count >= capacity / 2)
  }

  @Test("Who comes again and again stays")
  func keepsActive() throws {
    let cache = ProfileCache(capacity: 64 * 16)
    cache.insert(try profile(0), app: app, externalUserID: "regular")
    for number in 1..<20_000 {
      cache.insert(try profile(number), app: app, externalUserID: "passer-by-\(number)")
      #expect(cache.find(app: app, externalUserID: "regular") != nil, "\(number)")
    }
  }

  @Test("It agrees with a dictionary under random use", arguments: [1, 2, 3] as [UInt64])
  func agreesWithDictionary(seed: UInt64) throws {
    // One part of the cache, so that its places are crowded.
    var table = ProfileCacheTable(capacity: 200)
    var expected: [String: UInt64] = [:]
    var state = seed
    for step in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = Int(state >> 33) % 150
      let user = "user-\(number)"
      let hash = UInt64(number % 7)
      try Array(user.utf8).withUnsafeBytes { bytes in
        switch Int(state >> 60) % 3 {
        case 0:
          table.remove(hash, app, bytes)
          expected[user] = nil
        case 1:
          table.insert(hash, app, bytes, try profile(step))
          expected[user] = UInt64(step)
        default:
          #expect(table.find(hash, app, bytes)?.id.low == expected[user], "seed \(seed), \(step)")
        }
      }
      #expect(table.count == expected.count)
    }
  }

  @Test("Loops can use it at once")
  func isConcurrent() async throws {
    let cache = ProfileCache(capacity: 500)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask { [app] in
          (0..<5_000).allSatisfy { number in
            let user = "user-\(number % 900)"
            guard let country = CountryCode(alpha2: "DE") else { return false }
            let id = ProfileID(high: 1, low: UInt64(number % 900))
            cache.insert(
              ProfileSummary(id: id, kind: .external, storefront: Storefront(country)), app: app,
              externalUserID: user)
            let found = cache.find(app: app, externalUserID: user)
            return found == nil || found?.id == id
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
    #expect(cache.count <= 500 + 63)
  }
}
