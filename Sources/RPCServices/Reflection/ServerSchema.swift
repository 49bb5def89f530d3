public import ProtobufReflection
public import RPC
import RPCProto

/// Asks a server's reflection what it can be called with.
public struct ServerSchema: Sendable {
  /// Why a schema couldn't be had.
  public enum Problem: Error, Sendable {
    /// The server doesn't offer reflection.
    case notOffered

    /// The call failed.
    case call(RPCError)

    /// The server has no such file or symbol; what it said.
    case notFound(String)

    /// What the server sent isn't a set of `.proto` files.
    case descriptors(DescriptorError)
  }

  private let client: RPCReflectionClient
  private let options: CallOptions

  /// A schema that is asked for over `invoker`.
  ///
  /// - Parameter options: Metadata and timeout of each call.
  public init(_ invoker: any CallInvoker, options: CallOptions = CallOptions()) {
    client = RPCReflectionClient(invoker)
    self.options = options
  }

  /// The full names of the server's services, sorted.
  public func services() async throws(Problem) -> [String] {
    do throws(RPCError) {
      return try await client.listServices(RPCListServicesRequest(), options: options).services
    } catch {
      throw Self.problem(error)
    }
  }

  /// The types of the file that defines a symbol, and of all that it imports. The well-known types
  /// and those of `rpc.v1` are there as well.
  public func pool(defining symbol: String) async throws(Problem) -> DescriptorPool {
    try Self.pool(of: try await files(defining: symbol))
  }

  /// The types of all services.
  public func pool() async throws(Problem) -> DescriptorPool {
    var files: [[UInt8]] = []
    for service in try await services() {
      do throws(Problem) {
        files += try await self.files(defining: service)
      } catch .notFound {
        // A service of generated code without its file is listed and can't be described.
        continue
      }
    }
    return try Self.pool(of: files)
  }

  private func files(defining symbol: String) async throws(Problem) -> [[UInt8]] {
    do throws(RPCError) {
      return try await client.getFile(
        RPCGetFileRequest(wanted: .symbol(symbol)), options: options
      ).files
    } catch {
      throw Self.problem(error)
    }
  }

  private static func pool(of files: [[UInt8]]) throws(Problem) -> DescriptorPool {
    do throws(DescriptorError) {
      return try DescriptorPool(
        serializedFiles: files,
        others: DescriptorPool.wellKnownFiles + ReflectionService.ownFiles)
    } catch {
      throw .descriptors(error)
    }
  }

  private static func problem(_ error: RPCError) -> Problem {
    guard error.phase == .answered else { return .call(error) }
    switch error.code {
    case .unimplemented: return .notOffered
    case .notFound: return .notFound(error.message)
    default: return .call(error)
    }
  }
}
