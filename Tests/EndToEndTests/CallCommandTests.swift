import Foundation
import Testing

@Suite("onside call, list and describe", .timeLimit(.minutes(2)))
struct CallCommandTests {
  /// A running server, and a way to run `onside` against it.
  private struct Scene {
    let workspace: Workspace
    let server: ServerUnderTest

    init(_ serverArguments: [String] = ["--reflection"]) async throws {
      workspace = try await Workspace()
      server = try await ServerUnderTest(workspace, serverArguments)
    }

    var access: [String] {
      [
        "--target", server.address, "--ca", workspace.certificates + "/ca.pem", "--session-file",
        workspace.folder + "/session.json",
      ]
    }

    func onside(_ arguments: String...) async throws -> ProcessEnd {
      try await RunningProcess("onside", arguments + access, folder: workspace.folder).ended()
    }
  }

  @Test("list names the services, and the methods of one")
  func list() async throws {
    let scene = try await Scene()
    let services = try await scene.onside("list")
    #expect(services.status == 0, "\(services.errors)")
    #expect(
      services.output == """
        onside.v1.AnalyticsService
        onside.v1.LoginService
        onside.v1.PaymentsService
        onside.v1.ProductsService
        rpc.v1.Health
        rpc.v1.Reflection

        """)
    let methods = try await scene.onside("list", "onside.v1.LoginService")
    #expect(
      methods.output == """
        onside.v1.LoginService.CreateSession
        onside.v1.LoginService.SendPhoneCode
        onside.v1.LoginService.BeginStoreLogin
        onside.v1.LoginService.GetProfile
        onside.v1.LoginService.EndSession

        """)
    let json = try await scene.onside("list", "rpc.v1.Reflection", "--json")
    #expect(
      try JSONDecoder().decode([String].self, from: Data(json.output.utf8))
        == ["rpc.v1.Reflection.ListServices", "rpc.v1.Reflection.GetFile"])
    #expect(try await scene.onside("list", "no.Such").status == 2)
    try await scene.server.stop()
  }

  @Test("describe shows definitions with their comments and options")
  func describe() async throws {
    let scene = try await Scene()
    let service = try await scene.onside("describe", "onside.v1.LoginService")
    #expect(service.status == 0, "\(service.errors)")
    for text in [
      "onside.v1.LoginService is a service:\n// Signs users in and out, in one of three ways",
      "  rpc CreateSession ( .onside.v1.CreateSessionRequest ) returns "
        + "( .onside.v1.CreateSessionResponse ) {\n",
      "    option (rpc.v1.carries_credentials) = true;\n",
    ] {
      #expect(service.output.contains(text), "\(service.output)")
    }
    let method = try await scene.onside("describe", "onside.v1.LoginService/GetProfile")
    #expect(method.output.hasPrefix("onside.v1.LoginService.GetProfile is a method:\n"))
    let all = try await scene.onside("describe")
    #expect(all.output.contains("rpc.v1.Reflection is a service:\n"))
    #expect(try await scene.onside("describe", "onside.v1.Nothing").status == 2)
    try await scene.server.stop()
  }

  @Test("call takes JSON from the command line, a file and standard input")
  func call() async throws {
    let scene = try await Scene()
    let method = "onside.v1.ProductsService/ListProducts"
    let request = #"{"app_id": "com.example.shop", "productIdentifiers": ["coins", "nothing"]}"#
    let direct = try await scene.onside("call", method, "-d", request)
    #expect(direct.status == 0, "\(direct.errors)")
    #expect(direct.output.contains(#""productIdentifier": "coins""#), "\(direct.output)")
    try scene.workspace.write(request, to: "request.json")
    let file = try await scene.onside("call", method, "--data", "@request.json")
    #expect(file.output == direct.output)
    let words = scene.access.map { "'\($0)'" }.joined(separator: " ")
    for input in ["-", "@"] {
      let script =
        "'\(Executables.folder)/onside' call \(method) -d \(input) \(words) < request.json"
      let piped = try await RunningProcess(
        "/bin/sh", ["-c", script], folder: scene.workspace.folder
      ).ended()
      #expect(piped.output == direct.output, "\(input): \(piped.errors)")
    }
    let none = try await scene.onside("call", "rpc.v1.Health/Check")
    #expect(none.output == "{\n  \"status\": \"SERVING_STATUS_SERVING\"\n}\n")
    try await scene.server.stop()
  }

  @Test("The session that login opened goes with a call, to that server only")
  func session() async throws {
    let scene = try await Scene()
    #expect(try await scene.onside("login", "--external-id", "zoe").status == 0)
    let method = "onside.v1.LoginService/GetProfile"
    let profile = try await scene.onside("call", method)
    #expect(profile.output.contains(#""externalUserId": "zoe""#), "\(profile.errors)")
    let without = try await scene.onside("call", method, "--no-session")
    #expect(without.status == 12)
    #expect(without.errors.contains("onside: UNAUTHENTICATED: "))
    #expect(without.errors.contains(#""reason":"SESSION_MISSING""#), "\(without.errors)")
    let other = try await Scene()
    let elsewhere = try await RunningProcess(
      "onside",
      ["call", method] + other.access.dropLast() + [scene.workspace.folder + "/session.json"]
    ).ended()
    #expect(elsewhere.errors.contains("SESSION_MISSING"), "\(elsewhere.errors)")
    try await scene.server.stop()
    try await other.server.stop()
  }

  @Test("A header is sent, and its value is in no error")
  func headers() async throws {
    let scene = try await Scene()
    let method = "onside.v1.LoginService/GetProfile"
    let wrong = try await scene.onside("call", method, "-H", "authorization: Bearer secret-token")
    #expect(wrong.status == 12)
    #expect(wrong.errors.contains("UNAUTHENTICATED"))
    for header in [
      "rpc-x: secret-token", "a b: secret-token", "secret-token", "x-bin: secret-token",
    ] {
      let refused = try await scene.onside("call", method, "--header", header)
      #expect(refused.status == 2, "\(header): \(refused.errors)")
      #expect(refused.errors.hasPrefix("onside: --header"))
      #expect(!refused.errors.contains("secret"))
    }
    #expect(!wrong.errors.contains("secret-token"))
    try await scene.server.stop()
  }

  @Test("With -v the method and what the server sends as metadata stand on standard error")
  func verbose() async throws {
    let scene = try await Scene()
    let method = "rpc.v1.Health/Check"
    let plain = try await scene.onside("call", method, "-H", "onside-want-service-time: 1")
    #expect(plain.errors == "")
    for arguments in [["-v"], ["--verbose", "-d", #"{"service": "no.Such"}"#]] {
      let end = try await RunningProcess(
        "onside",
        ["call", method, "-H", "onside-want-service-time: 1"] + arguments + scene.access
      ).ended()
      let lines = end.errors.split(separator: "\n")
      #expect(
        lines.prefix(2) == [
          "method: rpc.v1.Health/Check (rpc.v1.HealthCheckRequest) "
            + "returns (rpc.v1.HealthCheckResponse)", "sent: onside-want-service-time",
        ])
      #expect(lines.contains { $0.hasPrefix("trailer: onside-service-us: ") }, "\(end.errors)")
      #expect(end.status == (arguments.count == 1 ? 0 : 12))
      #expect(end.output == (arguments.count == 1 ? plain.output : ""))
    }
    try await scene.server.stop()
  }

  @Test("Each way to fail has its exit code and a line that says why")
  func failures() async throws {
    let scene = try await Scene()
    let create = "onside.v1.LoginService/CreateSession"
    for (arguments, status, text) in [
      (["call", create, "-d", "{\"appId\": 5}"], 2, "line 1, column 11: appId: expected a string"),
      (["call", create, "-d", "{} {}"], 2, "takes one request"),
      (["call", create, "-d", "@nothing.json"], 9, "nothing.json can't be read"),
      (["call", create, "-d", "{\"appId\": \"x\"}"], 12, "NOT_FOUND: "),
      (["call", "nonsense"], 2, "names no method"),
      (["call", "no.Such/Method"], 2, "no file of the server defines \"no.Such\""),
      (["call", "onside.v1.LoginService/Nothing"], 2, "it has CreateSession, SendPhoneCode, "),
      (["call"], 2, "METHOD is needed"),
      (["list", "--descriptor-set", "shop.jsonl"], 9, "not a descriptor set"),
    ] as [([String], Int32, String)] {
      let end = try await RunningProcess(
        "onside", arguments + scene.access, folder: scene.workspace.folder
      ).ended()
      #expect(end.status == status, "\(arguments): \(end.errors)")
      #expect(end.errors.contains(text), "\(arguments): \(end.errors)")
      #expect(end.output == "")
    }
    let trust = try await RunningProcess("onside", ["list"] + scene.access.prefix(2)).ended()
    #expect(trust.status == 4, "\(trust.errors)")
    try await scene.server.stop()
    let nobody = try await scene.onside("list")
    #expect(nobody.status == 3, "\(nobody.errors)")
  }

  @Test("Reflection is off unless asked for; known types and a descriptor set do without it")
  func withoutReflection() async throws {
    let scene = try await Scene([])
    let list = try await scene.onside("list")
    #expect(list.status == 12)
    #expect(list.errors.contains("doesn't offer reflection; start it with --reflection"))
    #expect(list.errors.contains("--descriptor-set FILE"))
    #expect(try await scene.onside("call", "rpc.v1.Reflection/ListServices").status == 12)
    let health = try await scene.onside("call", "rpc.v1.Health/Check")
    #expect(health.status == 0, "\(health.errors)")
    let known = try await RunningProcess("onside", ["list", "--built-in"]).ended()
    #expect(known.output.contains("onside.v1.PaymentsService\n"))
    let proto = Workspace.packageRoot + "/Proto"
    let set = scene.workspace.folder + "/health.fds"
    let compiled = try await RunningProcess(
      "/usr/bin/env",
      ["protoc", "-I", proto, "--include_imports", "-o", set, "rpc/v1/health.proto"]
    ).ended()
    try #require(compiled.status == 0, "\(compiled.errors)")
    let given = try await scene.onside("call", "rpc.v1.Health/Check", "--descriptor-set", set)
    #expect(given.output == health.output, "\(given.errors)")
    let others = try await scene.onside("describe", "onside.v1.Price", "--descriptor-set", set)
    #expect(others.status == 2)
    try await scene.server.stop()
  }

  @Test("A watch of the health prints each state, and ends well when the server drains")
  func watch() async throws {
    let scene = try await Scene()
    let watch = try RunningProcess("onside", ["call", "rpc.v1.Health/Watch"] + scene.access)
    #expect(await watch.firstLine() == "{")
    try await scene.server.stop()
    let end = await watch.ended()
    #expect(end.status == 0, "\(end.errors)")
    #expect(
      end.output == """
        {
          "status": "SERVING_STATUS_SERVING"
        }
        {
          "status": "SERVING_STATUS_NOT_SERVING"
        }

        """)
  }

  @Test("A stream of responses ends at the time limit that is given, with DEADLINE_EXCEEDED")
  func timeLimit() async throws {
    let scene = try await Scene()
    let end = try await scene.onside(
      "call", "rpc.v1.Health/Watch", "--built-in", "--timeout", "0.2")
    #expect(end.status == 12 || end.status == 1, "\(end.errors)")
    #expect(end.errors.contains("DEADLINE_EXCEEDED"), "\(end.errors)")
    try await scene.server.stop()
  }
}
