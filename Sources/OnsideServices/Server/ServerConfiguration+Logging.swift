import Logging
import RPC
import RPCServer
import RPCTransport

extension ServerConfiguration {
  /// The configuration with what happens on connections written to a log. Peers can cause any
  /// number of these lines, so each kind is limited in its rate.
  func logging(to log: Logger) -> ServerConfiguration {
    var configuration = self
    configuration.onHiddenError = { method, error in
      log.log(
        .error, "a call failed inside",
        ["method": .string(method.path), "cause": .describing(error)], key: method.path,
        every: .seconds(1))
    }
    configuration.onSlowHandler = { method, duration in
      log.log(
        .warning, "a handler holds up all connections of its event loop",
        ["method": .string(method.path), "for": .describing(duration)],
        key: "slow \(method.path)", every: .seconds(1))
    }
    configuration.onViolation = { peer, violation in
      log.log(
        .warning, "a peer broke the protocol",
        ["peer": .string(peer.address), "rule": .describing(violation)],
        key: "violation \(host(peer.address))", every: .seconds(1))
    }
    return configuration
  }
}

extension ListenerOptions {
  /// The options with what happens before a connection has a handler written to a log.
  func logging(to log: Logger) -> ListenerOptions {
    var options = self
    options.observer = { event in
      switch event {
      case .handshakeFailed(let peer, let end):
        log.log(
          .info, "a TLS handshake failed",
          ["peer": .describing(peer), "reason": .describing(end)],
          key: "handshake \(peer.host)", every: .seconds(1))
      case .addressRefused(let peer):
        log.log(
          .warning, "too many connections of one address: see --max-connections-per-address",
          ["peer": .describing(peer)], key: "refused \(peer.host)", every: .seconds(1))
      case .connectionRefused(let peer):
        log.log(
          .warning, "too many connections: one was refused; see --max-connections",
          ["peer": .describing(peer)], key: "refused", every: .seconds(1))
      case .outOfDescriptors(let error):
        log.log(
          .error, "no file descriptors left: accepting rests; raise the limit (ulimit -n)",
          ["cause": .describing(error)], key: "descriptors", every: .seconds(1))
      }
    }
    return options
  }
}

/// An address without its port: a peer has a new one with each connection.
private func host(_ address: String) -> String {
  guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")) else { return address }
  return String(address[..<colon])
}
