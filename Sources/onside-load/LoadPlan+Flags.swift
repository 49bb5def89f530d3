import Flags
import LoadGenerator
import LoadReporting
import RPCTransport

extension LoadPlan {
  /// The plan that a command line describes.
  init(_ arguments: ParsedArguments, applicationKey: String?) {
    self.init(scenario: LoadScenario(rawValue: arguments[LoadFlags.scenario]) ?? .sessionReturn)
    connections = arguments[LoadFlags.connections]
    inFlight = arguments[LoadFlags.inFlight]
    callLimit = arguments[LoadFlags.calls]
    let isCounted = callLimit != nil
    duration = (arguments[LoadFlags.duration] ?? (isCounted ? nil : 10)).map { .seconds($0) }
    warmup = .seconds(arguments[LoadFlags.warmup] ?? (isCounted ? 0 : 1))
    timeout = .seconds(arguments[LoadFlags.timeout])
    appID = arguments[LoadFlags.app]
    appKey = applicationKey
    users = arguments[LoadFlags.users]
    identifiersPerCall = arguments[LoadFlags.identifiers]
    unknownShare = arguments[LoadFlags.unknownShare]
    applePayToken = arguments[LoadFlags.applePayToken]
    resumption = Resumption(rawValue: arguments[LoadFlags.resume]) ?? .on
    seed = arguments[LoadFlags.seed].map { UInt64($0) } ?? UInt64.random(in: 0...UInt64(UInt32.max))
    serverProcess = arguments[LoadFlags.serverPID].map { Int32($0) }
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
    }
  }
}
