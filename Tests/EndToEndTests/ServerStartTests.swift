import Foundation
import Testing

@Suite("Starting onside-server", .timeLimit(.minutes(2)))
struct ServerStartTests {
  /// Runs the server with arguments that it can't be started with.
  private func run(_ arguments: [String], in folder: String = "/") async throws -> ProcessEnd {
    try await RunningProcess("onside-server", arguments, folder: folder).ended()
  }

  /// Checks that it ended with this code and one line that has these words, and left no store.
  private func expect(
    _ end: ProcessEnd, _ status: Int32, _ words: [String], _ workspace: Workspace,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let last = end.errors.split(separator: "\n").last.map(String.init) ?? ""
    #expect(end.status == status, "\(end.errors)", sourceLocation: sourceLocation)
    #expect(end.output == "", sourceLocation: sourceLocation)
    #expect(last.hasPrefix("onside-server: "), "\(end.errors)", sourceLocation: sourceLocation)
    for word in words {
      #expect(last.contains(word), "\(end.errors)", sourceLocation: sourceLocation)
    }
    // Beside that line there are log lines at most.
    let others = end.errors.split(separator: "\n").dropLast()
    #expect(others.allSatisfy { $0.hasPrefix("20") }, sourceLocation: sourceLocation)
    #expect(!workspace.exists("store.sqlite"), sourceLocation: sourceLocation)
  }

  @Test(
    "A wrong command line ends with 2 and names the flag and what it takes",
    arguments: [
      (["--no-such-flag"], ["unknown flag", "--no-such-flag"]),
      (["--listen", "nowhere"], ["--listen", "nowhere", "HOST:PORT"]),
      (["--listen", "127.0.0.1:65536"], ["--listen", "65536"]),
      (["--store", "postgres:x"], ["--store", "postgres:x", "sqlite:PATH or memory"]),
      (["--loops", "0"], ["--loops", "0", "1 to 256"]),
      (["--session-lifetime", "-1"], ["--session-lifetime", "-1"]),
      (["surplus"], ["surplus"]),
    ])
  func wrongCommandLine(_ arguments: [String], _ words: [String]) async throws {
    let workspace = try await Workspace()
    let given = ["--certificate", "c", "--key", "k"] + arguments
    expect(try await run(given, in: workspace.folder), 2, words, workspace)
  }

  @Test("Without a certificate there is no server")
  func noCertificate() async throws {
    let workspace = try await Workspace()
    expect(try await run([], in: workspace.folder), 2, ["--certificate FILE is needed"], workspace)
  }

  @Test("Help and version are printed and end with 0; help names codes, limits and test tokens")
  func help() async throws {
    let help = try await run(["--help"])
    #expect(help.status == 0)
    #expect(help.errors == "")
    for word in [
      "--listen", "--catalogue", "--max-product-identifiers", "SIGHUP", "sandbox-paid",
      "Docs/sandbox.md", "Exit codes", "app-key", "check FILE",
    ] {
      #expect(help.output.contains(word), "\(word)")
    }
    let version = try await run(["--version"])
    #expect(version.status == 0)
    #expect(version.output.hasPrefix("onside-server "))
  }

  @Test("An address that isn't this machine's ends with 3")
  func foreignAddress() async throws {
    let workspace = try await Workspace()
    let end = try await run(
      workspace.serverArguments.replacing("127.0.0.1:0", with: "192.0.2.1:0"),
      in: workspace.folder)
    expect(end, 3, ["192.0.2.1:0", "no address of this machine"], workspace)
  }

  @Test("C37: a port in use ends with 3, and the second server makes no store")
  func portInUse() async throws {
    let (first, second) = (try await Workspace(), try await Workspace())
    let server = try await ServerUnderTest(first)
    let end = try await run(
      second.serverArguments.replacing("127.0.0.1:0", with: server.address), in: second.folder)
    expect(end, 3, [server.address, "another process listens there"], second)
    try await server.stop()
  }

  @Test("Certificates that are missing, broken or don't fit end with 4 and name the file")
  func certificates() async throws {
    let workspace = try await Workspace()
    let certificates = workspace.certificates
    let garbage = try workspace.write("no certificate", to: "garbage.pem")
    for (old, new, word) in [
      (certificates + "/server.pem", "/none.pem", "/none.pem"),
      (certificates + "/server.key", "/none.key", "/none.key"),
      (certificates + "/server.pem", garbage, "garbage.pem"),
      (certificates + "/server.key", certificates + "/client.key", "client.key"),
    ] {
      let end = try await run(
        workspace.serverArguments.replacing(old, with: new), in: workspace.folder)
      expect(end, 4, [word], workspace)
    }
    let end = try await run(
      workspace.serverArguments + ["--client-ca", "/none-ca.pem"], in: workspace.folder)
    expect(end, 4, ["/none-ca.pem"], workspace)
  }

  @Test("A broken catalogue ends with 6 and names file, line and reason")
  func catalogue() async throws {
    let workspace = try await Workspace()
    try workspace.write(Workspace.catalogue + "{\"id\": 3}\n", to: "shop.jsonl")
    expect(
      try await run(workspace.serverArguments, in: workspace.folder), 6, ["shop.jsonl:4"],
      workspace)
  }

  @Test("A catalogue that isn't there, is a folder or is empty ends with 6 and names the file")
  func unreadableCatalogue() async throws {
    let workspace = try await Workspace()
    let empty = try workspace.write("", to: "empty.storekit")
    for file in ["/none.jsonl", workspace.folder, empty] {
      let end = try await run(
        workspace.serverArguments.replacing(workspace.folder + "/shop.jsonl", with: file),
        in: workspace.folder)
      expect(end, 6, [file], workspace)
    }
  }

