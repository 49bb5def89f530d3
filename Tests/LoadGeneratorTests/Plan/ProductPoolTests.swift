import Testing

@testable import LoadGenerator
import LoadReporting

@Suite struct ProductPoolTests {
  private func items(_ text: String) throws -> [ProductPool.Item] {
    try ProductPool.items(in: text, path: "f")
  }

  @Test func linesOfText() throws {
    let text = "# a comment\na.b.c\n\n  x consumable\ny subscription\n"
    #expect(
      try items(text) == [.init("a.b.c"), .init("x", .consumable), .init("y", .other)])
    #expect(throws: SetupError.self) { try items("a b c\n") }
  }

  @Test func catalogueInJSONLines() throws {
    let text = """
      {"format":"onside-catalogue/1","app":"a","storefronts":[{"id":"DE","country":"DE"}]}
      {"id":"x","kind":"consumable","title":"t"}

      {"id":"y","kind":"subscription"}

      """
    #expect(try items(text) == [.init("x", .consumable), .init("y", .other)])
  }

  @Test func mistakesNameFileAndLine() {
    let text = "{\"format\":\"onside-catalogue/1\"}\n{\"id\":\"x\",}\n"
    let error = #expect(throws: SetupError.self) { try items(text) }
    #expect(error?.code == .products)
    #expect(error?.description.hasPrefix("f:2:11: ") == true)
  }

  @Test func storeKitFile() throws {
    let text = """
      {
        "products": [
          {"productID": "coins", "type": "Consumable"},
          {"productID": "vip", "type": "NonConsumable"},
          {"type": "Consumable"}
        ],
        "subscriptionGroups": [{"subscriptions": [{"productID": "month"}]}]
      }
      """
    #expect(
      try items(text) == [
        .init("coins", .consumable), .init("vip", .other), .init("month", .other),
      ])
  }

  @Test func nothingIsRefused() {
    #expect(throws: SetupError.self) { try ProductPool([], source: "f") }
    #expect(throws: SetupError.self) { try ProductPool(file: "/nonexistent/products.txt") }
  }

  @Test func exampleIsTheExampleCatalogue() throws {
    let file = try ProductPool(file: packageRoot + "/Examples/catalogues/shop.jsonl")
    #expect(
      file.items.sorted { $0.identifier < $1.identifier }
        == ProductPool.example.items.sorted { $0.identifier < $1.identifier })
  }

  @Test func planSaysWhatMatters() {
    var plan = LoadPlan(scenario: .productFilter)
    plan.seed = 3
    let members = JSONValue.object(plan.members(loops: 2))
    #expect(members["model"]?.string == "closed")
    #expect(members["connections"]?.double == 64)
    #expect(members["identifiers_per_call"]?.double == 100)
    #expect(members["duration_seconds"]?.double == 10)
    #expect(members["calls_limit"] == .null)
    #expect(members["seed"]?.double == 3)
    #expect(members["users"] == nil)
  }

  @Test(arguments: [
    (Duration.seconds(1), 1.0, UInt64(1_000_000_000)), (.milliseconds(1500), 1.5, 1_500_000_000),
    (.seconds(-1), -1, 0),
  ])
  func durations(_ duration: Duration, _ seconds: Double, _ nanoseconds: UInt64) {
    #expect(duration.inSeconds == seconds)
    #expect(duration.inNanoseconds == nanoseconds)
  }

  @Test func randomStreamsAreIndependent() {
    var first = SeededRandom(seed: 1, stream: 1)
    var second = SeededRandom(seed: 1, stream: 2)
    var again = SeededRandom(seed: 1, stream: 1)
    let numbers = (0..<10).map { _ in first.next() }
    #expect(numbers == (0..<10).map { _ in again.next() })
    #expect(numbers != (0..<10).map { _ in second.next() })
  }
}
