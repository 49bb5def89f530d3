import Flags
import LoadGenerator
import LoadReporting
import RPCTransport

extension LoadPlan {
  /// The plan that a command line describes.
  ///
  /// - Throws: ``PlanError`` if it contradicts itself.
  init(_ arguments: ParsedArguments, applicationKey: String?) throws(PlanError) {
    let parts = try LoadPlan.parts(arguments)
    self.init(scenario: parts[0].scenario)
    let isPlain = parts.count == 1 && parts[0].settings.isEmpty && parts[0].clients == nil
    if !isPlain { mix = parts }
    let isSearch = arguments.path == ["find-capacity"]
    if !isSearch { callLimit = arguments[LoadFlags.calls] }
    let isCounted = callLimit != nil
    let length = isSearch ? arguments[LoadFlags.probeDuration] : arguments[LoadFlags.duration]
    duration = (length ?? (isCounted ? nil : 10)).map { .seconds($0) }
    warmup = .seconds(arguments[LoadFlags.warmup] ?? (isCounted ? 0 : 1))
    connections = arguments[LoadFlags.connections]
    inFlight = arguments[LoadFlags.inFlight]
    timeout = .seconds(arguments[LoadFlags.timeout])
    appID = arguments[LoadFlags.app]
    appKey = applicationKey
    users = arguments[LoadFlags.users]
    identifiersPerCall = arguments[LoadFlags.identifiers]
    unknownShare = arguments[LoadFlags.unknownShare]
    unsupportedShare = arguments[LoadFlags.unsupportedShare]
    zipf = arguments[LoadFlags.zipf]
    repeatShare = arguments[LoadFlags.repeatShare]
    stepPause = arguments[LoadFlags.stepPause].map { LoadPlan.stepPause(around: .seconds($0)) }
    burst = arguments[LoadFlags.burst]
    watchers = arguments[LoadFlags.watchers]
    serviceTime = ServiceTimeSampling(rawValue: arguments[LoadFlags.serviceTime]) ?? .sampled
    applePayToken = arguments[LoadFlags.applePayToken]
    switch arguments[LoadFlags.resume] {
    case .named(let name): resumption = name
    case .share(let share): resumedShare = share
    }
    seed = arguments[LoadFlags.seed].map { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))
    serverProcess = arguments[LoadFlags.serverPID].map { Int32($0) }
    try setLoop(arguments)
    try check()
  }

  /// The scenario, or those of a mix.
  private static func parts(_ arguments: ParsedArguments) throws(PlanError) -> [MixPart] {
    let scenario = arguments[LoadFlags.scenario].flatMap(LoadScenario.init(rawValue:))
    let ways = [
      scenario.map { [MixPart($0)] } ?? [], arguments[LoadFlags.mix] ?? [],
      arguments[LoadFlags.clients],
    ].filter { !$0.isEmpty }
    guard let parts = ways.first else {
      let names = LoadScenario.allCases.map(\.rawValue).joined(separator: ", ")
      throw PlanError("SCENARIO is needed, or --mix or --client: one of \(names)")
    }
    guard ways.count == 1 else {
      throw PlanError("SCENARIO, --mix and --client exclude each other: give one of them")
    }
    return parts
  }

  private mutating func setLoop(_ arguments: ParsedArguments) throws(PlanError) {
    try setRates(arguments)
    connectionsPerClient = arguments[LoadFlags.connectionsPerClient]
    callsPerConnection = arguments[LoadFlags.callsPerConnection]
    spacing = ArrivalSchedule.Spacing(rawValue: arguments[LoadFlags.spacing]) ?? .constant
    maxInFlight = arguments[LoadFlags.maxInFlight]
    guard isOpenLoop else { return }
    if !arguments.isGiven(LoadFlags.inFlight) {
      // Enough for the calls that are under way at once, whatever --max-in-flight permits.
      inFlight = max(16, ((maxInFlight ?? 0) + connections - 1) / connections)
    }
  }

  private mutating func setRates(_ arguments: ParsedArguments) throws(PlanError) {
    var rates = Rates()
    if arguments.path == ["find-capacity"] {
      // Each probe gets its own rate; until then, that of the first.
      rates.constant = arguments[LoadFlags.fromRate]
      rates.duration = duration
      return try set(rates)
    }
    thinkTime = arguments[LoadFlags.thinkTime]
    atEnd = AtEnd(rawValue: arguments[LoadFlags.atEnd]) ?? .wait
    overload = Overload(rawValue: arguments[LoadFlags.overload]) ?? .queue
    rates.constant = arguments[LoadFlags.rate]
    rates.ramp = arguments[LoadFlags.ramp].map { ($0.from, $0.to) }
    rates.steps = arguments[LoadFlags.steps] ?? []
    rates.stages = arguments[LoadFlags.stages]
    rates.stepDuration = arguments[LoadFlags.stepDuration].map { .seconds($0) }
    rates.duration = arguments[LoadFlags.duration].map { .seconds($0) }
    rates.calls = callLimit
    try set(rates)
  }
}

extension ClientTLS.Configuration {
  /// What a command line says about TLS.
  init(_ arguments: ParsedArguments) {
    self.init(applicationProtocols: ["onside/1"])
    if let file = arguments[LoadFlags.ca] { trust = .file(file) }
    certificateFile = arguments[LoadFlags.certificate]
    keyFile = arguments[LoadFlags.key]
    serverName = arguments[LoadFlags.serverName]
    if arguments[LoadFlags.insecure] { verification = .insecureNone }
  }
}

extension ExitCode {
  /// What a run's outcome ends the process with.
  init(_ verdict: LoadReport.Verdict) {
    switch verdict {
    case .passed: self = .success
    case .failed: self = .failure
    case .checksViolated: self = .checks
    case .interrupted: self = .interrupted
    case .thresholdCrossed: self = .threshold
    case .saturated: self = .saturated
    }
  }

  /// What a run that couldn't begin ends the process with.
  init(_ code: SetupError.Code) {
    switch code {
    case .address, .refused: self = .address
    case .certificate: self = .certificate
    case .resources: self = .resources
    case .products: self = .catalogue
    case .interrupted: self = .interrupted
    case .plan: self = .usage
    }
  }
}
