/// How a JSON text is read.
public struct JSONReadingOptions: Sendable {
  /// True: names that the type doesn't have, and names of values that an enumeration doesn't have,
  /// are skipped. False, the default: they are errors.
  public var ignoresUnknownFields = false

  /// How many objects and arrays may be in each other. 100 by default.
  public var maximumDepth = 100

  /// The line in which the text begins, for errors. 1 by default.
  public var firstLine = 1

  /// The defaults.
  public init() {}
}

/// How a message is written as JSON.
public struct JSONWritingOptions: Sendable {
  /// True, the default: members on lines of their own, indented by two spaces. False: one line.
  public var isIndented = true

  /// True: fields have their names of the schema, `app_id`. False, the default: `appId`.
  public var usesSchemaNames = false

  /// True: values of enumerations are numbers. False, the default: names, where they have one.
  public var writesEnumNumbers = false

  /// True: fields without presence are written also where they have their default value. False, the
  /// default: they are left out.
  public var includesDefaults = false

  /// True: a `google.protobuf.Any` whose type isn't in the pool is written with its bytes as
  /// `@value`, in base64, which can't be read back. False, the default: it is an error.
  public var showsUnknownAny = false

  /// The defaults.
  public init() {}
}
