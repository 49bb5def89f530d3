import Flags
import OnsideProto
import ProtobufReflection
import ProtobufWire
import RPC
import RPCServices

/// Where the types of a call come from: what the command line gives, else the server's reflection,
/// else what the program knows itself.
struct SchemaSource {
  /// What the command line gives.
  let given: DescriptorPool?

  /// The server's reflection; nil when no server is asked.
  let server: ServerSchema?

  /// Types that are at hand whatever the source: of details of errors, and in an `Any`.
  static let knownFiles = DescriptorPool.wellKnownFiles + ReflectionService.ownFiles

  /// The services that the program knows.
  static func builtIn() throws(Failure) -> DescriptorPool {
    do throws(DescriptorError) {
      return try DescriptorPool(
        [
          .onsideV1Login, .onsideV1Products, .onsideV1Payments, .onsideV1Analytics,
          .onsideV1Sandbox, .onsideV1Operations,
        ] + knownFiles)
    } catch {
      throw Failure(.failure, "\(error)")
    }
  }

  /// The types of the file that defines a symbol, with all that it imports.
  func pool(defining symbol: String) async throws(Failure) -> DescriptorPool {
    if let given {
      guard given.file(defining: symbol) != nil else {
        throw Failure(.usage, "\(symbol) isn't in the given types; `onside list` shows services")
      }
      return given
    }
    guard let server else { throw Self.notOffered }
    do throws(ServerSchema.Problem) {
      return try await server.pool(defining: symbol)
    } catch {
      if case .notOffered = error {
        let own = try Self.builtIn()
        if own.file(defining: symbol) != nil { return own }
      }
      throw Failure(error)
    }
  }

  /// The names of the services.
  func services() async throws(Failure) -> [String] {
    if let given { return given.services.map(\.fullName) }
    guard let server else { throw Self.notOffered }
    do throws(ServerSchema.Problem) {
      return try await server.services()
    } catch {
      throw Failure(error)
    }
  }

  fileprivate static let notOffered = Failure(
    .refused,
    "the server doesn't offer reflection; start it with --reflection, or give "
      + "--descriptor-set FILE, or --built-in for the marketplace's own services")
}

extension Failure {
  /// Why a server's types couldn't be had.
  init(_ problem: ServerSchema.Problem) {
    switch problem {
    case .notOffered: self = SchemaSource.notOffered
    case .call(let error): self.init(error, types: nil)
    case .notFound(let text): self.init(.usage, text + "; `onside list` shows its services")
    case .descriptors(let error):
      self.init(.failure, "the server's types can't be used: \(error)")
    }
  }
}
