extension ProductPool {
  /// The products of `Examples/catalogues/shop.jsonl`: what a load asks for if it isn't told.
  public static let example = ProductPool(
    consumables: [
      "item.0000000", "coins.100", "coins.1200", "lives.5", "hint",
    ],
    others: [
      "remove-ads", "soundtrack", "premium.monthly", "premium.yearly",
    ])

  private init(consumables: [String], others: [String]) {
    let prefix = "com.example.shop."
    items =
      consumables.map { Item(prefix + $0, .consumable) } + others.map { Item(prefix + $0, .other) }
  }
}
