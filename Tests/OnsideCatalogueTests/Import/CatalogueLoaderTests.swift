import Foundation
import OnsideDomain
import Synchronization
import Testing

@testable import OnsideCatalogue

@Suite struct CatalogueLoaderTests {
  @Test(
    arguments: [
      ("shop.jsonl", "shop.jsonl", nil, CatalogueSource.Format.jsonLines),
      ("a.storekit", "a.storekit", nil, .storeKit),
      ("com.example.app=a.storekit", "a.storekit", "com.example.app", .storeKit),
      ("app=/x/y=z.storekit", "/x/y=z.storekit", "app", .storeKit),
      ("/x/y=z.jsonl", "/x/y=z.jsonl", nil, .jsonLines), ("./a=b", "./a=b", nil, .jsonLines),
    ] as [(String, String, String?, CatalogueSource.Format)])
  func readsArguments(
    argument: String, path: String, app: String?, format: CatalogueSource.Format
  ) {
    let source = CatalogueSource(argument: argument)
    #expect(source == CatalogueSource(path: path, app: app))
    #expect(source.format == format)
  }

  @Test(arguments: ["missing.jsonl", "missing.storekit"])
  func namesAFileThatIsNotThere(name: String) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID())-\(name)").path
    let error = #expect(throws: CatalogueError.self) {
      try CatalogueLoader().load([CatalogueSource(path: path)])
    }
    #expect(error?.code == .unreadable)
    #expect(error?.description == "\(path): can't open the file: No such file or directory")
  }

  @Test func namesAFolder() {
    let path = FileManager.default.temporaryDirectory.path
    let error = #expect(throws: CatalogueError.self) {
      try CatalogueLoader().load([CatalogueSource(path: path)])
    }
    #expect(error?.description == "\(path): can't read the file: Is a directory")
  }

  @Test func readsFilesOfSeveralFormatsIntoOneApp() throws {
    let sources = ["shop.jsonl", "shop-v4.storekit"].map {
      CatalogueSource(path: Package.example($0))
    }
    let snapshot = try CatalogueLoader(defaultApp: "com.example.shop").load(sources).snapshot
    let app = try #require(snapshot.app("com.example.shop"))
    let dutch = try #require(snapshot.storefront("NL", of: app))
    for (id, price) in [("com.example.shop.coins.100", 109), ("com.example.shop.gems.10", 129)] {
      #expect(
        snapshot.product(id, app: app, storefront: dutch)?.price.minorUnits == Int64(price))
    }
    let japan = try #require(snapshot.storefront("JP", of: app))
    #expect(snapshot.product("com.example.shop.gems.10", app: app, storefront: japan) == nil)
  }

  @Test func putsStoreKitFilesIntoTheNamedApp() throws {
    let path = Package.example("shop-v5.storekit")
    let snapshot = try CatalogueLoader(defaultApp: "default").load([
      CatalogueSource(path: path), CatalogueSource(path: path, app: "named"),
    ]).snapshot
    #expect(snapshot.apps.map(\.id) == ["default", "named"])
  }

  @Test func reportsProgress() async throws {
    let reports = Mutex<[ImportProgress]>([])
    let lines = (0..<16_000).map { LargeCatalogue().line($0) }.joined()
    let bytes = Array((LargeCatalogue().header + lines).utf8)
    try withFile("large.jsonl", bytes) { path in
      let loader = CatalogueLoader { report in reports.withLock { $0.append(report) } }
      _ = try loader.load([CatalogueSource(path: path)])
    }
    let seen = reports.withLock { $0 }
    #expect(seen.count > 2)
    #expect(seen.map(\.bytesRead) == seen.map(\.bytesRead).sorted())
    #expect(seen.map(\.products) == seen.map(\.products).sorted())
    #expect(seen.last?.bytesRead == bytes.count)
    #expect(seen.allSatisfy { $0.byteCount == bytes.count })
  }

  /// What a server does on SIGHUP.
  @Test func aBrokenFileLeavesTheCatalogueInUse() async throws {
    let loader = CatalogueLoader()
    let good = try await loader.load(inBackground: [
      CatalogueSource(path: Package.example("shop.jsonl"))
    ])
    let holder = CatalogueHolder(good.snapshot)
    let missing = CatalogueSource(path: Package.example("none.jsonl"))
    await #expect(throws: CatalogueError.self) {
      holder.replace(with: try await loader.load(inBackground: [missing]).snapshot)
    }
    #expect(holder.snapshot === good.snapshot)
  }

  @Test func refusesALineWithoutEnd() throws {
    let line = [UInt8](repeating: UInt8(ascii: " "), count: LineReader.maximumLineLength + 1)
    try withFile("long.jsonl", Array(header.utf8) + [0x0A] + line) { path in
      let error = #expect(throws: CatalogueError.self) {
        try CatalogueLoader().load([CatalogueSource(path: path)])
      }
      #expect(error?.line == 2)
      #expect(error?.reason.contains("\(LineReader.maximumLineLength)") == true)
    }
  }

  @Test func readsLinesOfAnyLength() throws {
    let lengths = [0, 1, 1_048_575, 1_048_576, 1_048_577, 3_000_000, 5, 0, 7]
    let text = lengths.map { String(repeating: "x", count: $0) }.joined(separator: "\n")
    for ending in ["", "\n"] {
      try withFile("lines", Array((text + ending).utf8)) { path in
        var lines = LineReader(try InputFile(path))
        var seen: [Int] = []
        while let line = try lines.next() { seen.append(line.count) }
        #expect(seen == lengths)
        #expect(lines.line == lengths.count)
        #expect(lines.bytesRead == text.utf8.count + ending.utf8.count)
      }
    }
  }
}
