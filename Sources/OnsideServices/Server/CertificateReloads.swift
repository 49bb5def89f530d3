import Logging
import RPCTransport
import Synchronization

/// Reads certificate, key and client CA again: when it is told to, and when they have changed.
final class CertificateReloads: Sendable {
  /// What uses the files.
  let tls: ServerTLS
  private let log: Logger
  /// Held while the files are read: what was read earlier mustn't be put to use later.
  private let watch: Mutex<FileWatch>

  /// Reads the files for the first time.
  ///
  /// - Parameters:
  ///   - configuration: Names them.
  ///   - log: Gets each reload, and why one failed.
  init(_ configuration: ServerTLS.Configuration, _ log: Logger) throws(TLSConfigurationError) {
    let fingerprints = configuration.fingerprints
    tls = try ServerTLS(configuration)
    self.log = log
    watch = Mutex(FileWatch(fingerprints))
  }

  /// Reads the files now. What can't be used is logged, and what was in use stays.
  ///
  /// - Returns: True when they are in use.
  func reload() -> Bool {
    watch.withLock { watch in
      // Before they are read: what changes meanwhile is seen at the next look.
      watch.wereRead(tls.configuration.fingerprints)
      return read()
    }
  }

  /// Reads the files if they have changed and seem to be complete.
  func check() {
    watch.withLock { watch in
      if watch.look(tls.configuration.fingerprints) == .read { _ = read() }
    }
  }

  private func read() -> Bool {
    do throws(TLSConfigurationError) {
      try tls.reload()
      log.info("certificates were read again", ["serial": .string(tls.certificateSerial)])
      return true
    } catch {
      log.reloadFailed("certificates", "\(error)")
      return false
    }
  }
}

extension Logger {
  /// Something couldn't be read again.
  func reloadFailed(_ what: String, _ reason: String) {
    error(
      "reload failed: what was in use stays",
      ["what": .string(what), "reason": .string(reason)])
  }
}
