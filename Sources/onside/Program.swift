import Flags
import OnsideClient
import RPCClient

/// One run of the program: connects, does what was asked, prints, and keeps the session.
struct Program {
  let options: OnsideCommand
  let arguments: ParsedArguments
  let sessions: SessionFile
  let access: ServerAccess

  init(_ options: OnsideCommand, _ arguments: ParsedArguments) {
    self.options = options
    self.arguments = arguments
    access = ServerAccess(options: options, arguments: arguments)
    sessions = access.sessions
  }

  /// Does what was asked.
  func run() async throws(Failure) {
    let method = try paymentMethod()
    let kept = try keptSession()
    let configuration = try access.configuration()
    let connection = try access.connect(policies: .marketplace)
    let client = OnsideClient(invoker: connection.client, configuration: configuration)
    let result: Result<Void, Failure>
    do throws(Failure) {
      try await perform(on: client, kept, method)
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await connection.close()
    // A session that the service doesn't know any more is no use to the next run either.
    if kept != nil, client.session == nil { try forgetSession() }
    try result.get()
  }

  private func perform(
    on client: OnsideClient, _ kept: Session?, _ method: PaymentMethod?
  ) async throws(Failure) {
    if arguments.path.first == "login" { return try await logIn(client) }
    do throws(OnsideError) {
      if let kept { try client.resume(kept) }
      try await perform(on: client, method)
    } catch {
      throw Failure(error)
    }
  }

  /// Does what isn't a login.
  private func perform(
    on client: OnsideClient, _ method: PaymentMethod?
  ) async throws(OnsideError) {
    switch arguments.path.first {
    case "logout": try await logOut(client)
    case "profile": show(try await client.profile())
    case "products": show(try await client.products(arguments[options.products]))
    case "buy":
      if let method { try await buy(client, with: method) }
    case "transactions":
      show(try await client.transactions(unfinishedOnly: arguments[options.unfinished]))
    case "finish":
      show(try await client.finish(transactionID: arguments[options.transaction]), "finished")
    default: preconditionFailure("a command that isn't declared")
    }
  }

  /// How `buy` pays; nil for the other commands.
  private func paymentMethod() throws(Failure) -> PaymentMethod? {
    guard arguments.path.first == "buy" else { return nil }
    switch (arguments[options.applePay], arguments[options.card]) {
    case (let token?, nil): return .applePay(token: token)
    case (nil, let token?): return .card(token: token)
    default: throw Failure(.usage, "give one of --apple-pay TOKEN and --card TOKEN")
    }
  }

  /// The session of an earlier run with this server and app; a login starts without one.
  private func keptSession() throws(Failure) -> Session? {
    guard arguments.path.first != "login" else { return nil }
    let content: SessionFile.Content?
    do throws(SessionFile.Problem) {
      content = try sessions.load()
    } catch {
      throw Failure(error)
    }
    guard let content else { return nil }
    guard content.target == arguments[options.target], content.appID == arguments[options.app]
    else {
      throw Failure(
        .session,
        "the session in \(sessions.path) is with \(content.target) for \(content.appID); "
          + "name them with --target and --app, or log in again")
    }
    return Session(
      token: content.token, profileID: content.profileID,
      expiresAtMilliseconds: content.expiresAtMilliseconds)
  }

  func keep(_ session: Session) throws(Failure) {
    do throws(SessionFile.Problem) {
      try sessions.save(
        SessionFile.Content(
          target: arguments[options.target], appID: arguments[options.app], token: session.token,
          profileID: session.profileID, expiresAtMilliseconds: session.expiresAtMilliseconds))
    } catch {
      throw Failure(error)
    }
  }

  func forgetSession() throws(Failure) {
    do throws(SessionFile.Problem) {
      try sessions.remove()
    } catch {
      throw Failure(error)
    }
  }
}
