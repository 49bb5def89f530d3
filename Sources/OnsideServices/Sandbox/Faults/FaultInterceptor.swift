import OnsideDomain
import OnsideProto
import OnsideStore
import ProtobufWire
import RPC
import Synchronization

/// Makes calls fail as the fault rules say.
///
/// Calls of `SandboxService` never match a rule: whoever has made one can remove it again. Nor do
/// those of `OperationsService`: what the rules do can be watched.
final class FaultInterceptor: ServerInterceptor {
  let rules = Mutex(FaultRules())
  private static let spared = [
    SandboxServiceMethods.descriptor.name, OperationsServiceMethods.descriptor.name,
  ]
  private let store: any Store

  /// - Parameter store: Is asked for a profile's external user when a rule is about one.
  init(store: any Store) {
    self.store = store
  }

  func intercept<Request: Message, Response: Message>(
    _ request: Request, context: ServerContext,
    next: @Sendable (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard let fault = await fault(for: context, request) else {
      return try await next(request, context)
    }
    try await begin(fault, context)
    guard fault.effect == .dropReply else { return try await next(request, context) }
    // Whatever became of it, the caller never knows.
    _ = try? await next(request, context)
    throw RPCError(droppedReplyBy: fault)
  }

  func interceptStream(
    context: ServerContext, next: @Sendable (ServerContext) async throws -> Void
  ) async throws {
    guard let fault = await fault(for: context, nil) else { return try await next(context) }
    try await begin(fault, context)
    guard fault.effect == .dropReply else { return try await next(context) }
    _ = try? await next(context)
    throw RPCError(droppedReplyBy: fault)
  }

  /// Does what comes before the handler.
  ///
  /// - Throws: What the call is answered with when the handler isn't to run.
  private func begin(_ fault: Fault, _ context: ServerContext) async throws {
    if fault.delayMilliseconds > 0 {
      try await Task.sleep(for: .milliseconds(fault.delayMilliseconds))
    }
    switch fault.effect {
    case .answer(let answer): throw RPCError(answer, of: fault)
    case .cutConnection:
      context.cutConnection()
      throw RPCError(.unavailable, "the connection was cut by fault rule \(fault.id)")
    case .dropReply, nil: break
    }
  }

  private func fault(for context: ServerContext, _ request: (any Message)?) async -> Fault? {
    let method = context.method
    guard !Self.spared.contains(method.service) else { return nil }
    let questions = rules.withLock { $0.questions(about: method.path) }
    let call = await candidate(context, request, questions)
    return rules.withLock { $0.decide(call) }
  }

  /// The call as rules look at it.
  private func candidate(
    _ context: ServerContext, _ request: (any Message)?, _ questions: FaultRules.Questions
  ) async -> FaultCandidate {
    var call = FaultCandidate(method: context.method.path)
    if let session = context.principal as? Session {
      call.appID = session.appID
      call.profileID = session.profileID
      guard questions.contains(.externalUser) else { return call }
      let profile = try? await store.findProfile(
        session.profileID, options: context.storeOptions)
      call.externalUserID = profile?.externalUserID
      return call
    }
    let named = request.map(NamedInRequest.init)
    call.appID = named?.appID
    call.externalUserID = named?.externalUserID
    if questions.contains(.profile), let app = named?.appID, let user = named?.externalUserID {
      let profile = try? await store.findProfile(
        appID: app, externalUserID: user, options: context.storeOptions)
      call.profileID = profile?.id
    }
    return call
  }
}

/// Whom a request without a session names.
private struct NamedInRequest {
  var appID: String?
  var externalUserID: String?

  init(_ request: any Message) {
    switch request {
    case let request as CreateSessionRequest:
      appID = request.appID
      if case .externalUserID(let user)? = request.credential { externalUserID = user }
    case let request as SendPhoneCodeRequest: appID = request.appID
    case let request as BeginStoreLoginRequest: appID = request.appID
    case let request as ListProductsRequest: appID = request.appID
    case let request as GetAttributionRequest: appID = request.appID
    case let request as TrackEventsRequest: appID = request.appID
    default: break
    }
  }
}

extension RPCError {
  /// What a rule answers with.
  fileprivate init(_ answer: Fault.Answer, of fault: Fault) {
    let code = StatusCode(rawValue: answer.code)
    guard !answer.reason.isEmpty else {
      self.init(code, answer.message)
      return
    }
    self.init(
      code, answer.message,
      info: ErrorInfo(
        reason: answer.reason, domain: RefusalReason.domain, values: ["fault_id": fault.id]))
  }

  fileprivate init(droppedReplyBy fault: Fault) {
    self.init(.unavailable, "the reply was lost: fault rule \(fault.id)")
  }
}
