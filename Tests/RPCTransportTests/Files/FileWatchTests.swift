import Foundation
import RPCTransport
import Testing

@Suite("Watching files")
struct FileWatchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func fingerprints() -> [FileFingerprint] {
    ["certificate", "key"].map { FileFingerprint(of: path($0)) }
  }

  @Test("What has changed is read once it looks the same twice, and then no more")
  func settles() throws {
    try write("a", to: path("certificate"))
    try write("b", to: path("key"))
    var watch = FileWatch(fingerprints())
    #expect(watch.look(fingerprints()) == .nothing)
    try write("longer", to: path("certificate"))
    #expect(watch.look(fingerprints()) == .wait)
    // The key follows: the pair wasn't complete.
    try write("longer, too", to: path("key"))
    #expect(watch.look(fingerprints()) == .wait)
    #expect(watch.look(fingerprints()) == .read)
    for _ in 0..<3 { #expect(watch.look(fingerprints()) == .nothing) }
  }

  @Test("Files that were read for another reason aren't read again")
  func readOtherwise() throws {
    try write("a", to: path("certificate"))
    var watch = FileWatch(fingerprints())
    try write("longer", to: path("certificate"))
    #expect(watch.look(fingerprints()) == .wait)
    watch.wereRead(fingerprints())
    #expect(watch.look(fingerprints()) == .nothing)
  }

  @Test("A file that vanishes and comes back is read each time, once")
  func vanishes() throws {
    try write("a", to: path("certificate"))
    let first = fingerprints()
    var watch = FileWatch(first)
    try FileManager.default.moveItem(atPath: path("certificate"), toPath: path("aside"))
    #expect(fingerprints() == fingerprints() && fingerprints() != first)
    #expect([watch.look(fingerprints()), watch.look(fingerprints())] == [.wait, .read])
    #expect(watch.look(fingerprints()) == .nothing)
    try FileManager.default.moveItem(atPath: path("aside"), toPath: path("certificate"))
    #expect(fingerprints() == first)
    #expect([watch.look(fingerprints()), watch.look(fingerprints())] == [.wait, .read])
  }

  @Test("A file of the same size, in the same place, written at another time is another one")
  func sameSize() throws {
    try write("one", to: path("key"))
    let first = FileFingerprint(of: path("key"))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path("key"))
    #expect(FileFingerprint(of: path("key")) != first)
  }

  /// Kubernetes shows a secret's files through a link to a folder, and swaps the link.
  @Test("A link that is swapped is a change of the files behind it")
  func swappedLink() throws {
    let files = FileManager.default
    for (version, text) in [("v1", "same"), ("v2", "same")] {
      try files.createDirectory(atPath: path(version), withIntermediateDirectories: false)
      try write(text, to: path(version + "/tls.crt"))
    }
    try files.createSymbolicLink(atPath: path("data"), withDestinationPath: "v1")
    try files.createSymbolicLink(atPath: path("tls.crt"), withDestinationPath: "data/tls.crt")
    var watch = FileWatch([FileFingerprint(of: path("tls.crt"))])
    try files.createSymbolicLink(atPath: path("next"), withDestinationPath: "v2")
    #expect(rename(path("next"), path("data")) == 0)
    let swapped = [FileFingerprint(of: path("tls.crt"))]
    #expect([watch.look(swapped), watch.look(swapped)] == [.wait, .read])
  }
}
