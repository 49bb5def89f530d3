import Flags
import Glibc
import OnsideCatalogue
import OnsideDomain

/// Reads catalogues and says what is in them.
struct Check {
  let sources: [CatalogueSource]

  init(_ arguments: ParsedArguments) {
    sources = arguments[CatalogueCommand.files].map(CatalogueSource.init(argument:))
  }

  func run() {
    do throws(CatalogueError) {
      let result = try CatalogueLoader(progress: Self.show).load(sources)
      for note in result.notes { Self.say("\(note)\n") }
      report(result.snapshot)
    } catch {
      CatalogueCommand.root.fail(.catalogue, error.description)
    }
  }

  /// On a terminal only, and one line that is overwritten.
  private static func show(_ progress: ImportProgress) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let size = progress.byteCount.map { " of \($0 >> 20)" } ?? ""
    say("\r\(progress.bytesRead >> 20)\(size) MiB, \(progress.products) products ")
    if progress.bytesRead == progress.byteCount { say("\n") }
  }

  private static func say(_ text: String) {
    _ = text.utf8CString.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count - 1) }
  }

  private func report(_ snapshot: CatalogueSnapshot) {
    for app in snapshot.apps {
      let storefronts = app.storefronts.map { "\($0.storefront.id) (\($0.currency))" }
      print("\(app.id): \(app.productCount) products in \(storefronts.joined(separator: ", "))")
    }
    print("\(snapshot.productCount) products, \(snapshot.byteCount >> 10) KiB of memory")
  }
}
