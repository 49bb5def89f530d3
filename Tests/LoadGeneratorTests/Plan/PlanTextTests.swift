import Testing

@testable import LoadGenerator

@Suite struct PlanTextTests {
  @Test func stagesAreRead() throws {
    #expect(
      LoadStage(text: "rate=100 for=10s")
        == (try LoadStage(rate: 100, duration: .seconds(10))))
    #expect(
      LoadStage(text: " for=500ms  rate=100..0 ")
        == (try LoadStage(from: 100, to: 0, duration: .milliseconds(500))))
    for text in [
      "", "rate=100", "for=10s", "rate=0 for=1s", "rate=-5 for=1s", "rate=nan for=1s",
      "rate=1..2..3 for=1s", "rate=1 for=0s", "rate=1 for=1s for=2s", "rate=1 for=1s x=2",
      "rate=0..0 for=1s", "rate=0x10 for=1s", "rate=1e9 for=1s",
    ] {
      #expect(LoadStage(text: text) == nil, "\(text)")
    }
  }

  @Test func mixesAreRead() {
    #expect(
      MixPart.mix(text: "session-return=3,product-filter=0.5")
        == [MixPart(.sessionReturn, weight: 3), MixPart(.productFilter, weight: 0.5)])
    for text in [
      "", "session-return", "session-return=0", "session-return=-1", "nothing=1",
      "session-return=1,", "idle=1", "session-return=nan",
    ] {
      #expect(MixPart.mix(text: text) == nil, "\(text)")
    }
  }

  @Test func partsOfAMixAreRead() throws {
    let part = try #require(MixPart(text: "weight=3 session-return users=50"))
    #expect(part.scenario == .sessionReturn)
    #expect(part.weight == 3)
    var plan = LoadPlan(scenario: .sessionReturn)
    plan.mix = [MixPart(.purchase), part]
    #expect(plan.plan(ofPart: 0).users == 1000)
    #expect(plan.plan(ofPart: 1).users == 50)
    #expect(plan.plan(ofPart: 0).seed == plan.seed)
    for text in [
      "", "weight=3", "session-return purchase", "session-return users=0",
      "session-return users=1 users=2", "session-return bogus=1", "session-return weight=0",
      "session-return clients=0", "session-return clients=2 weight=3", "journey step-pause=0",
      "journey step-pause=1d", "storm resume=2", "watch watchers=x", "session-return zipf=11",
      "session-return think-time=2..1", "storm burst=10001", "session-return clients=1 clients=1",
    ] {
      #expect(MixPart(text: text) == nil, "\(text)")
    }
  }

  @Test func partsHaveOptionsOfTheirOwn() throws {
    let texts = [
      "journey clients=4 step-pause=2s think-time=1s..3s repeat-share=0.5", "watch watchers=3",
      "storm burst=7 resume=0.25", "session-return zipf=1.1 users=9",
      "product-filter unsupported-share=0.5 unknown-share=0", "handshake resume=off",
    ]
    var plan = LoadPlan(scenario: .journey)
    plan.zipf = 2
    plan.mix = try texts.map { try #require(MixPart(text: $0), "\($0)") }
    try plan.check()
    let parts = plan.mix.indices.map(plan.plan(ofPart:))
    #expect(plan.mix.map(\.clients) == [4, nil, nil, nil, nil, nil])
    #expect(parts[0].stepPause == 1_000_000_000...3_000_000_000)
    #expect(parts[0].thinkTime == (try ThinkTime(.seconds(1), upTo: .seconds(3))))
    #expect(parts[0].repeatShare == 0.5)
    #expect(parts[1].watchers == 3)
    #expect(parts[1].thinkTime == nil)
    #expect(parts[2].burst == 7)
    #expect(parts[2].resumedShare == 0.25)
    // What a part doesn't set is as for all.
    #expect(parts.map(\.zipf) == [2, 2, 2, 1.1, 2, 2])
    #expect(parts[4].unsupportedShare == 0.5)
    #expect(parts[4].unknownShare == 0)
    #expect(parts[5].resumption == .off)
    #expect(plan.title.hasPrefix("journey (4 clients) + watch 1 + "))
    #expect(plan.connectionsPerSlot == 7)
  }

  @Test func thinkTimesAreRead() throws {
    #expect(ThinkTime(text: "100ms") == (try ThinkTime(.milliseconds(100))))
    #expect(
      ThinkTime(text: "100ms..0.5s")
        == (try ThinkTime(.milliseconds(100), upTo: .milliseconds(500))))
    for text in ["", "1..0.5", "-1", "1..", "..1", "90000"] {
      #expect(ThinkTime(text: text) == nil, "\(text)")
    }
  }

  @Test func contradictionsAreRefused() throws {
    var plan = LoadPlan(scenario: .sessionReturn)
    var rates = LoadPlan.Rates()
    rates.constant = 5
    rates.steps = [1, 2]
    #expect(throws: PlanError.self) { try plan.set(rates) }
    rates.steps = []
    rates.stepDuration = .seconds(1)
    #expect(throws: PlanError.self) { try plan.set(rates) }
    rates.stepDuration = nil
    try plan.set(rates)
    #expect(plan.duration == .seconds(10))
    plan.thinkTime = try ThinkTime(.seconds(1))
    #expect(throws: PlanError.self) { try plan.check() }
    plan.stages = []
    try plan.check()
    plan.maxInFlight = 4
    #expect(throws: PlanError.self) { try plan.check() }
  }

  @Test func shareOfResumedConnectionsIsKeptAllTheTime() {
    var plan = LoadPlan(scenario: .handshake)
    for (share, count) in [(0.0, 0), (0.25, 25), (0.5, 50), (0.95, 95), (1, 100)] {
      plan.resumedShare = share
      var turn = ResumptionTurn(plan)
      #expect((0..<100).count { _ in turn.take() } == count)
    }
    plan.resumedShare = nil
    plan.resumption = .both
    var turn = ResumptionTurn(plan)
    #expect((0..<4).map { _ in turn.take() } == [false, true, false, true])
  }
}
