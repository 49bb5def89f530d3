import Foundation
import OnsideClient

/// What the static interface stands for: one marketplace for the process, with the app's delegates.
@MainActor final class Runtime {
  /// The process's.
  static let shared = Runtime()

  /// Where `initialize()` looks; tests have their own.
  var environment: () -> [String: String] = { ProcessInfo.processInfo.environment }
  var folder: () -> String = { FileManager.default.currentDirectoryPath }

  weak var delegate: (any OnsideDelegate)?

  /// Assigning one switches external login on for later logins, and nil off.
  weak var externalLoginDelegate: (any OnsideExternalLoginDelegate)? {
    didSet { instance.setHost(host) }
  }

  var callbackScheme: String? {
    didSet { instance.setCallbackScheme(callbackScheme) }
  }

  let appearance = Appearance()
  let queue: PaymentQueue

  private(set) var instance: any MarketplaceInstance
  private(set) var isInitialized = false
  private var connection: Connection?

  init() {
    instance = UnreadyInstance(reason: "call Onside.initialize() first")
    queue = PaymentQueue(instance)
  }

  /// Takes a marketplace into use, unless there is one.
  ///
  /// - Parameter make: makes it; its error is the reason that everything fails with.
  func start(
    _ make: (Runtime) throws(OnsideConfigurationError) -> (any MarketplaceInstance, Connection?)
  ) {
    guard !isInitialized else {
      return Diagnostics.report("Onside.initialize() was called before; this call does nothing")
    }
    do throws(OnsideConfigurationError) {
      let (made, connection) = try make(self)
      self.connection = connection
      isInitialized = true
      use(made)
    } catch {
      Diagnostics.report(error.description)
      use(UnreadyInstance(reason: error.description))
    }
  }

  private func use(_ instance: any MarketplaceInstance) {
    self.instance = instance
    instance.setHost(host)
    // Nil is what a marketplace begins with.
    if let callbackScheme { instance.setCallbackScheme(callbackScheme) }
    queue.follow(instance)
  }

  /// Ends everything, as the end of the process would.
  func shutDown() async {
    let (ended, connection) = (instance, connection)
    isInitialized = false
    self.connection = nil
    use(UnreadyInstance(reason: "Onside.shutDown() was called; call Onside.initialize() again"))
    queue.endSequences()
    queue.forgetUser()
    // Its state directory is free for the next instance when this returns.
    await ended.shutDown()
    await connection?.close()
  }

  func logOut() {
    queue.forgetUser()
    instance.logOut()
  }
}
