import RPCTransport
import Synchronization
import Testing

@testable import LoadGenerator

@Suite struct LoadTargetTests {
  @Test func severalTargetsAreGivenAtOnceOrOneByOne() throws {
    let list = try TargetList(["a.example:1,[::1]:2", "unix:/run/x.sock", "a.example:1"])
    #expect(list.endpoints.map(\.description) == ["a.example:1", "[::1]:2", "unix:/run/x.sock"])
  }

  @Test(arguments: ["", "a.example", "a.example:1,", "a.example:x", "unix:", "a.example:1,,b:2"])
  func whatIsNoTargetIsNamed(_ text: String) {
    let error = #expect(throws: SetupError.self) { try TargetList([text]) }
    #expect(error?.code == .address)
    #expect(error?.description.hasPrefix("--target: ") == true)
  }

  @Test func numberOfTargetsIsBounded() throws {
    let most = (1...TargetList.mostEndpoints).map { "h:\($0)" }
    #expect(try TargetList(most).endpoints.count == most.count)
    let error = #expect(throws: SetupError.self) { try TargetList(most + ["h:1000"]) }
    #expect(error?.description.contains("64") == true)
    #expect(throws: SetupError.self) { try TargetList([]) }
  }

  @Test func namesBecomeAllOfTheirAddresses() async throws {
    let list = try TargetList(["shop.example:7", "192.0.2.9:8"])
    let resolver = FixedNames(["shop.example": ["192.0.2.1", "2001:db8::1"]])
    let targets = try await list.resolve(with: resolver)
    #expect(
      targets.map(\.description) == [
        "shop.example:7 at 192.0.2.1:7", "shop.example:7 at [2001:db8::1]:7", "192.0.2.9:8",
      ])
  }

  @Test func nameWithoutAddressIsNamed() async throws {
    let list = try TargetList(["nowhere.example:7"])
    let error = await #expect(throws: SetupError.self) {
      try await list.resolve(with: FixedNames([:]))
    }
    #expect(error?.code == .address)
    #expect(error?.description.contains("nowhere.example") == true)
  }

  @Test func numberOfAddressesIsBounded() async throws {
    let addresses = (0...TargetList.mostAddresses).map { "10.0.\($0 / 256).\($0 % 256)" }
    let error = await #expect(throws: SetupError.self) {
      try await TargetList(["many.example:7"]).resolve(
        with: FixedNames(["many.example": addresses]))
    }
    #expect(error?.description.contains("257") == true)
    #expect(error?.description.contains("256") == true)
  }
}

/// Names from a table.
struct FixedNames: NameResolver {
  private let names: [String: [String]]

  init(_ names: [String: [String]]) {
    self.names = names
  }

  func resolve(
    _ endpoint: Endpoint,
    _ completion: @escaping @Sendable (Result<[SocketAddress], NameResolutionError>) -> Void
  ) {
    guard case .host(let name, let port) = endpoint, let addresses = names[name] else {
      return completion(.failure(NameResolutionError(text: "no such host")))
    }
    completion(.success(addresses.compactMap { SocketAddress(literal: $0, port: port) }))
  }
}
