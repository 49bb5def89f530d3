import Flags
import OnsideProto
import RPC
import RPCClient
import RPCTransport

/// `rpc-bench enumeration`: how long refusals and codes take for known users and for others.
///
/// Were one of them slower, a stranger could find out who has an account. Known and unknown users
/// take turns in random order, one call at a time on one connection, so that whatever else happens
/// on the machine falls on both alike.
struct EnumerationBench {
  private static let target = Flag(required: "target", .hostPort(), help: "where the server is")
  private static let ca = Flag(required: "ca", .file, help: "the certificates to trust (PEM)")
  private static let certificate = Flag(
    required: "admin-certificate", .file, help: "of an administrator, who reads the codes (PEM)")
  private static let key = Flag(
    required: "admin-key", .file, help: "the private key of that certificate (PEM)")
  private static let app = Flag(
    "app", .text("ID"), default: "com.example.shop", help: "an app that is open to anybody")
  private static let keyedApp = Flag(
    "keyed-app", .text("ID"), default: "com.example.keyed", help: "an app that has a key")
  private static let appKey = Flag(
    required: "app-key", .text("KEY"), help: "the key of --keyed-app, to make its users known")
  private static let count = Flag(
    "count", .integer(in: 10...400), default: 200, help: "users of each kind")

  static let command = Command(
    "enumeration", summary: "Whether a known user is answered slower than another.",
    discussion: """
      Needs a server that offers SandboxService, and whose limits let one address ask for three \
      times as many codes as --count says, and be wrong as often. "samples" are nanoseconds, by \
      what was asked and whether the user was known.
      """,
    elements: [target, ca, certificate, key, app, keyedApp, appKey, count])

  /// Asked about each user, known or not, before the samples begin: what is slow the first time is
  /// in none of them.
  private static let warmUp = 20

  /// What a stranger may ask.
  private enum Question: String, CaseIterable {
    case code = "a code is sent"
    case wrongCode = "a wrong code"
    case missingKey = "no app key"
  }

  private struct Samples {
    var known: [Int64] = []
    var unknown: [Int64] = []

    var json: String { "{\"known\":\(known),\"unknown\":\(unknown)}" }
  }

  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) {
    self.arguments = arguments
  }

  /// Measures.
  ///
  /// - Returns: A JSON object.
  func run() async throws -> String {
    let group = try EventLoopGroup(loops: 1)
    let administrator = try client(asAdministrator: true, group)
    let stranger = try client(asAdministrator: false, group)
    let users = Self.warmUp + arguments[Self.count]
    for user in 0..<users { try await makeKnown(user, administrator) }
    var samples: [Question: Samples] = [:]
    var failed = 0
    let login = LoginServiceClient(stranger)
    for user in 0..<users {
      for isKnown in [true, false].shuffled() {
        for (question, took) in await ask(login, number(user, isKnown), name(user, isKnown)) {
          guard let took else {
            failed += 1
            continue
          }
          guard user >= Self.warmUp else { continue }
          let list = isKnown ? \Samples.known : \Samples.unknown
          samples[question, default: Samples()][keyPath: list].append(took)
        }
      }
    }
    for client in [administrator, stranger] { await client.close() }
    await group.shutdown()
    let parts = Question.allCases.map {
      "\"\($0.rawValue)\":\((samples[$0] ?? Samples()).json)"
    }
    return "{\"failed\":\(failed),\"samples\":{\(parts.joined(separator: ","))}}"
  }

  private func client(asAdministrator: Bool, _ group: EventLoopGroup) throws -> RPCClient {
    var tls = ClientTLS.Configuration(applicationProtocols: [RPCProtocol.name])
    tls.trust = .file(arguments[Self.ca])
    if asAdministrator {
      tls.certificateFile = arguments[Self.certificate]
      tls.keyFile = arguments[Self.key]
    }
    return RPCClient(
      to: try Endpoint(arguments[Self.target]), tls: try ClientTLS(tls), group: group)
  }

  private func number(_ user: Int, _ isKnown: Bool) -> String {
    "+49\(isKnown ? 151 : 152)\(10_000_000 + user)"
  }

  private func name(_ user: Int, _ isKnown: Bool) -> String {
    "\(isKnown ? "known" : "other")-\(10_000_000 + user)"
  }

  /// Logs a user in: with a phone, and with a name.
  private func makeKnown(_ user: Int, _ client: RPCClient) async throws {
    let login = LoginServiceClient(client)
    let number = number(user, true)
    let sent = try await login.sendPhoneCode(
      SendPhoneCodeRequest(appID: arguments[Self.app], phoneNumber: number))
    let codes = try await SandboxServiceClient(client).listPhoneCodes(
      ListPhoneCodesRequest(phoneNumber: number))
    let code = codes.codes.first { $0.challengeID == sent.challengeID }?.code ?? ""
    let phone = PhoneCredential(challengeID: sent.challengeID, code: code)
    _ = try await login.createSession(
      CreateSessionRequest(appID: arguments[Self.app], credential: .phone(phone)))
    var options = CallOptions()
    try options.metadata.add("onside-app-key", arguments[Self.appKey])
    let request = CreateSessionRequest(
      appID: arguments[Self.keyedApp], credential: .externalUserID(name(user, true)))
    _ = try await login.createSession(request, options: options)
  }

  /// Asks everything about one user.
  ///
  /// - Returns: How long each answer took, in nanoseconds; nil: it was another than it has to be.
  private func ask(
    _ login: LoginServiceClient, _ number: String, _ name: String
  ) async -> [(Question, Int64?)] {
    var challenge: String?
    let code = await time { () throws(RPCError) in
      let request = SendPhoneCodeRequest(appID: arguments[Self.app], phoneNumber: number)
      challenge = try await login.sendPhoneCode(request).challengeID
    }
    guard code.error == nil, let challenge else { return [(.code, nil)] }
    // Refused, but for one number in a million.
    let phone = PhoneCredential(challengeID: challenge, code: "000000")
    let wrongCode = CreateSessionRequest(appID: arguments[Self.app], credential: .phone(phone))
    let missingKey = CreateSessionRequest(
      appID: arguments[Self.keyedApp], credential: .externalUserID(name))
    var answers: [(Question, Int64?)] = [(.code, code.took)]
    for (question, request) in [(Question.wrongCode, wrongCode), (.missingKey, missingKey)] {
      let answer = await time { () throws(RPCError) in _ = try await login.createSession(request) }
      answers.append((question, answer.error == .unauthenticated ? answer.took : nil))
    }
    return answers
  }

  private func time(
    _ call: () async throws(RPCError) -> Void
  ) async -> (took: Int64, error: StatusCode?) {
    let start = MonotonicInstant.now
    var code: StatusCode?
    do throws(RPCError) { try await call() } catch { code = error.code }
    return (MonotonicInstant.now.nanoseconds(since: start), code)
  }
}
