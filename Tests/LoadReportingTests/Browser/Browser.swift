import Foundation
import TestProcess

/// A headless Chromium without a network, and what it says about a page.
struct Browser {
  private let program: String

  /// Nil: there is none on this machine; the reason is printed. In CI there has to be one.
  init?() {
    let places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    guard let program = places.first(where: { access($0, X_OK) == 0 }) else {
      precondition(
        ProcessInfo.processInfo.environment["CI"] != "true", "CI needs chromium; Scripts/setup.sh")
      print("skipped: no chromium here; Scripts/setup.sh installs it")
      return nil
    }
    self.program = program
  }

  /// Opens a page from a file, and waits until its script and the probe have run.
  func open(_ page: String, width: Int, isDark: Bool = false) throws -> PageSight {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("page.html")
    try PageSight.probed(page).write(to: file, atomically: true, encoding: .utf8)
    // A window can't be as narrow as a telephone; a frame in it can.
    let frame = folder.appendingPathComponent("frame.html")
    try PageSight.frame(width: width).write(to: frame, atomically: true, encoding: .utf8)
    let (document, log) = try run(
      options(isDark: isDark, folder: folder) + [frame.absoluteString], folder)
    return try PageSight(document: document, log: log)
  }

  /// Names aren't resolved, and everything else goes to a proxy that isn't there.
  private func options(isDark: Bool, folder: URL) -> [String] {
    var options = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--no-first-run", "--disable-extensions", "--disable-background-networking",
      "--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=127.0.0.1:9", "--hide-scrollbars",
      "--user-data-dir=\(folder.path)/profile", "--enable-logging=stderr", "--v=0",
      "--window-size=1400,900", "--virtual-time-budget=3000", "--dump-dom",
    ]
    if isDark { options.append("--blink-settings=preferredColorScheme=0") }
    return options
  }

  private func run(_ arguments: [String], _ folder: URL) throws -> (output: String, log: String) {
    let process = TestProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments = ["--kill-after=5", "120", program] + arguments
    let files = ["output", "log"].map { folder.appendingPathComponent($0) }
    let handles = try files.map { file in
      try Data().write(to: file)
      return try FileHandle(forWritingTo: file)
    }
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    return (texts[0], texts[1])
  }
}
