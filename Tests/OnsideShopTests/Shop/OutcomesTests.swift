import Foundation
import OnsideClient
import Testing

@testable import OnsideShop

@Suite("Waiting for an outcome, but not for ever", .timeLimit(.minutes(1)))
struct OutcomesTests {
  private let id = UUID()

  @Test("What happens before or after the wait has begun ends it")
  func happened() async {
    let outcomes = Outcomes(patience: .seconds(3_600))
    outcomes.happened(.purchase(id))
    #expect(await outcomes.wait(for: .purchase(id)))
    outcomes.happened(.restore)
    async let waiting = outcomes.wait(for: .purchase(id))
    while !outcomes.isAwaited { await Task.yield() }
    outcomes.happened(.reminder(id))
    outcomes.happened(.purchase(id))
    #expect(await waiting)
  }

  @Test("What was forgotten is waited for; patience has an end")
  func patience() async {
    let outcomes = Outcomes(patience: .zero, pause: { _ in })
    outcomes.happened(.restore)
    outcomes.forget(.restore)
    #expect(!(await outcomes.wait(for: .restore)))
  }

  @Test("The time doesn't run while a person pays")
  func sheets() async {
    let outcomes = Outcomes(patience: .zero, pause: { _ in })
    outcomes.sheetIsShown()
    async let waiting = outcomes.wait(for: .purchase(id))
    while !outcomes.isAwaited { await Task.yield() }
    outcomes.happened(.purchase(id))
    #expect(await waiting)
    outcomes.sheetIsAnswered()
    #expect(!(await outcomes.wait(for: .restore)))
  }
}
