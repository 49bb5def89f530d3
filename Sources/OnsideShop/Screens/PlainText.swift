/// Texts of others on their way to a terminal.
enum PlainText {
  /// The text without what a terminal would act on.
  static func of(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }
}
