import RPC

/// The test service.
struct EchoHandlers: EchoService {
  let gates = Gates()

  func echo(_ request: EchoMessage, context: ServerContext) async throws -> EchoMessage {
    for entry in context.metadata.entries where entry.key.hasPrefix("echo-") {
      switch entry.value {
      case .ascii(let text):
        try context.initialMetadata.add("initial-" + entry.key, text)
        try context.trailingMetadata.add("trailing-" + entry.key, text)
      case .binary(let bytes):
        try context.initialMetadata.add("initial-" + entry.key, binary: bytes)
        try context.trailingMetadata.add("trailing-" + entry.key, binary: bytes)
      }
    }
    return request
  }

  func fail(_ request: FailRequest, context: ServerContext) async throws -> EchoMessage {
    guard request.code != 0 else { throw SecretError(text: request.message) }
    throw RPCError(
      StatusCode(rawValue: request.code), request.message,
      info: ErrorInfo(reason: "AS_TOLD", domain: "test", values: ["code": "\(request.code)"]))
  }

  func wait(_ request: WaitRequest, context: ServerContext) async throws -> EchoMessage {
    await gates.pass(request.gate, context)
    return EchoMessage(text: context.isCancelled ? "cancelled" : "let go")
  }

  func chat(
    _ requests: RequestStream<EchoMessage>, responses: ResponseWriter<EchoMessage>,
    context: ServerContext
  ) async throws {
    for try await request in requests { try await responses.send(request) }
  }

  func `repeat`(
    _ request: RepeatRequest, responses: ResponseWriter<EchoMessage>, context: ServerContext
  ) async throws {
    var message = EchoMessage(payload: [UInt8](repeating: 7, count: Int(request.size)))
    for number in 0..<request.count {
      message.text = "\(number)"
      try await responses.send(message)
    }
    guard request.code == 0 else {
      throw RPCError(
        StatusCode(rawValue: request.code), "as told",
        info: ErrorInfo(reason: "AS_TOLD", domain: "test"))
    }
  }

  func gather(
    _ requests: RequestStream<EchoMessage>, context: ServerContext
  ) async throws -> EchoMessage {
    var sum = EchoMessage()
    for try await request in requests {
      sum.text += request.text
      sum.payload = request.payload
    }
    return sum
  }

  func secret(_ request: EchoMessage, context: ServerContext) async throws -> EchoMessage {
    request
  }
}

/// An error that says something that no caller may read.
struct SecretError: Error {
  var text: String
}

/// Holds calls until they are let go or cancelled, and tells when that many are held.
final class Gates: Sendable {
  private struct State {
    var held: [String: [CheckedContinuation<Void, Never>]] = [:]
    var open: Set<String> = []
    var entered: [String: Int] = [:]
    var reasons: [CallCancellation] = []
    var watchers: [(@Sendable (borrowing State) -> Bool, CheckedContinuation<Void, Never>)] = []

    mutating func tell() -> [CheckedContinuation<Void, Never>] {
      var told: [CheckedContinuation<Void, Never>] = []
      var left: [(@Sendable (borrowing State) -> Bool, CheckedContinuation<Void, Never>)] = []
      for watcher in watchers {
        if watcher.0(self) { told.append(watcher.1) } else { left.append(watcher) }
      }
      watchers = left
      return told
    }
  }

  private let state = Locked(State())

  /// Waits at a gate; a cancelled call is let through.
  func pass(_ gate: String, _ context: ServerContext) async {
    context.onCancellation { reason in
      let (held, told) = self.state.withLock { state in
        state.reasons.append(reason)
        return (state.held.removeValue(forKey: gate) ?? [], state.tell())
      }
      for continuation in held + told { continuation.resume() }
    }
    await withCheckedContinuation { continuation in
      let (passes, told) = state.withLock { state in
        state.entered[gate, default: 0] += 1
        let passes = state.open.contains(gate) || context.isCancelled
        if !passes { state.held[gate, default: []].append(continuation) }
        return (passes, state.tell())
      }
      if passes { continuation.resume() }
      for continuation in told { continuation.resume() }
    }
  }

  /// Waits at a gate, cancelled or not.
  func hold(_ gate: String) async {
    await withCheckedContinuation { continuation in
      let passes = state.withLock { state in
        let passes = state.open.contains(gate)
        if !passes { state.held[gate, default: []].append(continuation) }
        return passes
      }
      if passes { continuation.resume() }
    }
  }

  /// Lets everybody through, now and later.
  func open(_ gate: String) {
    let held = state.withLock { state in
      state.open.insert(gate)
      return state.held.removeValue(forKey: gate) ?? []
    }
    for continuation in held { continuation.resume() }
  }

  /// Waits until that many calls have come to a gate.
  func hasEntered(_ gate: String, _ count: Int = 1) async {
    await watch { $0.entered[gate, default: 0] >= count }
  }

  /// Waits until that many calls were cancelled, and returns why.
  func cancellations(_ count: Int = 1) async -> [CallCancellation] {
    await watch { $0.reasons.count >= count }
    return state.withLock { $0.reasons }
  }

  private func watch(_ isDone: @escaping @Sendable (borrowing State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let done = state.withLock { state in
        if isDone(state) { return true }
        state.watchers.append((isDone, continuation))
        return false
      }
      if done { continuation.resume() }
    }
  }
}
