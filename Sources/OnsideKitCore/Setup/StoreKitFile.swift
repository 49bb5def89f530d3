import Foundation

/// Where the `.storekit` file of a name is: in the app's bundle, in a resource bundle beside the
/// program, or in the current folder.
enum StoreKitFile {
  static func path(
    of name: String, beside program: String = CommandLine.arguments.first ?? "",
    folder: String = FileManager.default.currentDirectoryPath
  ) throws(OnsideConfigurationError) -> String {
    if let path = Bundle.main.path(forResource: name, ofType: "storekit") { return path }
    let place = URL(fileURLWithPath: program).deletingLastPathComponent().path
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    let bundles = entries.filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }
      .sorted().map { "\(place)/\($0)" }
    let paths = (bundles + [place, folder]).map { "\($0)/\(name).storekit" }
    guard let path = paths.first(where: FileManager.default.fileExists) else {
      throw OnsideConfigurationError(
        "there is no \(name).storekit in the app's bundle, beside \(program), or in \(folder)")
    }
    return path
  }
}
