import Flags

/// `onside shop`: what it takes, and what it says about itself.
struct ShopFlags {
  /// The name of the command.
  static let command = "shop"

  let identifiers = Flag<[String]>(
    arguments: "ID", .text(), help: "Products that the app sells, in place of all that a file has.")
  let products = Flag<String?>(
    "products", .file,
    help: "A file with what the app sells: .storekit, a catalogue (.jsonl), or one ID a line.")
  let applePay = Flag<String>(
    "apple-pay", .text("TOKEN"), default: "sandbox-paid",
    help: "What the Apple Pay sheet returns; see Docs/sandbox.md.")
  let noApplePay = Flag<Bool>(
    toggle: "no-apple-pay", help: "Play a device without Apple Pay.")
  let storeKit = Flag<String?>(
    "storekit", .file, help: "Sell what a .storekit file has, without any server: local testing.")
  let state = Flag<String?>(
    "state", .text("DIR"),
    help: """
      Where session and unfinished purchases are kept, for one shop at a time. Default: a folder \
      for app and server in \(ShopProgram.defaultState).
      """)
  let receipts = Flag<String?>(
    "receipts", .text("DIR"), help: "Where receipts are saved. Default: receipts, in --state.")

  var command: Command {
    Command(
      Self.command, summary: "Opens a shop at the terminal: log in, browse, buy, see receipts.",
      discussion: """
        Choose by letter or number; an empty line goes back. Ctrl-D and q end the shop with 0, \
        Ctrl-C with 130; what isn't finished comes again at the next start with the same --state.

        Without a terminal, lines are read from standard input, and nothing is coloured: the shop \
        can be scripted. NO_COLOR switches colours off on a terminal too.

        The shop keeps its own session, in --state; --session-file and --json aren't for it.
        """,
      elements: [
        identifiers, Heading("Products"), products, storeKit, Heading("Payment"), applePay,
        noApplePay, Heading("Files"), state, receipts,
      ],
      exitCodes: [
        (.success, "the person quit, or the input is over"), (.usage, nil),
        (.address, "--target is wrong"), (.certificate, nil),
        (.catalogue, "--products or --storekit is unreadable or wrong"), (.resources, nil),
        (.file, "--state can't be used, or another shop uses it; --app-key-file can't be read"),
        (.interrupted, "stopped by SIGINT (Ctrl-C)"),
      ])
  }
}
