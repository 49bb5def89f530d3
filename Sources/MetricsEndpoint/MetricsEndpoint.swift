import CLinux
import Dispatch
import Glibc
import RPCTransport

/// Serves one text over HTTP/1.1, unencrypted and to whoever can reach the address: metrics for a
/// Prometheus that comes to fetch them.
///
/// It is meant for a trusted network and bounded all the same: ``mostVisits`` connections, of which
/// the oldest makes room for a new one; requests of at most 8 KiB; five seconds for each. It has a
/// thread of its own, which sleeps until somebody comes, so that it takes no part of the event
/// loops' time.
public final class MetricsEndpoint: Sendable {
  /// Connections at one time.
  public static let mostVisits = 16

  /// Where it listens, with the port that the system chose for port 0: `127.0.0.1:9095`.
  public let address: String

  /// Where the text is: `http://127.0.0.1:9095/metrics`.
  public var url: String { "http://\(address)\(MetricsEndpoint.path)" }

  /// Where the text is on the server.
  public static let path = "/metrics"

  private let wake: Int32
  private let ended = DispatchSemaphore(value: 0)

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - host: an IP address or a name, of which the first address is taken.
  ///   - port: 0 lets the system choose one.
  ///   - text: called on the endpoint's thread for each request.
  /// - Throws: ``MetricsEndpointError`` if it can't listen there.
  public init(
    host: String, port: UInt16, text: @escaping @Sendable () -> String
  ) throws(MetricsEndpointError) {
    let socket = try MetricsEndpoint.listen(host, port)
    address = socket.address.description
    wake = clinux_wakeup_descriptor()
    guard wake >= 0 else {
      close(socket.descriptor)
      throw MetricsEndpointError("eventfd", errno)
    }
    let (wake, ended) = (wake, ended)
    DispatchQueue(label: "metrics-endpoint").async {
      var reception = Reception(listener: socket.descriptor, wake: wake, text: text)
      reception.serve()
      close(socket.descriptor)
      ended.signal()
    }
  }

  private static func listen(
    _ host: String, _ port: UInt16
  ) throws(MetricsEndpointError) -> BoundSocket {
    do throws(ListenError) {
      let sockets = try BoundSocket.bind(.host(host, port: port), ListenerOptions())
      for other in sockets.dropFirst() { close(other.descriptor) }
      return sockets[0]
    } catch {
      throw MetricsEndpointError("\(host):\(port): \(error.text)")
    }
  }

  /// Ends it with all connections, and lets go of the address.
  deinit {
    clinux_wake(wake)
    ended.wait()
    close(wake)
  }
}

/// Why an endpoint can't be.
public struct MetricsEndpointError: Error, Sendable, Equatable, CustomStringConvertible {
  /// "127.0.0.1:9095: another process listens there; stop it or choose another address".
  public let description: String

  init(_ description: String) {
    self.description = description
  }

  init(_ what: String, _ number: Int32) {
    description = "\(what): \(String(cString: strerror(number)))"
  }
}
