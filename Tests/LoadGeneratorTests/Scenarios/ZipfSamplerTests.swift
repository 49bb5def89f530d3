import Glibc
import LoadReporting
import Testing

@testable import LoadGenerator

@Suite struct ZipfSamplerTests {
  /// Chi-squared over all ranks: of the right distribution it is about its degrees of freedom, with
  /// a deviation of √(2 × those).
  @Test(arguments: [
    (10, 1.1), (10, 1.0), (50, 0.5), (50, 2.5), (1, 1.1), (2, 1.0), (20, 0.0), (200, 1.3),
  ])
  func ranksComeAsOftenAsTheLawSays(_ count: Int, _ exponent: Double) {
    let seed: UInt64 = 4711
    var random = SeededRandom(seed: seed)
    let sampler = ZipfSampler(count: UInt64(count), exponent: exponent)
    let draws = 200_000
    var seen = [Int](repeating: 0, count: count + 1)
    for _ in 0..<draws { seen[Int(sampler.draw(&random))] += 1 }
    let weights = (1...count).map { pow(Double($0), -exponent) }
    let sum = weights.reduce(0, +)
    var deviation = 0.0
    for rank in 1...count {
      let expected = weights[rank - 1] / sum * Double(draws)
      deviation += (Double(seen[rank]) - expected) * (Double(seen[rank]) - expected) / expected
    }
    let freedom = Double(count - 1)
    #expect(deviation <= freedom + 5 * (2 * freedom).squareRoot(), "seed \(seed)")
    #expect(seen[0] == 0)
  }

  @Test(arguments: [0.0, 0.9, 1.0, 1.1, 5.0])
  func ranksOfManyStayInRange(_ exponent: Double) {
    var random = SeededRandom(seed: 3)
    let sampler = ZipfSampler(count: 10_000_000, exponent: exponent)
    for _ in 0..<10_000 { #expect((1...10_000_000).contains(sampler.draw(&random))) }
  }

  @Test func theSameSeedGivesTheSameUsers() {
    func users(_ lane: Int, _ seed: UInt64) -> [UInt64] {
      var turn = UserTurn(lane: lane, of: 2, known: 1_000, zipf: 1.1, seed: seed)
      return (0..<100).map { _ in turn.take() }
    }
    #expect(users(0, 5) == users(0, 5))
    #expect(users(0, 5) != users(1, 5))
    #expect(users(0, 5) != users(0, 6))
    #expect(users(0, 5).allSatisfy { $0 < 1_000 })
    // By Zipf's law the first of 1,000 makes up 18 of 100, in turn none comes twice.
    #expect(users(0, 5).count { $0 == 0 } > 5)
  }
}
