import Flags

/// The command line: what can be asked, and with what.
struct OnsideCommand {
  let target = Flag<String>(
    "target", .hostPort(), default: "localhost:9443",
    help: "The server.")
  let ca = Flag<String?>(
    "ca", .file, help: "The CA that signed the server's certificate. Default: the system's.")
  let certificate = Flag<String?>(
    "certificate", .file, help: "A client certificate, for servers that ask for one.")
  let key = Flag<String?>("key", .file, help: "The private key of --certificate.")
  let insecure = Flag<Bool>(
    toggle: "insecure",
    help: "DON'T check the server's certificate: anybody on the way can read and change everything."
  )
  let app = Flag<String>(
    "app", .text("ID"), default: "com.example.shop", help: "The app that the user signs in to.")
  let appKeyFile = Flag<String?>(
    "app-key-file", .file, help: "A file with the app's key, for apps that are registered with one."
  )
  let country = Flag<String?>(
    "country", .text("CC"),
    help: "Where a new profile belongs, and whose prices are shown without a session: two letters.")
  let timeout = Flag<Double>(
    "timeout", .seconds(in: 0.001...3_600), default: 10, help: "How long a call may take.")
  let sessionFile = Flag<String?>(
    "session-file", .file,
    help: "Where the session is kept, readable by you only. Default: \(SessionFile.defaultPath).")
  let json = Flag<Bool>(toggle: "json", help: "Print JSON.")

  let externalID = Flag<String>(
    required: "external-id", .anyText("ID"), help: "The app's own identifier of the user.")
  let products = Flag<[String]>(
    arguments: "ID", .text(), isRequired: true, help: "Product identifiers.")
  let product = Flag<String>(argument: "ID", .text(), help: "The product.")
  let applePay = Flag<String?>(
    "apple-pay", .text("TOKEN"), help: "Pay with what the Apple Pay sheet returned.")
  let card = Flag<String?>("card", .text("TOKEN"), help: "Pay with a card, as its token.")
  let accountToken = Flag<String?>(
    "app-account-token", .anyText(), help: "The app's own reference; comes back as it is given.")
  let idempotencyKey = Flag<String?>(
    "idempotency-key", .text("KEY"),
    help: "The same key never buys twice. Default: a new random one.")
  let unfinished = Flag<Bool>(toggle: "unfinished", help: "Leave the finished ones out.")
  let transaction = Flag<String>(argument: "ID", .text("UUID"), help: "The transaction.")

  /// `call`, `list` and `describe`.
  let calls = CallFlags()

  /// `shop`.
  let shop = ShopFlags()

  /// `sandbox`.
  let sandbox = SandboxFlags()

  /// All of it.
  var command: Command {
    Command(
      "onside", summary: "Talks to an onside marketplace server.",
      discussion: """
        The session that `login` opens is kept in a file that only its user can read, and used by \
        the other commands until `logout`.

        The sandbox takes test tokens, one for each outcome of a payment: see Docs/sandbox.md.
        """,
      version: Version.current,
      elements: [
        Heading("Server"), target, ca, certificate, key, insecure, timeout,
        Heading("App and user"), app, appKeyFile, country, sessionFile,
        Heading("Output"), json,
      ],
      subcommands: [
        Command(
          "login", summary: "Signs a user in with the app's own identifier.",
          elements: [externalID]),
        Command("logout", summary: "Ends the session and forgets it."),
        Command("profile", summary: "Shows who is signed in."),
        Command("products", summary: "Lists products.", elements: [products]),
        Command(
          "buy", summary: "Buys a product at the price it has now.",
          elements: [product, applePay, card, accountToken, idempotencyKey]),
        Command(
          "transactions", summary: "Lists the user's purchases, the unfinished first.",
          elements: [unfinished]),
        Command(
          "finish", summary: "Marks a purchase as delivered.", elements: [transaction]),
      ] + [shop.command] + calls.commands + [sandbox.command],
      exitCodes: [
        (.success, nil), (.failure, "the service failed, or gave no answer in time"), (.usage, nil),
        (.address, nil), (.certificate, nil), (.catalogue, nil), (.resources, nil), (.file, nil),
        (.session, nil), (.refused, nil), (.interrupted, "shop: stopped by SIGINT (Ctrl-C)"),
      ])
  }
}
