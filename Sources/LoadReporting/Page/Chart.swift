/// A chart of lines: an SVG that is stretched to the room that there is, with its labels beside it
/// as text, so that they keep their size on every screen.
struct Chart {
  /// How values are drawn.
  enum Form: String {
    case line, dashed, dotted, area, bars
  }

  /// One figure's values; nil: none at that place.
  struct Line {
    var name: String
    /// A colour of the style sheet, 1 to 6.
    var colour: Int
    var form = Form.line
    var values: [Double?]
    /// How a value is written.
    var wording: (Double) -> String
  }

  let name: String
  let title: String

  /// What is to be seen, in words.
  let summary: String
  let horizontal: Axis
  let vertical: Axis

  /// Where the values stand, and how each place is called.
  let places: [(value: Double, label: String)]
  let lines: [Line]

  /// A part at the left that doesn't count: the warm-up.
  var shadedTo: Double?

  private static let width = 1000.0
  private static let height = 300.0

  var markup: Markup {
    let shown = lines.filter { $0.values.contains { $0 != nil } }
    return """
      <figure class="chart" data-x="\(places.map(\.label).joined(separator: "|"))" \
      data-at="\(places.map { place($0.value) }.joined(separator: "|"))">
      <figcaption><h3>\(title)</h3><span class="legend">\(shown.map(legend))</span></figcaption>
      <div class="plot"><div class="y" aria-hidden="true">\(verticalLabels)</div>
      <div class="field">
      <svg viewBox="0 0 1000 300" preserveAspectRatio="none" role="img" \
      aria-labelledby="\(name)-t \(name)-d"><title id="\(name)-t">\(title)</title>\
      <desc id="\(name)-d">\(summary)</desc>
      \(shade)\(grid)\(shown.map(drawing))</svg>
      <div class="x" aria-hidden="true">\(horizontalLabels)</div></div></div>
      </figure>

      """
  }

  private func legend(_ line: Line) -> Markup {
    "<span class=\"key c\(line.colour) \(line.form.rawValue)\"><i></i>\(line.name)</span>"
  }

  private var verticalLabels: [Markup] {
    vertical.ticks.map { tick in
      "<span style=\"bottom:\(percent(tick.place))\">\(tick.label)</span>"
    }
  }

  private var horizontalLabels: [Markup] {
    let ticks = horizontal.ticks
    // On a narrow screen there isn't room for all; the label at the end stands beside its line.
    var next = 1.27
    let isMinor = ticks.reversed().map { tick in
      let hasRoom = next - tick.place >= (next == 1 ? 0.26 : 0.19)
      if hasRoom { next = tick.place }
      return !hasRoom
    }
    return zip(ticks, isMinor.reversed()).map { tick, isMinor in
      var looks = tick.place > 0.97 ? "end" : tick.place < 0.03 ? "start" : ""
      if isMinor { looks += " minor" }
      return "<span class=\"\(looks)\" style=\"left:\(percent(tick.place))\">\(tick.label)</span>"
    }
  }

  private var shade: Markup {
    guard let shadedTo, shadedTo > 0 else { return "" }
    let width = number(horizontal.place(of: shadedTo) * Chart.width)
    return "<rect class=\"warm\" x=\"0\" y=\"0\" width=\"\(width)\" height=\"300\"/>\n"
  }

  private var grid: Markup {
    let across = vertical.ticks.map { "M0 \(number((1 - $0.place) * Chart.height))H1000" }
    let down = horizontal.ticks.map { "M\(number($0.place * Chart.width)) 0V300" }
    return """
      <path class="grid" d="\(across.joined())"/><path class="grid thin" d="\(down.joined())"/>

      """
  }

  private func drawing(_ line: Line) -> Markup {
    let words = line.values.map { $0.map(line.wording) ?? Wording.nothing }.joined(separator: "|")
    let path: String
    var fill: Markup = ""
    switch line.form {
    case .bars: path = bars(line.values)
    case .area:
      path = outline(line.values)
      fill = "<path class=\"fill c\(line.colour)\" d=\"\(filled(line.values))\"/>"
    default: path = outline(line.values)
    }
    return """
      <g data-name="\(line.name)" data-v="\(words)">\(fill)<path \
      class="line c\(line.colour) \(line.form.rawValue)" d="\(path)"/></g>

      """
  }

  private func point(_ index: Int, _ value: Double) -> String {
    "\(place(places[index].value)) \(number((1 - vertical.place(of: value)) * Chart.height))"
  }

  private func outline(_ values: [Double?]) -> String {
    var path = ""
    var isDrawing = false
    for (index, value) in values.enumerated() {
      guard let value else {
        isDrawing = false
        continue
      }
      // A point by itself is drawn by its round ends.
      path += isDrawing ? "L\(point(index, value))" : "M\(point(index, value))h0"
      isDrawing = true
    }
    return path
  }

  private func filled(_ values: [Double?]) -> String {
    var path = ""
    var isOpen = false
    for (index, value) in values.enumerated() {
      if let value {
        path += isOpen ? "L" : "M\(place(places[index].value)) 300L"
        path += point(index, value)
        isOpen = true
      } else if isOpen {
        path += "V300Z"
        isOpen = false
      }
    }
    return isOpen ? path + "V300Z" : path
  }

  private func bars(_ values: [Double?]) -> String {
    values.enumerated().map { index, value in
      guard let value, value > 0 else { return "" }
      let top = number((1 - vertical.place(of: value)) * Chart.height)
      return "M\(place(places[index].value)) 300V\(top)"
    }.joined()
  }

  private func place(_ value: Double) -> String {
    number(horizontal.place(of: value) * Chart.width)
  }

  private func number(_ value: Double) -> String { rounded(value, places: 1) }

  private func percent(_ place: Double) -> String { "\(rounded(place * 100, places: 2))%" }
}
