import OnsideProto
import Testing

@testable import LoadGenerator
import LoadReporting

@Suite struct ServerCounterCheckTests {
  private static let login = "onside.v1.LoginService/CreateSession"

  private func status(_ started: UInt64, _ ok: UInt64, _ failed: UInt64) -> GetServerStatusResponse
  {
    GetServerStatusResponse(methods: [
      MethodStatus(
        method: Self.login, started: started, ok: ok,
        failed: [StatusCount(status: "UNAVAILABLE", count: failed)])
    ])
  }

  private func check(
    _ own: ExchangeCounts, _ before: GetServerStatusResponse, _ after: GetServerStatusResponse
  ) -> ServerCounterCheck {
    ServerCounterCheck([Self.login: own], before: [before], after: [after])
  }

  private func counts(_ started: Int, _ ok: Int, _ refused: Int, _ unstarted: Int = 0)
    -> ExchangeCounts
  {
    ExchangeCounts(started: started, ok: ok, refused: refused, unstarted: unstarted)
  }

  @Test("LG-07 the server's counters are compared as differences")
  func equal() {
    let check = check(counts(103, 100, 2, 1), status(7, 5, 2), status(109, 105, 4))
    #expect(check.result.violations == 0)
    #expect(check.result.checked == 103)
    #expect(check.remarks.isEmpty)
  }

  @Test("LG-07 a call more or less at the server is a violation that names method and numbers")
  func different() {
    let more = check(counts(100, 100, 0), status(0, 0, 0), status(101, 101, 0))
    #expect(more.result.violations == 2)
    #expect(
      more.result.sample
        == "\(Self.login): the server has started 101 calls, and here it is 100")
    let less = check(counts(100, 100, 0), status(0, 0, 0), status(100, 99, 1))
    #expect(less.result.violations == 2)
    #expect(
      check(counts(1, 1, 0), status(0, 0, 0), GetServerStatusResponse()).result.violations > 0)
  }

  @Test("LG-07 calls whose reply was lost may be at the server or not, and are listed")
  func lost() {
    let own = counts(100, 95, 0)
    #expect(own.lost == 5)
    for started in 95...100 {
      let check = check(own, status(0, 0, 0), status(UInt64(started), UInt64(started), 0))
      #expect(check.result.violations == 0)
      #expect(check.remarks.count == 1)
      #expect(check.remarks[0].contains("lost replies of \(Self.login): 5"))
      #expect(check.remarks[0].contains("has started \(started - 95) of"))
    }
    #expect(check(own, status(0, 0, 0), status(101, 95, 0)).result.violations == 1)
  }
}
