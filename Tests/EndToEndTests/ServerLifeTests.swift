import Glibc
import OnsideProto
import RPC
import RPCClient
import Testing

@Suite("onside-server from start to end", .timeLimit(.minutes(2)))
struct ServerLifeTests {
  private func logIn(
    _ client: RPCClient, _ user: String
  ) async throws(RPCError) -> CreateSessionResponse {
    try await LoginServiceClient(client).createSession(
      CreateSessionRequest(appID: Workspace.app, credential: .externalUserID(user)))
  }

  private func products(_ client: RPCClient) async throws(RPCError) -> [String] {
    try await ProductsServiceClient(client).listProducts(
      ListProductsRequest(productIdentifiers: ["coins", "rubies"], appID: Workspace.app)
    ).products.map(\.productIdentifier)
  }

  @Test(
    "Standard output has the one line; SIGTERM and SIGINT drain and end with 0",
    arguments: [
      SIGTERM, SIGINT,
    ])
  func drains(_ signal: Int32) async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let client = try ClientUnderTest(server, workspace)
    #expect(try await logIn(client.client, "user").created)
    server.signal(signal)
    let end = await server.ended()
    #expect(end.status == 0, "\(end.errors)")
    #expect(end.output == "listening on \(server.address)\n")
    #expect(end.errors.contains("com.example.shop"))
    #expect(end.errors.contains("draining") && end.errors.contains("drained"))
    await client.close()
  }

  @Test("C41: a second signal ends at once with 1")
  func secondSignal() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    // A client that never answers anything: draining waits for it.
    let silent = try RunningProcess(
      "/bin/sh",
      [
        "-c",
        "(sleep 30) | openssl s_client -quiet -alpn onside/1 -connect \(server.address) "
          + "-CAfile \(workspace.certificates)/ca.pem",
      ])
    await silent.waitForErrors("verify return:1")
    server.signal(SIGTERM)
    await server.waitForLog("draining")
    server.signal(SIGTERM)
    let end = await server.ended()
    #expect(end.status == 1, "\(end.errors)")
    #expect(end.errors.contains("second signal"))
    silent.signal(SIGKILL)
  }

  @Test("C41: a call that doesn't end in time is lost at the end of --drain-timeout, with 1")
  func drainTimeout() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(
      workspace, ["--drain-timeout", "0.3", "--metrics-interval", "0.1"])
    // SETUP, and a call whose request never comes whole.
    let setup = "\0\0\0\0\0\0\0\0\u{1}\0"
    let header = "\u{A}\u{13}rpc.v1.Health/Check"
    let call = "\0\0\0\u{17}\0\0\0\u{1}\u{2}\u{9}\u{15}" + header + "\u{A}"
    let input = try workspace.write(setup + call, to: "call")
    let client = try RunningProcess(
      "/bin/sh",
      [
        "-c",
        "exec openssl s_client -quiet -alpn onside/1 -connect \(server.address) "
          + "-CAfile \(workspace.certificates)/ca.pem < \(input)",
      ])
    await server.waitForLog("\"rpc.v1.Health/Check\":{\"started\":1")
    server.signal(SIGTERM)
    let end = await server.ended()
    #expect(end.status == 1, "\(end.errors)")
    #expect(end.errors.contains("calls were lost at the end of --drain-timeout"))
    client.signal(SIGKILL)
  }

  @Test("SIGHUP takes a new catalogue; a broken one is logged with its place and changes nothing")
  func reload() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let client = try ClientUnderTest(server, workspace)
    #expect(try await products(client.client) == ["coins"])
    try workspace.write(Workspace.catalogue + "{\"id\":\n", to: "shop.jsonl")
    server.signal(SIGHUP)
    await server.waitForLog("reload failed")
    #expect(try await products(client.client) == ["coins"])
    try workspace.write(
      Workspace.catalogue.replacing("no-ads", with: "rubies"), to: "shop.jsonl")
    server.signal(SIGHUP)
    await server.waitForLog("the catalogue was read apps=1 products=2")
    while try await products(client.client) != ["coins", "rubies"] { await Task.yield() }
    await client.close()
    let end = try await server.stop()
    #expect(end.errors.contains("shop.jsonl:4"))
  }

  @Test("C28: SIGTERM under load: each call has one outcome, and what was acknowledged holds")
  func drainUnderLoad() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let client = try ClientUnderTest(server, workspace, connections: 4)
    let books = try await withThrowingTaskGroup(of: [(user: String, profile: String)].self) {
      group in
      for worker in 0..<8 {
        group.addTask { try await load(client.client, worker, until: 200, server) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let end = await server.ended()
    #expect(end.status == 0, "\(end.errors)")
    await client.close()
    #expect(books.count >= 200)

    let next = try await ServerUnderTest(workspace)
    let second = try ClientUnderTest(next, workspace)
    for entry in books {
      let answer = try await logIn(second.client, entry.user)
      #expect(!answer.created)
      #expect(answer.profileID == entry.profile)
    }
    await second.close()
    try await next.stop()
  }

  /// Logs new users in until the server refuses; worker 0 ends the server after some.
  private func load(
    _ client: RPCClient, _ worker: Int, until count: Int, _ server: ServerUnderTest
  ) async throws -> [(user: String, profile: String)] {
    var acknowledged: [(user: String, profile: String)] = []
    for index in 0..<100_000 {
      if worker == 0, index == count { server.signal(SIGTERM) }
      let user = "user-\(worker)-\(index)"
      do throws(RPCError) {
        let answer = try await logIn(client, user)
        acknowledged.append((user, answer.profileID))
      } catch {
        // Accepted calls end with their answer: what fails was never started.
        #expect(error.code == .unavailable, "\(error)")
        #expect(!error.wasStarted, "\(error)")
        return acknowledged
      }
    }
    throw EndToEndFailure("the server never stopped")
  }

  @Test("C39: a server starts again on the same port at once, twenty times")
  func restarts() async throws {
    let workspace = try await Workspace()
    let first = try await ServerUnderTest(workspace)
    let address = first.address
    try await first.stop()
    for _ in 0..<20 {
      let arguments = workspace.serverArguments.replacing("127.0.0.1:0", with: address)
      let process = try RunningProcess("onside-server", arguments, folder: workspace.folder)
      #expect(await process.firstLine() == "listening on \(address)")
      process.signal(SIGTERM)
      #expect(await process.ended().status == 0)
    }
  }
}
