import Foundation
import Testing

@Suite("The parts for UIKit", .timeLimit(.minutes(5)))
struct UIKitTests {
  /// As much of UIKit as the interface names. Nothing is claimed about Apple's platforms with it.
  private static let stub = """
    open class NSObjectStandIn {}
    @MainActor open class UIWindowScene: NSObjectStandIn {}
    """

  private static let app = """
    import OnsideKitCore
    import UIKit

    final class SceneDelegate: OnsideDelegate {
      var scene: UIWindowScene?

      func onside(hostWindowSceneForScreen screen: OnsideScreen) -> UIWindowScene? {
        screen == .externalAccountNotification ? scene : nil
      }
    }

    final class NoScenes: OnsideDelegate {}

    @MainActor func scenes(
      _ delegate: any OnsideDelegate, _ placement: OnsideScreenPlacement
    ) -> [UIWindowScene?] {
      [delegate.onside(hostWindowSceneForScreen: .login), placement.windowScene]
    }
    """

  @Test("They are type-checked against a stub of UIKit, and so is an app's delegate")
  func stubbed() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/onside-uikit-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in [("stub", Self.stub), ("app", Self.app)] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name).swift"))
    }
    func module(_ name: String, _ files: [String]) async throws {
      let result = try await Compiler().check(
        files, mode: "6", modules: [folder],
        [
          "-emit-module", "-parse-as-library", "-module-name", name, "-o",
          "\(folder)/\(name).swiftmodule", "-enable-upcoming-feature", "ExistentialAny",
          "-enable-upcoming-feature", "MemberImportVisibility", "-package-name", "onside",
        ])
      #expect(result.status == 0, "\(result.output)")
    }
    try await module("UIKit", ["\(folder)/stub.swift"])
    try await module("OnsideKitCore", try sources(in: "Sources/OnsideKitCore"))
    let result = try await Compiler().check(
      ["\(folder)/app.swift"], mode: "6", modules: [folder], ["-parse-as-library"])
    #expect(result.status == 0, "\(result.output)")
  }
}
