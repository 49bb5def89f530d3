import LoadReporting

/// Draws different products of a pool, and how many of them external profiles can't buy.
struct ProductChoice {
  private let count: Int
  private let split: (wanted: Int, offered: [Int], others: [Int])?

  /// - Parameter notOffered: how many of those that are drawn external profiles can't buy; nil: as
  ///   it comes.
  init(_ pool: ProductPool, notOffered: Int?) {
    count = pool.items.count
    split = notOffered.map { wanted in
      let (offered, others) = pool.splitPlaces
      return (wanted, offered, others)
    }
  }

  /// Places in the pool; fewer than `number` only where the pool hasn't enough of a kind.
  ///
  /// - Parameter number: no more than there are items.
  func take(_ number: Int, random: inout SeededRandom) -> Set<Int> {
    var taken: Set<Int> = []
    guard let (wanted, offered, others) = split else {
      while taken.count < number { taken.insert(Int.random(in: 0..<count, using: &random)) }
      return taken
    }
    fill(&taken, upTo: min(wanted, number, others.count), from: others, &random)
    fill(&taken, upTo: min(number, taken.count + offered.count), from: offered, &random)
    return taken
  }

  private func fill(
    _ taken: inout Set<Int>, upTo size: Int, from places: [Int], _ random: inout SeededRandom
  ) {
    while taken.count < size, let place = places.randomElement(using: &random) {
      taken.insert(place)
    }
  }
}
