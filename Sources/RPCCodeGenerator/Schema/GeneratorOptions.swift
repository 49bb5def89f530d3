/// What stands before the colon of `--rpc-swift_out=OPTIONS:FOLDER`, or in `--rpc-swift_opt`.
struct GeneratorOptions {
  /// `visibility=public` (the default), `package` or `internal`.
  var visibility = "public"

  /// `services=true` (the default) or `false`: messages only, for a module that doesn't import RPC.
  var services = true

  /// `messages=true` (the default) or `false`: no messages, enumerations and services, for files
  /// that are only handed out.
  var messages = true

  /// `descriptors=true` (the default) or `false`: without the files themselves, which reflection
  /// hands out.
  var descriptors = true

  /// `comments=true` (the default) or `false`: whether the files for reflection have theirs.
  var comments = true

  /// `import=MODULE`, as often as needed: modules that hold what imported files generate.
  var imports: [String] = []

  /// The default options.
  init() {}

  /// Reads options separated by commas.
  ///
  /// - Throws: `GenerationError` that names the option and what it may be.
  init(_ parameter: String) throws(GenerationError) {
    for option in parameter.split(separator: ",") {
      let parts = option.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw GenerationError("option \"\(option)\": expected NAME=VALUE")
      }
      try apply(parts[0], parts[1])
    }
  }

  private mutating func apply(_ name: String, _ value: String) throws(GenerationError) {
    switch (name, value) {
    case ("visibility", "public"), ("visibility", "package"), ("visibility", "internal"):
      visibility = value
    case ("services", "true"), ("services", "false"): services = value == "true"
    case ("messages", "true"), ("messages", "false"): messages = value == "true"
    case ("descriptors", "true"), ("descriptors", "false"): descriptors = value == "true"
    case ("comments", "true"), ("comments", "false"): comments = value == "true"
    case ("import", _): imports.append(value)
    default:
      throw GenerationError(
        "option \"\(name)=\(value)\": expected visibility=public|package|internal, "
          + "services|messages|descriptors|comments=true|false or import=MODULE")
    }
  }
}

/// Why no code can be generated: a text for the author of the `.proto` file.
struct GenerationError: Error {
  let text: String

  init(_ text: String) {
    self.text = text
  }
}
