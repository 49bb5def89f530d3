public import ProtobufReflection
public import ProtobufWire
public import RPC
public import RPCProto

/// Hands out the `.proto` files of a server's services: `rpc.v1.Reflection`.
///
/// It tells strangers what they could attack. A server offers it only where somebody asked for
/// that, or only to callers of a role, by its authorization rule.
public struct ReflectionService: RPCReflection {
  private let services: [String]
  private let pool: DescriptorPool

  /// Makes a service.
  ///
  /// - Parameters:
  ///   - services: What is listed, and whose files are handed out.
  ///   - others: Further files, such as those of messages that travel in a `google.protobuf.Any`.
  ///     The files of the well-known types and of `rpc.v1` are always among them.
  /// - Throws: `DescriptorError` when the files don't fit together.
  public init(
    services: [ServiceDescriptor], others: [ProtoFile] = []
  ) throws(DescriptorError) {
    self.services = services.map(\.name).sorted()
    pool = try DescriptorPool(
      services.compactMap(\.file) + others + DescriptorPool.wellKnownFiles + Self.ownFiles)
  }

  /// The files of `rpc.v1`: what details of errors and options of methods are made of.
  public static let ownFiles: [ProtoFile] = [
    .rpcV1Errors, .rpcV1Health, .rpcV1Options, .rpcV1Reflection,
  ]

  /// Lists the services.
  public func listServices(
    _ request: RPCListServicesRequest, context: ServerContext
  ) async throws -> RPCListServicesResponse {
    RPCListServicesResponse(services: services)
  }

  /// Finds a file by its name or by what it defines; NOT_FOUND when there is none.
  public func getFile(
    _ request: RPCGetFileRequest, context: ServerContext
  ) async throws -> RPCGetFileResponse {
    let file: SchemaFile
    switch request.wanted {
    case .name(let name):
      guard let found = pool.file(named: name) else {
        throw RPCError(.notFound, "the server has no file \(Quoted(name))")
      }
      file = found
    case .symbol(let symbol):
      guard let found = pool.file(defining: symbol) else {
        throw RPCError(.notFound, "no file of the server defines \(Quoted(symbol))")
      }
      file = found
    case nil:
      throw RPCError(.invalidArgument, "neither a name nor a symbol was asked for")
    }
    return RPCGetFileResponse(files: file.withImports.map(\.serialized))
  }
}

extension MethodRegistry {
  /// Adds reflection of the services that were added before it, and of itself.
  ///
  /// - Parameter authorization: Who may look.
  /// - Throws: `DescriptorError` when the services' files don't fit together.
  public mutating func addReflection(
    authorization rule: AuthorizationRule
  ) throws(DescriptorError) {
    let service = try ReflectionService(services: services + [ReflectionService.descriptor])
    add(
      service,
      authorization: [
        RPCReflectionMethods.listServices: rule, RPCReflectionMethods.getFile: rule,
      ])
  }
}
