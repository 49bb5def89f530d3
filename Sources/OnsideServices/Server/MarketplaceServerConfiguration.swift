public import OnsideCatalogue
public import RPCServer
public import RPCTransport

/// What a server of the marketplace is started with.
public struct MarketplaceServerConfiguration: Sendable {
  /// Where to listen; port 0 picks a free one.
  public var endpoint: Endpoint

  /// The certificate, and which client certificates are asked for.
  public var tls: ServerTLS.Configuration

  /// The file of registered apps; nil: the example app alone.
  public var appsFile: String?

  /// The files of the catalogue; none: nothing is sold.
  public var catalogue: [CatalogueSource]

  /// Where everything is kept.
  public var store: StoreLocation

  /// Limits of connections and calls.
  public var server = ServerConfiguration()

  /// Limits of the listener.
  public var listener = ListenerOptions()

  /// Limits of the services.
  public var marketplace = MarketplaceConfiguration()

  /// Whether clients may ask what the server can be called with (`rpc.v1.Reflection`). Off by
  /// default: it tells strangers what they could attack.
  public var offersReflection = false

  /// The program's name and version, for those who ask what they are connected to.
  public var version = "onside-server"

  /// How often session keys are looked after.
  public var refreshInterval = Duration.seconds(30)

  /// How often certificate, key and client CA are looked at; those that have changed, and look the
  /// same twice, are read again. Nil: only by `MarketplaceServer.reload`.
  public var certificateCheckInterval: Duration? = .seconds(10)

  /// A configuration with the default limits.
  public init(
    endpoint: Endpoint, tls: ServerTLS.Configuration, appsFile: String? = nil,
    catalogue: [CatalogueSource], store: StoreLocation
  ) {
    self.endpoint = endpoint
    self.tls = tls
    self.appsFile = appsFile
    self.catalogue = catalogue
    self.store = store
  }
}
