import Flags
import OnsideCatalogue
import OnsideServices
import RPC
import RPCServer
import RPCTransport

extension MarketplaceServerConfiguration {
  /// The configuration that a command line asks for.
  ///
  /// - Throws: `StartError` for an address that can't be read, or administrators without a
  ///   client CA.
  init(_ arguments: ParsedArguments) throws(StartError) {
    let endpoint: Endpoint
    do throws(AddressError) {
      endpoint = try Endpoint(arguments[ServeFlags.listen])
    } catch {
      throw StartError(.address, "--listen: \(error)")
    }
    self.init(
      endpoint: endpoint, tls: ServerTLS.Configuration(arguments),
      appsFile: arguments[ServeFlags.apps],
      catalogue: arguments[ServeFlags.catalogue].map(CatalogueSource.init(argument:)),
      store: StoreLocation(arguments[ServeFlags.store]) ?? .memory)
    version = "\(ServeCommand.command.name) \(ServeCommand.command.version)"
    offersReflection = arguments[ServeFlags.reflection]
    for limit in LimitFlags.all { limit.apply(arguments, &self) }
    // It has to hold one request at least, however long those may be.
    server.connection.reassemblyBudget = max(
      server.connection.reassemblyBudget, server.connection.maximumMessageSize)
    for text in arguments[ServeFlags.administrators] {
      _ = marketplace.administrators.add(text)
    }
    guard marketplace.administrators.isEmpty || arguments[ServeFlags.clientCA] != nil else {
      throw StartError(
        .certificate,
        "--admin-certificate needs --client-ca: without it no client is asked for a certificate")
    }
    let check = arguments[ServeFlags.certificateCheck]
    certificateCheckInterval = check > 0 ? .seconds(check) : nil
    marketplace.maximumProductIdentifiers = arguments[ServeFlags.maximumProducts]
    marketplace.sessionLifetime = .seconds(arguments[ServeFlags.sessionLifetime])
    marketplace.tokenKeyLifetime = .seconds(arguments[ServeFlags.keyLifetime])
    marketplace.profileCacheCapacity = arguments[ServeFlags.profileCache]
  }
}

extension ServerTLS.Configuration {
  fileprivate init(_ arguments: ParsedArguments) {
    self.init(
      certificateFile: arguments[ServeFlags.certificate], keyFile: arguments[ServeFlags.key],
      applicationProtocols: [RPCProtocol.name])
    clientCAFile = arguments[ServeFlags.clientCA]
    clientCertificates =
      arguments[ServeFlags.clientCertificates] == "required" ? .required : .optional
    minimumVersion = arguments[ServeFlags.minimumTLS] == "1.2" ? .v1_2 : .v1_3
  }
}

extension StartError {
  /// How the process ends for it.
  var exitCode: ExitCode {
    switch code {
    case .address: .address
    case .certificate: .certificate
    case .store: .store
    case .catalogue: .catalogue
    case .apps: .apps
    case .resources: .resources
    default: .failure
    }
  }
}
