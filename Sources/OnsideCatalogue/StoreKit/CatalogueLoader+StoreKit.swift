import OnsideDomain

extension CatalogueLoader {
  /// Adds the products of a `.storekit` file to an app; returns what its owner should know.
  func readStoreKit(
    _ file: borrowing InputFile, app id: String, into builder: inout CatalogueBuilder,
    _ progress: (Int, Int) -> Void
  ) throws(CatalogueError) -> [CatalogueNote] {
    let path = file.path
    let bytes = try file.readAll(limit: StoreKitFile.maximumBytes)
    let content = try StoreKitFile(bytes: bytes, file: path)
    var position: JSONPosition?
    do throws(CatalogueProblem) {
      let app = try builder.app(id)
      let place = try builder.storefront(content.storefront, of: app)
      for (product, start) in zip(content.products, content.positions) {
        position = start
        try builder.add(product, storefront: place, to: app)
      }
    } catch {
      throw error.error(file: path, line: position?.line)
    }
    progress(bytes.count, builder.productCount)
    return content.notes
  }
}

extension CatalogueBuilder {
  /// Adds a product that one storefront sells.
  ///
  /// - Throws: As for a draft.
  mutating func add(
    _ product: CatalogueProduct, storefront: Int, to app: AppHandle
  ) throws(CatalogueProblem) {
    var text: [UInt8] = []
    func place(_ part: String?) -> Range<Int> {
      let start = text.count
      text.append(contentsOf: (part ?? "").utf8)
      return start..<text.count
    }
    var draft = ProductDraft()
    draft.identifier = place(product.identifier)
    draft.title = place(product.title)
    draft.description = place(product.description)
    draft.kind = product.kind
    draft.subscriptionGroup = place(product.subscriptionGroup)
    draft.subscriptionPeriod = product.subscriptionPeriod
    draft.iconURL = place(product.iconURL)
    draft.offers = [
      StorefrontOffer(
        storefront: storefront, price: product.price,
        introductoryPrice: product.introductoryPrice, discountedPrice: product.discountedPrice)
    ]
    try text.span.bytes.withUnsafeBytes { bytes throws(CatalogueProblem) in
      try add(draft, text: bytes, to: app)
    }
  }
}
