extension CatalogueLoader {
  /// The snapshot of a generated catalogue, without a file.
  ///
  /// - Throws: `.outOfMemory`.
  public func load(
    generated catalogue: LargeCatalogue, products: Int
  ) throws(CatalogueError) -> CatalogueSnapshot {
    do throws(CatalogueProblem) {
      var builder = try CatalogueBuilder()
      var reader = JSONLinesReader()
      for index in -1..<products {
        var line = Array((index < 0 ? catalogue.header : catalogue.line(index)).utf8)
        var span = line.mutableSpan
        try span.withUnsafeMutableBytes { bytes throws(CatalogueProblem) in
          try reader.read(bytes, number: index + 2, into: &builder)
        }
      }
      return try builder.finished()
    } catch {
      throw error.error(file: "generated")
    }
  }
}
