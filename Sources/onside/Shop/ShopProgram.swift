import Flags
import Foundation
import OnsideClient
import OnsideShop
import RPCTransport

/// One run of `shop`.
struct ShopProgram {
  /// What is blocked and comes as events.
  static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP]

  let flags: ShopFlags
  let options: OnsideCommand
  let arguments: ParsedArguments
  private let access: ServerAccess

  init(_ options: OnsideCommand, _ arguments: ParsedArguments) {
    self.options = options
    self.arguments = arguments
    flags = options.shop
    access = ServerAccess(options: options, arguments: arguments)
  }

  /// Opens the shop, and ends with it.
  func run() async throws(Failure) {
    guard !arguments.isGiven(options.json), !arguments.isGiven(options.sessionFile) else {
      throw Failure(.usage, "--json and --session-file aren't for the shop; leave them out")
    }
    let settings = try settings()
    let storeKit = arguments[flags.storeKit]
    let connection = storeKit == nil ? try access.connect() : nil
    let client = try connection.map { connection throws(Failure) in
      OnsideClient(invoker: connection.client, configuration: try access.configuration())
    }
    let loops = try Self.makeLoops()
    // From here on the terminal is the shop's.
    let console = Console(environment: ProcessInfo.processInfo.environment)
    let shop: Shop
    do throws(OnsideError) {
      shop = try Shop(settings, terminal: console.terminal) { presenter throws(OnsideError) in
        try marketplace(client, storeKit, presenter)
      }
    } catch {
      console.restore()
      throw Failure(error.code == .storeFailed ? .file : .catalogue, error.message)
    }
    try stopOnSignals(shop, console, loops)
    await shop.run()
    await shop.stop()
    console.restore()
    await connection?.close()
  }

  private func marketplace(
    _ client: OnsideClient?, _ storeKit: String?, _ presenter: any Presenter
  ) throws(OnsideError) -> Marketplace {
    let configuration = Marketplace.Configuration(
      callbackScheme: Shop.callbackScheme, stateDirectory: state)
    if let client {
      return try Marketplace(client: client, presenter: presenter, configuration: configuration)
    }
    return try Marketplace(
      storeKitFile: storeKit ?? "", appID: arguments[options.app], presenter: presenter,
      configuration: configuration)
  }

  private static func makeLoops() throws(Failure) -> EventLoopGroup {
    do throws(SystemError) {
      return try EventLoopGroup(loops: 1)
    } catch {
      throw Failure(.resources, "no event loop: \(error)")
    }
  }

  /// Ctrl-Z stops the process as ever, the others end the shop; what is unfinished is kept.
  private func stopOnSignals(
    _ shop: Shop, _ console: Console, _ loops: EventLoopGroup
  ) throws(Failure) {
    do throws(SystemError) {
      _ = try SignalSource(Self.signals, loop: loops.first) { signal in
        if signal == SIGTSTP { return console.stop() }
        Task {
          await shop.stop()
          console.restore()
          guard signal != SIGINT else { exit(ExitCode.interrupted.rawValue) }
          Self.endAs(signal)
        }
      }
    } catch {
      throw Failure(.resources, "\(error)")
    }
  }

  /// Ends the process as the signal does by itself, so that whoever sent it sees that.
  private static func endAs(_ signal: Int32) -> Never {
    var only = sigset_t()
    sigemptyset(&only)
    sigaddset(&only, signal)
    Foundation.signal(signal, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, &only, nil)
    pthread_kill(pthread_self(), signal)
    exit(ExitCode.failure.rawValue)
  }
}
