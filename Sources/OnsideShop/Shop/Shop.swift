public import OnsideClient
import OnsideDomain

/// A shop at a terminal: a person logs in, browses, buys, and sees what was bought.
///
/// It is an app of the marketplace like any other: it uses `Marketplace`, and delivers nothing.
/// Nothing that fails ends it.
public actor Shop {
  /// What a shop is made with.
  public struct Settings: Sendable {
    /// The app that users sign in to.
    public var appID: String

    /// Where the products come from, for the greeting: the server's address, or a file.
    public var source: String

    /// What the app sells. Empty: the person names products.
    public var productIdentifiers: [String]

    /// What the sandbox's Apple Pay sheet returns; nil: a device without Apple Pay.
    public var applePayToken: String?

    /// Where receipts are saved.
    public var receiptFolder: String

    /// How the store app's part is played for a login: a command line.
    public var approvalCommand: @Sendable (_ loginID: String) -> String

    /// How long the shop waits for the outcome of a purchase before it goes on.
    public var patience: Duration

    /// How many products are listed at once; at least 1.
    public var pageSize: Int

    /// Makes settings.
    public init(
      appID: String, source: String, productIdentifiers: [String] = [],
      applePayToken: String? = nil, receiptFolder: String,
      approvalCommand: @escaping @Sendable (_ loginID: String) -> String = { "approve \($0)" },
      patience: Duration = .seconds(5), pageSize: Int = 10
    ) {
      self.appID = appID
      self.source = source
      self.productIdentifiers = productIdentifiers
      self.applePayToken = applePayToken
      self.receiptFolder = receiptFolder
      self.approvalCommand = approvalCommand
      self.patience = patience
      self.pageSize = max(1, pageSize)
    }
  }

  /// The scheme of the URL that the store app calls back with.
  public static let callbackScheme = "onside-shop"

  let settings: Settings
  let terminal: ShopTerminal
  let turns = ScreenTurns()
  let outcomes: Outcomes
  let presenter: ShopPresenter
  let marketplace: Marketplace

  /// What products are called, as far as the shop has seen them.
  var titles: [String: String] = [:]

  /// How each transaction was when the person was last told of it.
  var told: [PaymentTransaction.ID: Told] = [:]

  /// What the person has marked as delivered here, by the names that the service has for it.
  var finishedHere: Set<String> = []

  /// True while the person logs in or out, and waits to be told so.
  var isChangingUser = false

  /// The storefront that the person knows of.
  var knownStorefront: Storefront?

  /// Makes a shop, and its marketplace with the presenter that it gets.
  ///
  /// - Throws: what `makeMarketplace` throws.
  public init(
    _ settings: Settings, terminal: ShopTerminal,
    makeMarketplace: (any Presenter) throws(OnsideError) -> Marketplace
  ) throws(OnsideError) {
    self.settings = settings
    self.terminal = terminal
    outcomes = Outcomes(patience: settings.patience)
    presenter = ShopPresenter(
      terminal, turns, outcomes, receipts: ReceiptFolder(path: settings.receiptFolder),
      applePayToken: settings.applePayToken)
    marketplace = try makeMarketplace(presenter)
    let presenter = presenter
    marketplace.host.loginMethod = { .local }
    marketplace.host.continues = { await presenter.continues($0, in: $1) }
  }

  /// Serves until the person quits, or the input is over.
  public func run() async {
    say(
      terminal.style.apply(
        .bold, to: "Onside shop: \(PlainText.of(settings.appID)) from \(settings.source)"))
    await marketplace.start()
    knownStorefront = marketplace.storefront
    let events = marketplace.observe()
    let watching = Task { for await event in events { tell(event) } }
    await showMenu()
    watching.cancel()
    say("Goodbye.")
  }

  /// Stops at once, as the end of the process would: what is unfinished is kept, and comes again.
  public nonisolated func stop() async {
    // Before anything fails because of it; and nobody is taken to have answered.
    terminal.silence()
    await marketplace.shutDown()
    terminal.close()
  }

  // MARK: Speaking

  /// Shows lines, whatever is being asked.
  nonisolated func say(_ lines: String) { terminal.show(lines) }

  nonisolated func complain(_ error: OnsideError) { say(complaint(error)) }

  nonisolated func complain(_ text: String) { say(complaint(text)) }

  nonisolated func complaint(_ error: OnsideError) -> String { complaint(ErrorText.of(error)) }

  private nonisolated func complaint(_ text: String) -> String {
    terminal.style.apply(.red, to: "! " + text)
  }
}
