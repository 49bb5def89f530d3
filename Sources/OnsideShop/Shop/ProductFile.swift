#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import OnsideCatalogue

/// The identifiers of the products that an app sells, as its own code would have them: the service
/// is asked for products by their identifiers.
public enum ProductFile {
  /// Why a file can't be used.
  public struct Problem: Error, Equatable, CustomStringConvertible {
    /// The file, and what is wrong with it.
    public let description: String
  }

  /// Reads the identifiers of an app in the order of the file, each once: a `.storekit` file, a
  /// catalogue in JSON Lines (`.jsonl`), or one identifier a line, with `#` for remarks.
  ///
  /// - Throws: what is wrong, and where.
  public static func identifiers(path: String, app: String) throws(Problem) -> [String] {
    var seen: Set<String> = []
    return try allIdentifiers(path, app).filter { seen.insert($0).inserted }
  }

  private static func allIdentifiers(
    _ path: String, _ app: String
  ) throws(Problem) -> [String] {
    if path.hasSuffix(".storekit") { return try storeKit(path) }
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw Problem(description: "\(path): the file can't be read")
    }
    // As bytes: a line feed behind a carriage return is no character of its own.
    let lines = data.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0.last == 0x0D ? $0.dropLast() : $0, as: UTF8.self) }
    if path.hasSuffix(".jsonl") { return try jsonLines(lines, path, app) }
    return lines.map { $0.filter { $0 != " " } }
      .filter { !$0.isEmpty && $0.first != "#" }
  }

  private static func storeKit(_ path: String) throws(Problem) -> [String] {
    do throws(CatalogueError) {
      return try StoreKitFile(path: path).products.map(\.identifier)
    } catch {
      throw Problem(description: error.description)
    }
  }

  /// What is read of a line of a catalogue.
  private struct Line: Decodable {
    /// Of a line that says which app comes next.
    var app: String?

    /// Of a product.
    var id: String?
  }

  private static func jsonLines(
    _ lines: [String], _ path: String, _ app: String
  ) throws(Problem) -> [String] {
    var present = ""
    var identifiers: [String] = []
    for (place, text) in lines.enumerated() where !text.allSatisfy(\.isWhitespace) {
      guard let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8)),
        let name = line.app ?? line.id
      else {
        throw Problem(
          description: "\(path):\(place + 1): the line has neither an \"app\" nor an \"id\"")
      }
      if line.app != nil { present = name } else if present == app { identifiers.append(name) }
    }
    guard !identifiers.isEmpty else {
      throw Problem(description: "\(path): the file has no products of \(app); name another --app")
    }
    return identifiers
  }
}
