import Flags
import OnsideProto
import RPC

/// One run of `sandbox`.
struct SandboxProgram {
  let flags: SandboxFlags
  let options: OnsideCommand
  let arguments: ParsedArguments
  private let access: ServerAccess

  init(_ options: OnsideCommand, _ arguments: ParsedArguments) {
    self.options = options
    self.arguments = arguments
    flags = options.sandbox
    access = ServerAccess(options: options, arguments: arguments)
  }

  /// Does what was asked.
  func run() async throws(Failure) {
    // What is wrong with the command line shouldn't cost a connection.
    let step = try step()
    let connection = try access.connect()
    let result: Result<Void, Failure>
    do {
      try await step(SandboxServiceClient(connection.client))
      result = .success(())
    } catch let error as RPCError {
      result = .failure(Failure(error, types: try? SchemaSource.builtIn()))
    } catch {
      result = .failure((error as? Failure) ?? Failure(.failure, "\(error)"))
    }
    await connection.close()
    try result.get()
  }

  /// What to do with the service, once the command line is found right. It throws what the service
  /// answered, as `RPCError`, or a `Failure`.
  typealias Step = (SandboxServiceClient) async throws -> Void

  private func step() throws(Failure) -> Step {
    switch Array(arguments.path.dropFirst()) {
    case ["fault", "add"]: try addFault()
    case ["fault", "list"]: listFaults
    case ["fault", "remove"]: try removeFaults()
    case ["storefront"]: try setStorefront()
    case ["codes"]: listCodes
    case ["logins"]: listLogins
    case ["deferred"]: listDeferred
    case ["approve"]: approve
    case ["decline"]: decline
    case ["account"]: listAccount
    case ["attribution"]: setAttribution
    case ["events"]: listEvents
    default: preconditionFailure("a command that isn't declared")
    }
  }

  /// How each call is made.
  var callOptions: CallOptions {
    CallOptions(timeout: .milliseconds(Int64(arguments[options.timeout] * 1_000)))
  }

  /// The app that was named; empty: none was, and all are meant.
  var givenApp: String {
    arguments.isGiven(options.app) ? arguments[options.app] : ""
  }

  /// Prints a value as JSON, or for people. Names and texts of others lose what terminals obey.
  func show(_ json: @autoclosure () -> Any, _ text: @autoclosure () -> String) {
    let shown = arguments[options.json] ? JSON.text(json()) : Failure.harmless(text())
    print(shown, terminator: shown.hasSuffix("\n") ? "" : "\n")
  }
}
