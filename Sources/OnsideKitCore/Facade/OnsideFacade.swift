#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The entry point of the library: in app code it is called `Onside`.
///
/// `OnsideKit` and `OnsideKitLite` each name their edition of it. Everything is called on the main
/// actor, which the compiler checks, and every callback comes there; nothing blocks it. Source: the
/// SDK's documentation, and external-login.txt.
///
/// ```swift
/// Onside.initialize()
/// Onside.externalLoginDelegate = externalLogin
/// Onside.defaultPaymentQueue().add(observer: observer)
/// ```
@MainActor public enum OnsideFacade<Edition: OnsideEdition> {
  /// Starts the library. Call it first, and as early as possible.
  ///
  /// Where the service is, is said outside of the app's code:
  /// ``OnsideConfiguration/fromEnvironment(_:)``. What is wrong with that is written to standard
  /// error, and everything fails until a later call succeeds. After that, further calls do nothing.
  public static func initialize() { initialize(storeKitConfigurationName: nil) }

  /// Starts the library in local testing: offline, with the products of a `.storekit` file.
  ///
  /// - Parameter storeKitConfigurationName: the file's name without its extension, in the app's
  ///   bundle, beside the program, or in the current folder. Nil: the service, as `initialize()`.
  public static func initialize(storeKitConfigurationName: String?) {
    if let name = storeKitConfigurationName {
      Runtime.shared.startLocally(name, Edition.self)
    } else {
      let environment = Runtime.shared.environment()
      Runtime.shared.startWithService(
        { () throws(OnsideConfigurationError) in try .fromEnvironment(environment) }, Edition.self)
    }
  }

  /// Starts the library with a configuration of the app's own. An addition to the SDK's interface.
  public static func initialize(configuration: OnsideConfiguration) {
    Runtime.shared.startWithService(
      { () throws(OnsideConfigurationError) in configuration }, Edition.self)
  }

  /// Ends everything that the library does, as the end of the process would, and closes its
  /// connections; nobody is signed out. An addition to the SDK's interface, for programs that end.
  public static func shutDown() async { await Runtime.shared.shutDown() }

  /// The URL scheme that the app has registered for the store app's callback; nil: login with
  /// `.auto` stays in the library.
  public static var callbackScheme: String? {
    get { Runtime.shared.callbackScheme }
    set { Runtime.shared.callbackScheme = newValue }
  }

  /// Takes a URL that the app was opened with.
  ///
  /// - Returns: false if it isn't the marketplace's.
  @discardableResult
  public static func handle(url: URL) -> Bool {
    Runtime.shared.instance.handle(url: url.absoluteString)
  }

  /// Is asked about screens and logins. Held weakly.
  public static var delegate: (any OnsideDelegate)? {
    get { Runtime.shared.delegate }
    set { Runtime.shared.delegate = newValue }
  }

  /// Supplies the app's own account identifier. Held weakly; nil, as at first: external login is
  /// off. A session that there is stays either way.
  public static var externalLoginDelegate: (any OnsideExternalLoginDelegate)? {
    get { Runtime.shared.externalLoginDelegate }
    set { Runtime.shared.externalLoginDelegate = newValue }
  }

  /// How the library's screens look.
  public static func appearance() -> any OnsideAppearance { Runtime.shared.appearance }

  /// The app's payments: the same queue at each call.
  public static func defaultPaymentQueue() -> any OnsidePaymentQueue { Runtime.shared.queue }
}
