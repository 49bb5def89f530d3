import Dispatch
import OnsideDomain

/// Reads files into a snapshot.
public struct CatalogueLoader: Sendable {
  /// The app of `.storekit` files that come without one.
  public var defaultApp: String

  /// Called now and then while files are read, on the thread that reads.
  public var progress: @Sendable (ImportProgress) -> Void

  public init(
    defaultApp: String = "com.example.shop",
    progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
  ) {
    self.defaultApp = defaultApp
    self.progress = progress
  }

  /// Reads all files into one snapshot. It blocks: for a million products, some seconds.
  ///
  /// - Throws: What is wrong with the first file that can't be used, and where.
  public func load(_ sources: [CatalogueSource]) throws(CatalogueError) -> CatalogueImport {
    var notes: [CatalogueNote] = []
    var builder = try Self.naming(sources) { () throws(CatalogueProblem) in
      try CatalogueBuilder()
    }
    for source in sources { try read(source, into: &builder, &notes) }
    let finished = builder
    let snapshot = try Self.naming(sources) { () throws(CatalogueProblem) in
      try finished.finished()
    }
    return CatalogueImport(snapshot: snapshot, notes: notes)
  }

  /// Adds the files to a problem that concerns all of them.
  private static func naming<Value>(
    _ sources: [CatalogueSource], _ body: () throws(CatalogueProblem) -> Value
  ) throws(CatalogueError) -> Value {
    do throws(CatalogueProblem) {
      return try body()
    } catch {
      throw error.error(file: sources.map(\.path).joined(separator: ", "))
    }
  }

  private func read(
    _ source: CatalogueSource, into builder: inout CatalogueBuilder, _ notes: inout [CatalogueNote]
  ) throws(CatalogueError) {
    let file = try InputFile(source.path)
    let byteCount = file.byteCount
    let report = { (bytesRead: Int, products: Int) in
      progress(
        ImportProgress(
          file: source.path, bytesRead: bytesRead, byteCount: byteCount, products: products))
    }
    switch source.format {
    case .storeKit:
      notes += try readStoreKit(file, app: source.app ?? defaultApp, into: &builder, report)
    case .jsonLines:
      var lines = LineReader(file)
      var reader = JSONLinesReader()
      try reader.read(&lines, into: &builder, progress: report)
    }
  }

  /// Reads all files into one snapshot on a queue of its own.
  ///
  /// - Throws: What is wrong with the first file that can't be used, and where.
  public func load(
    inBackground sources: [CatalogueSource]
  ) async throws(CatalogueError) -> CatalogueImport {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue(label: "onside.catalogue.import").async {
        continuation.resume(
          returning: Result { () throws(CatalogueError) in try self.load(sources) })
      }
    }
    return try result.get()
  }
}
