import Flags

/// The command line of `onside-catalogue`.
enum CatalogueCommand {
  static let products = Flag<Int>(
    "products", .integer(in: 1...100_000_000), default: 1_000_000, help: "How many products.")

  static let output = Flag<String>(
    "output", .file, default: "-", help: "Where to write them; - is standard output.")

  static let calls = Flag<Int>(
    "calls", .integer(in: 1...100_000_000), default: 20_000, help: "How many calls.")

  static let identifiers = Flag<Int>(
    "identifiers", .integer(in: 1...1_000), default: 100, help: "How many identifiers a call has.")

  static let root = Command(
    "onside-catalogue", summary: "Makes and measures large catalogues.",
    subcommands: [
      Command(
        "generate", summary: "Writes a large catalogue in JSON Lines for measurements.",
        elements: [products, output],
        exitCodes: [(.success, nil), (.usage, nil), (.file, nil)]),
      Command(
        "measure", summary: "Times look-ups in a generated catalogue, without a server.",
        elements: [products, calls, identifiers],
        exitCodes: [(.success, nil), (.usage, nil), (.resources, nil)]),
    ])
}
