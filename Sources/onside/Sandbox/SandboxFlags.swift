import Flags
import RPC

/// `onside sandbox …`: control of a test environment.
struct SandboxFlags {
  /// The name of the command.
  static let command = "sandbox"

  // Fault rules.
  let method = Flag<String?>(
    "method", .text("METHOD"), help: "Only its calls, as LoginService/CreateSession.")
  let profile = Flag<String?>("profile", .text("ID"), help: "Only this profile.")
  let externalID = Flag<String?>(
    "external-id", .text("ID"), help: "Only this user of an app, by the app's own identifier.")
  let skip = Flag<Int>(
    "skip", .integer(in: 0...Int(UInt32.max)), default: 0,
    help: "Let so many calls that match through first.")
  let count = Flag<Int>(
    "count", .integer(in: 0...Int(UInt32.max)), default: 0,
    help: "Fire so often; 0: until it is removed.")
  let delay = Flag<Double>(
    "delay", .seconds(in: 0...600), default: 0, help: "Wait so long before anything else.")
  let status = Flag<Int?>(
    "status", SandboxFlags.statusCode, help: "Don't run the call; answer it with this status.")
  let message = Flag<String?>("message", .anyText(), help: "The text of --status.")
  let reason = Flag<String?>(
    "reason", .text("REASON"), help: "The reason of --status, such as SESSION_EXPIRED.")
  let dropReply = Flag<Bool>(
    toggle: "drop-reply", help: "Run the call and lose its reply: the caller gets UNAVAILABLE.")
  let cutConnection = Flag<Bool>(
    toggle: "cut-connection", help: "Don't run the call; cut its connection.")
  let fault = Flag<String?>(
    optionalArgument: "FAULT", .text(), help: "The rule, as fault list shows it.")
  let all = Flag<Bool>(toggle: "all", help: "All rules.")

  // Profiles and logins.
  let country = Flag<String>(
    argument: "CC", .text(), help: "The storefront's country: two letters.")
  let phone = Flag<String?>(
    "phone", .text("NUMBER"), help: "The phone number of an account, as +491701234567.")
  let number = Flag<String>(
    argument: "NUMBER", .text(), help: "A phone number, as +491701234567.")
  let pending = Flag<String>(
    argument: "ID", .text(), help: "A login, as logins shows it, or a purchase, as deferred does.")

  // Analytics.
  let installation = Flag<String>(
    argument: "INSTALLATION", .text(), help: "The installation's identifier.")
  let referrer = Flag<String>(
    required: "referrer", .anyText("URL"), help: "Where it came from; empty: from nowhere.")
  let limit = Flag<Int>(
    "limit", .integer(in: 1...500), default: 100, help: "The last so many.")

  /// A status code, by its number or its name.
  private static let statusCode = ValueKind<Int>(
    expectation: "a status code that is an error: 1 to 16, or a name such as UNAVAILABLE",
    placeholder: "CODE", show: { String($0) }
  ) { text in
    (1...16).first { code in
      text == String(code) || text.uppercased() == StatusCode(rawValue: UInt32(code)).description
    }
  }
}
