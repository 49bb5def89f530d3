/// Which of a server's addresses a client uses, and how it spreads its calls over them.
public enum Balancing: Sendable, Hashable {
  /// The first address, in the order of the look-up, that a connection can be made to. The others
  /// are for when it fails.
  case pickFirst

  /// All addresses in turn.
  case roundRobin

  /// All addresses; each call goes where the fewest are under way.
  case leastLoaded
}

/// Picks the connection for a call.
package struct Picker: Sendable {
  private let balancing: Balancing
  private var turn = 0

  package init(_ balancing: Balancing) { self.balancing = balancing }

  /// The index of one of `count` connections; `count` must be at least 1.
  ///
  /// - Parameter load: How many calls are under way on the connection with that index.
  package mutating func pick(_ count: Int, load: (Int) -> Int) -> Int {
    turn = turn + 1 < count ? turn + 1 : 0
    switch balancing {
    case .roundRobin: return turn
    case .pickFirst:
      // All lead to one server: the less busy of two in turn is close to the best, however many.
      let next = turn + 1 < count ? turn + 1 : 0
      return load(next) < load(turn) ? next : turn
    case .leastLoaded:
      var best = turn
      var least = load(turn)
      for step in 1..<max(1, count) where least > 0 {
        let index = turn + step < count ? turn + step : turn + step - count
        let load = load(index)
        if load < least { (best, least) = (index, load) }
      }
      return best
    }
  }
}
