import Foundation
import OnsideClient

/// The session that is kept between two runs, in a file that only its user can read.
struct SessionFile {
  let path: String

  /// What is kept.
  struct Content: Codable {
    var version = 1
    var target: String
    var appID: String
    var token: String
    var profileID: String
    var expiresAtMilliseconds: Int64

    enum CodingKeys: String, CodingKey {
      case version, target, token
      case appID = "app_id"
      case profileID = "profile_id"
      case expiresAtMilliseconds = "expires_at_ms"
    }
  }

  /// What is wrong with the file, and what to do.
  struct Problem: Error, CustomStringConvertible {
    let description: String
  }

  /// `$XDG_STATE_HOME/onside/session.json`, or below `~/.local/state`.
  static var defaultPath: String {
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? "."
    let state = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
    return (state ?? home + "/.local/state") + "/onside/session.json"
  }

  /// Reads the session; nil: there is none.
  func load() throws(Problem) -> Content? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw problem("can't be read: \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw problem("can be read by others, and so could the session; chmod 600 it")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw problem("can't be read")
    }
    do {
      let content = try JSONDecoder().decode(Content.self, from: data)
      guard content.version == 1 else {
        throw problem("is of version \(content.version); this program reads version 1")
      }
      return content
    } catch let error as Problem {
      throw error
    } catch {
      throw problem("isn't a session file; remove it and log in again")
    }
  }

  /// Writes the session, whole or not at all.
  func save(_ content: Content) throws(Problem) {
    let folder = (path as NSString).deletingLastPathComponent
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      if !folder.isEmpty, !FileManager.default.fileExists(atPath: folder) {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
      try write(try encoder.encode(content))
    } catch {
      throw (error as? Problem) ?? problem("can't be written: \(error.localizedDescription)")
    }
  }

  private func write(_ data: Data) throws(Problem) {
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw problem("can't be written: \(String(cString: strerror(errno)))")
    }
    let written = data.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    let isSynced = fsync(descriptor) == 0
    close(descriptor)
    guard written == data.count, isSynced, rename(draft, path) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(draft)
      throw problem("can't be written: \(reason)")
    }
  }

  /// Forgets the session.
  func remove() throws(Problem) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw problem("can't be removed: \(String(cString: strerror(errno)))")
    }
  }

  private func problem(_ text: String) -> Problem {
    Problem(description: "session file \(path) \(text)")
  }
}
