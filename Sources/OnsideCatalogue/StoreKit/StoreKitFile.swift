import OnsideDomain

/// What a `.storekit` file says: formats 1.1, 2.0, 3.0, 4.0 and 5.0.
///
/// Hand-written and older files leave much out, so every key may be absent that isn't needed to
/// sell a product. `Docs/catalogue.md` lists what becomes of what.
public struct StoreKitFile: Hashable, Sendable {
  /// The major and minor version; nil if the file doesn't say.
  public var version: StoreKitVersion?
  public var settings: StoreKitSettings

  /// The storefront of all prices, and the currency that was derived from it.
  public var storefront: CatalogueStorefront

  /// In the order of the file: products, then those of the subscription groups.
  public var products: [CatalogueProduct]

  /// What was left out or read differently from how it was written.
  public var notes: [CatalogueNote]

  /// Where each product is, for errors.
  var positions: [JSONPosition] = []

  /// The largest file that is read, in bytes.
  public static let maximumBytes = 64 << 20

  /// Reads a file.
  ///
  /// - Throws: What is wrong, and where.
  public init(path: String) throws(CatalogueError) {
    let file = try InputFile(path)
    try self.init(bytes: try file.readAll(limit: Self.maximumBytes), file: path)
  }

  /// Reads the bytes of a file; `file` is its name, for errors.
  ///
  /// - Throws: What is wrong, and where.
  public init(bytes: [UInt8], file: String) throws(CatalogueError) {
    var bytes = bytes
    var span = bytes.mutableSpan
    let result = span.withUnsafeMutableBytes { buffer in
      Result { () throws(CatalogueProblem) in
        var scanner = JSONScanner(buffer)
        if scanner.isAtEnd() { throw CatalogueProblem(.malformed, "the file is empty") }
        let root = try JSONNode(&scanner)
        try scanner.finish()
        var reader = try StoreKitReader(root)
        try reader.readProducts(root)
        return reader
      }
    }
    switch result {
    case .failure(let problem): throw problem.error(file: file)
    case .success(let reader): self.init(reader, file: file)
    }
  }

  private init(_ reader: StoreKitReader, file: String) {
    version = reader.version
    settings = reader.settings
    storefront = reader.storefront
    products = reader.products
    positions = reader.positions
    notes = reader.notes.map { CatalogueNote(file: file, line: $0.line, text: $1) }
  }
}

/// The version of a `.storekit` file.
public struct StoreKitVersion: Hashable, Sendable, CustomStringConvertible {
  public var major: Int
  public var minor: Int

  /// `4.0`.
  public var description: String { "\(major).\(minor)" }
}
