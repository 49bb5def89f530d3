public import OnsideClient

/// How the library finds the service, and how it shows its screens: an addition to the SDK's
/// interface, which needs nothing of the kind on its own platform.
///
/// App code stays as it is: `Onside.initialize()` reads the environment and a file, see
/// ``fromEnvironment(_:)``. An app that wants to say it itself calls
/// `Onside.initialize(configuration:)`.
public struct OnsideConfiguration: Sendable {
  /// Where the service is: `HOST:PORT`.
  public var service: String

  /// The app that users sign in to, as registered with the service.
  public var appID: String

  /// The app's key, for apps that are registered with one. Never part of a description.
  public var appKey: String?

  /// The file of the CA that signed the server's certificate; nil: the system's.
  public var caFile: String?

  /// A client certificate and its key, for services that ask for one.
  public var clientCertificateFile: String?
  public var clientKeyFile: String?

  /// Where new profiles belong and whose prices are shown while nobody is signed in: ISO 3166-1
  /// alpha-2. Nil: the app's default.
  public var country: String?

  /// Where the queue and the session are kept: a folder of this app's own, for one process at a
  /// time. Nil: nothing survives the process.
  public var stateFolder: String?

  /// Shows the library's screens. Nil: everything that would be shown is cancelled, and there is no
  /// Apple Pay.
  public var presenter: (any Presenter)?

  /// Makes a configuration.
  public init(
    service: String, appID: String, appKey: String? = nil, caFile: String? = nil,
    clientCertificateFile: String? = nil, clientKeyFile: String? = nil, country: String? = nil,
    stateFolder: String? = nil, presenter: (any Presenter)? = nil
  ) {
    self.service = service
    self.appID = appID
    self.appKey = appKey
    self.caFile = caFile
    self.clientCertificateFile = clientCertificateFile
    self.clientKeyFile = clientKeyFile
    self.country = country
    self.stateFolder = stateFolder
    self.presenter = presenter
  }
}

extension OnsideConfiguration: CustomStringConvertible, CustomReflectable {
  public var description: String { "app \(appID) at \(service)" }

  /// Without the app's key, so that no dump shows it.
  public var customMirror: Mirror { Mirror(self, children: ["appID": appID, "service": service]) }
}

/// Why the library can't be initialized, for people.
public struct OnsideConfigurationError: Error, CustomStringConvertible {
  /// What is missing or wrong, and where to say it.
  public let description: String

  init(_ description: String) { self.description = description }
}
