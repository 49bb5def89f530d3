import Testing

@testable import OnsideShop

@Suite("Files with what an app sells") struct ProductFileTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func identifiers(_ text: String, _ name: String) throws -> [String] {
    try ProductFile.identifiers(path: try folder.write(text, to: name), app: "shop")
  }

  @Test("A catalogue: the app's own products, in order, each once")
  func catalogue() throws {
    let text = """
      {"format": "onside-catalogue/1", "app": "other", "storefronts": [{"country": "DE"}]}
      {"id": "book"}
      {"format": "onside-catalogue/1", "app": "shop", "storefronts": [{"country": "DE"}]}
      {"id": "coins"}

      {"id": "ads"}
      {"id": "coins"}
      """
    #expect(try identifiers(text, "shop.jsonl") == ["coins", "ads"])
  }

  @Test("A .storekit file, and a line for each identifier")
  func others() throws {
    let file = """
      {"products": [{"productID": "coins", "type": "Consumable", "displayPrice": "1",
        "localizations": []}]}
      """
    #expect(try identifiers(file, "shop.storekit") == ["coins"])
    #expect(try identifiers("# mine\ncoins\r\n\n  ads\n", "shop.txt") == ["coins", "ads"])
  }

  @Test(
    "What is wrong is named with its place",
    arguments: [
      ("{\"app\": \"other\"}\n{\"id\": \"a\"}", "a.jsonl", "no products of shop"),
      ("{\"app\": \"shop\"}\n\n{\"id\": 1}", "b.jsonl", "b.jsonl:3:"),
      ("{", "c.storekit", "c.storekit"),
    ])
  func problems(_ text: String, _ name: String, _ expected: String) throws {
    let problem = try #require(throws: ProductFile.Problem.self) { try identifiers(text, name) }
    #expect(problem.description.contains(expected))
    #expect(throws: ProductFile.Problem.self) {
      try ProductFile.identifiers(path: "/none.txt", app: "shop")
    }
  }
}
