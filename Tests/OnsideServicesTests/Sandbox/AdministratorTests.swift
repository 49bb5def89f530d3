import OnsideDomain
import OnsideProto
import OnsideServices
import RPC
import Testing

@Suite("Administrators")
struct AdministratorTests {
  private static let print = String(repeating: "ab", count: 32)

  private func refusal(
    of certificate: PeerInfo.Certificate?, administrators: [String]
  ) async throws -> RPCError {
    let fixture = try await MarketplaceFixture(
      peer: PeerInfo(address: "192.0.2.1:40000", certificate: certificate)
    ) { configuration in
      for text in administrators { _ = configuration.administrators.add(text) }
    }
    return try await failure { () throws(RPCError) in
      try await fixture.sandbox.listFaults(ListFaultsRequest())
    }
  }

  @Test(
    "A fingerprint or a subject lets its certificate in",
    arguments: [
      print, print.uppercased(), "CN=admin,O=Tests",
    ])
  func letIn(text: String) async throws {
    let fixture = try await SandboxFixture.make { configuration in
      configuration.administrators = Administrators()
      _ = configuration.administrators.add("CN=somebody else")
      _ = configuration.administrators.add(text)
    }
    #expect(try await fixture.faults().isEmpty)
  }

  @Test("Another certificate, and none, are refused at every method")
  func refused() async throws {
    var other = SandboxFixture.certificate
    other.subject = "CN=admin"
    other.fingerprint[0] = 0
    for certificate in [nil, other] {
      let error = try await refusal(of: certificate, administrators: [Self.print])
      #expect(error.code == .permissionDenied)
      #expect(error.refusalReason == .administratorRequired)
    }
    let fixture = try await MarketplaceFixture { configuration in
      _ = configuration.administrators.add(Self.print)
    }
    for method in SandboxServiceMethods.descriptor.methods {
      let error = try await failure { () throws(RPCError) in
        // No method reads its request before the rule has been asked.
        let _: ListFaultsResponse = try await fixture.transport.unary(
          method, ListFaultsRequest(), options: CallOptions())
      }
      #expect(error.refusalReason == .administratorRequired, "\(method.path)")
    }
  }

  @Test("Where nobody is one, there is no sandbox service")
  func denyByDefault() async throws {
    let error = try await refusal(of: SandboxFixture.certificate, administrators: [])
    #expect(error.code == .unimplemented)
  }

  @Test(
    "A text that is neither a fingerprint nor a subject is refused",
    arguments: [
      "", "admin", "abcd", String(print.dropLast()), print + "00",
      "CN=" + String(repeating: "x", count: 1_100),
    ])
  func texts(text: String) {
    var administrators = Administrators()
    let wasAdded = administrators.add(text)
    #expect(!wasAdded && administrators.isEmpty)
  }
}
