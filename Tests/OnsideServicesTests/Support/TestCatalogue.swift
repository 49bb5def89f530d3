import OnsideCatalogue

/// The catalogue of the tests: a shop that sells in Germany and Japan, another that sells in
/// Kuwait.
enum TestCatalogue {
  static let shop = "com.example.shop"
  static let other = "com.example.other"

  static let text = """
    {"format":"onside-catalogue/1","app":"com.example.shop","storefronts":[{"id":"DE-1",\
    "country":"DE"},{"country":"JP"}]}
    {"id":"coins","kind":"consumable","title":"Coins","prices":{"DE-1":"4.99","JP":"490"}}
    {"id":"gems","kind":"consumable","title":"Gems","prices":{"DE-1":"9.99"}}
    {"id":"no-ads","kind":"non-consumable","title":"No ads","prices":{"DE-1":"2.99","JP":"300"}}
    {"id":"club","kind":"subscription","title":"Club","prices":{"DE-1":"1.99"},"group":"club",\
    "period":"P1M"}
    {"format":"onside-catalogue/1","app":"com.example.other","storefronts":[{"country":"KW"}]}
    {"id":"coins","kind":"consumable","title":"Dinars","prices":{"KW":"1.500"}}

    """

  static func snapshot(
    _ text: String = text, in folder: TemporaryFolder
  ) throws -> CatalogueSnapshot {
    let file = try folder.write(text, to: "catalogue.jsonl")
    return try CatalogueLoader().load([CatalogueSource(path: file)]).snapshot
  }
}
