import OnsideDomain

/// Reads a catalogue in JSON Lines: lines that say which app comes next, and a line for each
/// product. `Docs/catalogue.md` describes the format.
struct JSONLinesReader {
  /// The app of the lines that come, and the reader for them.
  private var app: AppHandle?
  private var products = ProductLineReader([], places: [])

  /// Reads a file into a builder. `progress` is told the bytes read so far after every few.
  mutating func read(
    _ lines: inout LineReader, into builder: inout CatalogueBuilder,
    progress: (Int, Int) -> Void
  ) throws(CatalogueError) {
    var reported = 0
    while let line = try lines.next() {
      do throws(CatalogueProblem) {
        try read(line, number: lines.line, into: &builder)
      } catch {
        throw error.error(file: lines.path, line: lines.line)
      }
      if lines.bytesRead != reported {
        reported = lines.bytesRead
        progress(reported, builder.productCount)
      }
    }
    guard app != nil else {
      throw CatalogueError(
        .malformed, file: lines.path,
        reason: lines.bytesRead == 0
          ? "the file is empty" : "the file has no line with \"format\" and \"app\"")
    }
  }

  /// Reads one line, without its end; its bytes change.
  mutating func read(
    _ line: UnsafeMutableRawBufferPointer, number: Int, into builder: inout CatalogueBuilder
  ) throws(CatalogueProblem) {
    var scanner = JSONScanner(line, line: number)
    if scanner.isAtEnd() { return }
    if scanner.startsObject(withFirstKey: "format") {
      let header = try HeaderLine(try JSONNode(&scanner))
      try scanner.finish()
      try apply(header, to: &builder)
      return
    }
    guard let app else {
      throw scanner.invalid("the first line has to begin with \"format\" and name the app")
    }
    try products.read(&scanner)
    try builder.add(products.draft, text: UnsafeRawBufferPointer(line), to: app)
  }

  private mutating func apply(
    _ header: HeaderLine, to builder: inout CatalogueBuilder
  ) throws(CatalogueProblem) {
    let app = try builder.app(header.app)
    var places: [Int] = []
    for storefront in header.storefronts {
      places.append(try builder.storefront(storefront, of: app))
    }
    if let place = header.defaultStorefront {
      builder.setDefaultStorefront(places[place], of: app)
    }
    self.app = app
    products = ProductLineReader(header.storefronts, places: places)
  }
}
