import Foundation
import OnsideClient
import OnsideKit
import Testing

extension LibraryTests {
  /// The Python code of `Docs/history.md`, as it stands there.
  @Suite("Verifying a signed history") @MainActor struct HistoryGuides {
    nonisolated private static let use = """

      import sys
      if __name__ == "__main__":
          jws, keys, app = (open(path).read() for path in sys.argv[1:])
          try:
              for purchase in verify(jws, keys, app):
                  print(purchase["order_id"], purchase["app_account_token"])
          except ValueError as problem:
              print("refused:", problem)
      """

    private static func guide() throws -> String {
      let text = try String(contentsOfFile: Package.root + "/Docs/history.md", encoding: .utf8)
      let start = try #require(text.range(of: "```python\n"))
      let end = try #require(text.range(of: "```\n", range: start.upperBound..<text.endIndex))
      return String(text[start.upperBound..<end.lowerBound])
    }

    /// A Python that has what the guide asks for; nil, with a printed reason: there is none.
    private static func python() async throws -> String? {
      for program in ["python3", "/usr/bin/python3"] {
        let found = try await Program.run([program, "-c", "import cryptography"])
        if found.status == 0 { return program }
      }
      print("Docs/history.md isn't tried: no python3 has the package cryptography")
      #expect(ProcessInfo.processInfo.environment["CI"] != "true")
      return nil
    }

    @Test("The guide's code takes what the service has signed, and nothing else")
    func guide() async throws {
      guard let python = try await Self.python() else { return }
      let guide = try Self.guide()
      try await Kit.run { kit, Onside in
        try await kit.logIn("user-1", Onside)
        Onside.defaultPaymentQueue().add(observer: kit.observer)
        let coins = try #require(try await Onside.load(["coins"]).get().products.first)
        try await Onside.buy(coins, token: "order-7").get()
        let bought = try #require(await kit.observer.transaction([.purchased, .failed]))
        let jws = try #require(try await Onside.signedInAppsHistory().string)
        let keys = try await kit.service.client().keySet()
        func run(_ jws: String, _ keys: String, _ app: String) async throws -> String {
          let texts = [("guide.py", guide + Self.use), ("jws", jws), ("keys", keys), ("app", app)]
          let paths = texts.map { kit.service.folder + "/" + $0.0 }
          for (path, text) in zip(paths, texts) {
            try Data(text.1.utf8).write(to: URL(fileURLWithPath: path))
          }
          let result = try await Program.run([python] + paths)
          #expect(result.status == 0, "\(result.output)")
          return result.output.trimmingCharacters(in: .newlines)
        }
        let id = try #require(bought.transactionIdentifier)
        #expect(try await run(jws, keys, KitService.app) == "\(id) order-7")
        let refused = "refused: not signed by the service"
        #expect(try await run(jws, #"{"keys":[]}"#, KitService.app) == refused)
        #expect(
          try await run(jws, keys, "com.example.other")
            == "refused: the history of another app or service")
        let parts = jws.split(separator: ".").map(String.init)
        for forged in [
          [parts[0], Self.changed(parts[1]), parts[2]], [parts[0], parts[1], parts[2] + "AAAA"],
          [Self.header(#"{"alg":"none"}"#), parts[1], ""],
        ] {
          #expect(try await run(forged.joined(separator: "."), keys, KitService.app) == refused)
        }
      }
    }

    /// A payload with another price.
    private static func changed(_ payload: String) -> String {
      let padding = String(repeating: "=", count: (4 - payload.utf8.count % 4) % 4)
      let base64 = payload.replacing("-", with: "+").replacing("_", with: "/") + padding
      let json = String(decoding: Data(base64Encoded: base64) ?? Data(), as: UTF8.self)
      #expect(json.contains("\"price\":499"))
      return header(json.replacing("\"price\":499", with: "\"price\":199"))
    }

    private static func header(_ json: String) -> String {
      Data(json.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
  }
}