  @Test("Whatever keeps it from starting, no Unix socket and no store are left")
  func nothingHalfStarted() async throws {
    let workspace = try await Workspace()
    let socket = "unix:\(workspace.folder)/socket"
    let arguments = workspace.serverArguments.replacing("127.0.0.1:0", with: socket)
    let apps = try workspace.write("[]", to: "apps.json")
    let catalogue = try workspace.write("nonsense\n", to: "broken.jsonl")
    let certificates = workspace.certificates
    for (wrong, status) in [
      (arguments.replacing(certificates + "/server.key", with: certificates + "/client.key"), 4),
      (arguments.replacing("sqlite:\(workspace.store)", with: "sqlite:/none/store"), 5),
      (arguments + ["--catalogue", catalogue], 6), (arguments + ["--apps", apps], 7),
    ] {
      expect(try await run(wrong, in: workspace.folder), Int32(status), [], workspace)
      #expect(!workspace.exists("socket"))
    }
    let first = try await ServerUnderTest(workspace)
    #expect(try await run(arguments, in: workspace.folder).status == 5)
    #expect(!workspace.exists("socket"))
    try await first.stop()
  }

  @Test("A Unix socket's path that is a file ends with 3, and the file stays")
  func socketIsFile() async throws {
    let workspace = try await Workspace()
    let path = try workspace.write("precious", to: "file")
    let end = try await run(
      workspace.serverArguments.replacing("127.0.0.1:0", with: "unix:" + path),
      in: workspace.folder)
    expect(end, 3, [path], workspace)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
  }

  @Test("A broken apps file ends with 7 and names file, line, column and reason")
  func apps() async throws {
    let workspace = try await Workspace()
    let apps = try workspace.write("{\"apps\": [\n{\"id\": \"a\", \"kee\": 1}]}", to: "apps.json")
    expect(
      try await run(workspace.serverArguments + ["--apps", apps], in: workspace.folder), 7,
      ["apps.json:2:20", "kee"], workspace)
  }

  @Test("A store of another server, of a newer release, or that is none ends with 5")
  func store() async throws {
    let workspace = try await Workspace()
    let server = try await ServerUnderTest(workspace)
    let locked = try await run(workspace.serverArguments, in: workspace.folder)
    #expect(locked.status == 5)
    #expect(locked.errors.contains("\(workspace.store) is in use by another server"))
    #expect(locked.output == "")
    // The other one doesn't notice.
    let onside = OnsideProgram(workspace, target: server.address)
    _ = try await onside.output("login", "--external-id", "user")
    try await server.stop()

    // The schema's version is in the file's header, at byte 60, as SQLite's format has it.
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: workspace.store))
    try handle.seek(toOffset: 60)
    let version = try #require(try handle.read(upToCount: 4))
    try handle.seek(toOffset: 60)
    try handle.write(contentsOf: Data([0, 0, 3, 232]))
    let newer = try await run(workspace.serverArguments, in: workspace.folder)
    #expect(newer.status == 5)
    #expect(newer.output == "")
    #expect(newer.errors.contains(workspace.store))
    try handle.seek(toOffset: 60)
    try handle.write(contentsOf: version)
    try handle.close()
    // Nothing was changed: the right release takes it again.
    try await ServerUnderTest(workspace).stop()

    let text = try workspace.write(String(repeating: "no store ", count: 200), to: "text")
    let none = try await run(
      workspace.serverArguments.replacing("sqlite:\(workspace.store)", with: "sqlite:\(text)"),
      in: workspace.folder)
    #expect(none.status == 5)
    #expect(none.errors.contains("/text"))
  }

  @Test("The default store is a file in the working folder")
  func defaultStore() async throws {
    let workspace = try await Workspace()
    let arguments = workspace.serverArguments.dropLast(2)
    let process = try RunningProcess(
      "onside-server", Array(arguments), folder: workspace.folder)
    #expect(await process.firstLine()?.hasPrefix("listening on ") == true)
    #expect(workspace.exists("onside.sqlite"))
    process.signal(SIGTERM)
    #expect(await process.ended().status == 0)
  }

  @Test("app-key prints a key and the hash that the apps file takes")
  func appKey() async throws {
    let end = try await run(["app-key"])
    #expect(end.status == 0)
    let lines = end.output.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(lines.map(\.first) == ["key", "key_sha256"])
    let key = try #require(lines.first?.last)
    let sum = try await RunningProcess(
      "/bin/sh", ["-c", "printf %s '\(key)' | sha256sum | cut -c 1-64"]
    ).ended()
    #expect(sum.output.dropLast() == lines.last?.last.map { Substring($0) })
  }

  @Test("check reads catalogue files as the server would")
  func check() async throws {
    let workspace = try await Workspace()
    let good = try await run(["check", workspace.folder + "/shop.jsonl"])
    #expect(good.status == 0)
    #expect(good.output.contains("com.example.shop: 2 products in DE"))
    let broken = try workspace.write("nonsense\n", to: "broken.jsonl")
    let bad = try await run(["check", broken])
    #expect(bad.status == 6)
    #expect(bad.errors.contains("broken.jsonl:1"))
    #expect(try await run(["check"]).status == 2)
  }
}

extension [String] {
  /// The arguments with one of them replaced.
  func replacing(_ old: String, with new: String) -> [String] {
    map { $0 == old ? new : $0 }
  }
}
