import Foundation
import Testing

@Suite("App code in the SDK's documented style", .serialized, .timeLimit(.minutes(5)))
struct AppCodeTests {
  @Test(
    "It compiles without a warning, in both language modes, against both products",
    arguments: ["5", "6"], [[], ["-D", "LITE"]])
  func compiles(mode: String, edition: [String]) async throws {
    let files = try sources(in: "Tests/Compile/AppCode/Sources/AppCode")
    #expect(files.count >= 6)
    let result = try await Compiler().check(
      files, mode: mode, ["-warnings-as-errors", "-parse-as-library"] + edition)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test("A call from any thread is a compile error, not a crash")
  func isolation() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/onside-iso-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let calls = [
      "Onside.initialize()", "Onside.logout()", "Onside.delegate = nil",
      "_ = Onside.defaultPaymentQueue()", "_ = queue.transactions",
      "queue.restoreCompletedTransactions(completion: nil)", "request.start()",
    ]
    let lines = calls.map {
      "func call\(abs($0.hashValue))(queue: any OnsidePaymentQueue, "
        + "request: any OnsideProductsRequest) { \($0) }"
    }
    let file = folder + "/calls.swift"
    try Data((["import OnsideKit"] + lines).joined(separator: "\n").utf8)
      .write(to: URL(fileURLWithPath: file))
    let result = try await Compiler().check([file], mode: "6", ["-parse-as-library"])
    #expect(result.status != 0)
    let errors = result.output.split(separator: "\n").filter { $0.contains("error:") }
    #expect(errors.filter { $0.contains("main actor") }.count >= calls.count, "\(result.output)")
  }
}
