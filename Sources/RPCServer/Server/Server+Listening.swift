import RPC
public import RPCTransport
import Synchronization

extension Server {
  /// Begins to serve at an address. A server may serve at several.
  ///
  /// - Parameters:
  ///   - endpoint: Where. Port 0 picks a free one: the listener says which.
  ///   - tls: The certificate; its application protocols must contain `RPCProtocol.name`.
  ///   - options: Limits of the listener; its `channel` is replaced by the server's configuration.
  /// - Returns: The listener, with its addresses and counters. `drain` stops it.
  /// - Throws: `ListenError`, which names the address and what to do.
  @discardableResult
  public func listen(
    on endpoint: Endpoint, tls: ServerTLS, options: ListenerOptions = ListenerOptions()
  ) throws(ListenError) -> Listener {
    var options = options
    options.channel = parts.channelOptions
    let loops = loops
    let listener = try Listener.bind(to: endpoint, tls: tls, group: group, options: options) {
      channel in ServerConnection(channel, home: loops[channel.loop.index])
    }
    listeners.withLock { $0.append(listener) }
    allListeners.withLock { $0.append(listener) }
    return listener
  }

  /// Stops listening, lets the calls that were accepted end, and closes the connections.
  ///
  /// Clients are told to make further calls elsewhere; those that were on their way here are
  /// refused as not started.
  ///
  /// - Parameter limit: The longest wait. Calls that run longer are lost.
  /// - Returns: True when every accepted call has ended within it.
  @discardableResult
  public func drain(within limit: Duration) async -> Bool {
    let open = listeners.withLock { listeners in
      defer { listeners = [] }
      return listeners
    }
    for listener in open { await listener.stop() }
    let outcome = DrainOutcome(loops.count)
    return await withCheckedContinuation { continuation in
      outcome.continuation.withLock { $0 = continuation }
      for loop in loops {
        loop.loop.post { loop.drain { outcome.loopIsEmpty() } }
      }
      drains.store(true, ordering: .releasing)
      // The first loop's clock: the others' may be busy, this one too, and then a little late.
      let first = loops[0].loop
      first.post { [loops] in
        first.schedule(at: first.now.advanced(by: limit)) {
          guard outcome.end(false) else { return }
          for loop in loops { loop.loop.post { loop.closeAll() } }
        }
      }
    }
  }
}
