/// One figure of two runs.
public struct ComparedFigure: Sendable, Equatable {
  /// What became of a figure.
  public enum Verdict: String, Sendable {
    /// The same, or different by no more than noise.
    case noDifference = "no-difference"
    case better, worse

    /// Different by more than noise, and neither better nor worse by itself.
    case different

    /// There is too little to tell.
    case unclear
  }

  /// What a figure is counted in, and how it is written.
  public enum Unit: String, Sendable {
    case microseconds, share, bytes, cores
    case perSecond = "per_second"

    func wording(_ value: Double) -> String {
      switch self {
      case .microseconds: Wording.time(microseconds: value)
      case .share: Wording.percent(value)
      case .bytes: Wording.memory(bytes: value)
      case .cores: Wording.fixed(value, places: 2)
      case .perSecond: "\(Wording.digits(value))/s"
      }
    }
  }

  /// Which direction is the good one.
  enum Wish {
    case less, more, none
  }

  /// For people: "p99".
  public let name: String

  /// What it is counted in.
  public let unit: Unit

  /// Of the first run; nil: it has none.
  public let before: Double?

  /// Of the second run; nil: it has none.
  public let after: Double?

  /// What became of it.
  public let verdict: Verdict

  /// How likely such a difference would be by chance; nil: it wasn't judged in that way.
  public let probability: Double?

  /// By how much it changed, as a share of what it was; nil: it can't be said.
  public var change: Double? {
    guard let before, let after, before != 0 else { return before == after ? 0 : nil }
    return after / before - 1
  }

  /// Changes below this share aren't worth a word, however sure they are.
  static let smallest = 0.01

  init(
    _ name: String, _ unit: Unit, _ before: Double?, _ after: Double?, wish: Wish,
    isSure: Bool?, probability: Double? = nil
  ) {
    self.name = name
    self.unit = unit
    self.before = before
    self.after = after
    self.probability = probability
    verdict = ComparedFigure.verdict(before, after, wish, isSure)
  }

  private static func verdict(
    _ before: Double?, _ after: Double?, _ wish: Wish, _ isSure: Bool?
  ) -> Verdict {
    guard let before, let after else { return before == after ? .noDifference : .unclear }
    if before == after { return .noDifference }
    guard let isSure else { return .unclear }
    let difference = abs(after - before)
    if !isSure || difference < abs(before) * smallest { return .noDifference }
    switch wish {
    case .none: return .different
    case .less: return after < before ? .better : .worse
    case .more: return after > before ? .better : .worse
    }
  }
}
