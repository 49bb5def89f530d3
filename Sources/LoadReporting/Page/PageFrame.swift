/// What every page has around its content. A page needs nothing from elsewhere, and its policy
/// forbids it: no network, no plug-ins, no forms.
struct PageFrame {
  let title: String
  let content: Markup

  var text: String {
    let frame: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
      style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
      form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <link rel="icon" href="data:,">
      <title>\(title)</title>
      <style>
      \(Markup(stringLiteral: PageStyle.text))</style>
      </head>
      <body>
      <main>
      \(content)</main>
      <script>
      \(Markup(stringLiteral: PageScript.text))</script>
      </body>
      </html>

      """
    return frame.text
  }
}

extension PageFrame {
  /// A part with a title.
  static func section(_ title: String, _ content: Markup, note: Markup? = nil) -> Markup {
    guard !content.text.isEmpty else { return "" }
    let remark: Markup = note.map { "<p class=\"note\">\($0)</p>\n" } ?? ""
    return "<section>\n<h2>\(title)</h2>\n\(remark)\(content)</section>\n"
  }

  /// Names and what they stand for; those without a value are left out.
  static func facts(_ facts: [(name: String, value: Markup?)]) -> Markup {
    let rows = facts.compactMap { name, value -> Markup? in
      value.map { "<div><dt>\(name)</dt><dd>\($0)</dd></div>\n" }
    }
    return rows.isEmpty ? "" : "<dl class=\"facts\">\n\(rows)</dl>\n"
  }
}
