import Flags
import OnsideProto
import RPC

extension SandboxProgram {
  func addFault() throws(Failure) -> Step {
    let rule = FaultRule(
      match: FaultMatch(
        method: arguments[flags.method] ?? "", appID: givenApp,
        profileID: arguments[flags.profile] ?? "",
        externalUserID: arguments[flags.externalID] ?? ""),
      skip: UInt32(clamping: arguments[flags.skip]),
      count: UInt32(clamping: arguments[flags.count]),
      delayMs: UInt32(clamping: Int((arguments[flags.delay] * 1_000).rounded())),
      effect: try effect())
    return { service throws(RPCError) in
      let answer = try await service.addFault(AddFaultRequest(rule: rule), options: callOptions)
      let added = answer.rule ?? FaultRule()
      show(JSON.object(added), "\(added.faultID): \(added.effectText)")
    }
  }

  private func effect() throws(Failure) -> FaultRule.Effect? {
    let (status, message) = (arguments[flags.status], arguments[flags.message])
    let reason = arguments[flags.reason]
    let (drops, cuts) = (arguments[flags.dropReply], arguments[flags.cutConnection])
    guard [status != nil, drops, cuts].count(where: { $0 }) <= 1 else {
      throw Failure(.usage, "give one of --status CODE, --drop-reply and --cut-connection")
    }
    guard let status else {
      guard message == nil, reason == nil else {
        throw Failure(.usage, "--message and --reason belong to --status CODE; give that too")
      }
      if drops { return .dropReply(true) }
      if cuts { return .cutConnection(true) }
      guard arguments[flags.delay] > 0 else {
        throw Failure(
          .usage,
          "the rule does nothing; give --status CODE, --drop-reply, --cut-connection or --delay "
            + "SECONDS")
      }
      return nil
    }
    return .status(
      FaultStatus(
        code: UInt32(clamping: status), message: message ?? "as a fault rule says",
        reason: reason ?? ""))
  }

  func listFaults(_ service: SandboxServiceClient) async throws(RPCError) {
    let rules = try await service.listFaults(ListFaultsRequest(), options: callOptions).rules
    var table = Table(
      header: ["fault", "calls", "skip", "count", "effect", "matched", "fired"],
      rightAligned: [2, 3, 5, 6])
    for rule in rules {
      table.add([
        rule.faultID, rule.matchText, String(rule.skip),
        rule.count == 0 ? "any" : String(rule.count), rule.effectText, String(rule.matched),
        String(rule.fired),
      ])
    }
    show(rules.map(JSON.object), rules.isEmpty ? "no fault rules" : table.text)
  }

  func removeFaults() throws(Failure) -> Step {
    let fault = arguments[flags.fault]
    guard (fault != nil) != arguments[flags.all] else {
      throw Failure(.usage, "give one of FAULT and --all")
    }
    return { service throws(RPCError) in
      let removed = try await service.removeFaults(
        RemoveFaultsRequest(faultID: fault ?? ""), options: callOptions
      ).removed
      show(["removed": removed], "removed: \(removed)")
    }
  }
}

extension FaultRule {
  /// Which calls it matches, for people.
  fileprivate var matchText: String {
    let match = match ?? FaultMatch()
    let parts = [
      match.method.replacing("onside.v1.", with: ""),
      match.appID.isEmpty ? "" : "app \(match.appID)",
      match.profileID.isEmpty ? "" : "profile \(match.profileID)",
      match.externalUserID.isEmpty ? "" : "user \(match.externalUserID)",
    ].filter { !$0.isEmpty }
    return parts.isEmpty ? "all" : parts.joined(separator: ", ")
  }

  /// What it does, for people.
  fileprivate var effectText: String {
    let delay = delayMs == 0 ? [] : ["waits \(delayMs) ms"]
    let effect: [String] =
      switch effect {
      case .status(let status):
        [
          "answers \(StatusCode(rawValue: status.code))"
            + (status.reason.isEmpty ? "" : " (\(status.reason))")
        ]
      case .dropReply: ["drops the reply"]
      case .cutConnection: ["cuts the connection"]
      case nil: []
      }
    return (delay + effect).joined(separator: ", ")
  }
}
