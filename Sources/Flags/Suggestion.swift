/// " (did you mean X?)" if one of the words is near enough, else nothing.
func suggestion(for word: String, among known: [String]) -> String {
  // Long words have no near neighbour among flags; the distance is quadratic.
  guard word.utf8.count <= 64 else { return "" }
  let ranked = known.map { (distance: editDistance(Array(word.utf8), Array($0.utf8)), word: $0) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }),
    best.distance <= max(1, best.word.utf8.count / 3)
  else { return "" }
  return "; did you mean \(best.word)?"
}

/// How many letters have to be inserted, removed, replaced or swapped with their neighbour.
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var twoBack: [Int] = []
  var previous = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var best = min(previous[j + 1], row[j]) + 1
      best = min(best, previous[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        best = min(best, twoBack[j - 1] + 1)
      }
      row.append(best)
    }
    twoBack = previous
    previous = row
  }
  return previous[b.count]
}

/// In quotes, with control characters escaped and cut to a length that fits on a line.
func quoted(_ text: String) -> String {
  var shown = "\""
  for scalar in text.unicodeScalars.prefix(200) {
    let isControl = scalar.properties.generalCategory == .control
    shown +=
      isControl || scalar == "\"" || scalar == "\\"
      ? scalar.escaped(asASCII: true) : String(scalar)
  }
  return shown + (text.unicodeScalars.count > 200 ? "…\"" : "\"")
}
