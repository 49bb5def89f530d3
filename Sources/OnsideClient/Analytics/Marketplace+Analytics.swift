import Synchronization

extension Marketplace {
  /// Where this installation of the app came from; nil: not known, or from nowhere in particular.
  ///
  /// Asked once, and kept on disk; calls at the same moment share the question. Always nil in local
  /// testing.
  public func attribution() async throws(OnsideError) -> String? {
    if backend.isLocal { return nil }
    let (result, isFirst) = state.withLock { state in
      if let running = state.attribution { return (running, false) }
      let result = OneShot<Result<String?, OnsideError>>()
      state.attribution = result
      return (result, true)
    }
    guard isFirst else { return try await result.value.get() }
    let answer = await askForAttribution()
    if case .failure = answer { state.withLock { $0.attribution = nil } }
    result.resolve(answer)
    return try answer.get()
  }

  private static let attributionName = "attribution"
  private static let installationName = "installation"

  /// A kept answer is a byte that says whether there is a URL, and the URL.
  private func askForAttribution() async -> Result<String?, OnsideError> {
    if let kept = try? await store.load(Self.attributionName), let mark = kept.first {
      return .success(mark == 1 ? String(decoding: kept.dropFirst(), as: UTF8.self) : nil)
    }
    do throws(OnsideError) {
      let url = try await backend.attribution(installationID: await installationID())
      let bytes: [UInt8] = url.map { [1] + Array($0.utf8) } ?? [0]
      // What can't be kept is asked for again after a restart.
      try? await store.save(Self.attributionName, revision: 1, bytes)
      return .success(url)
    } catch {
      return .failure(error)
    }
  }

  /// Made at random, once for an installation of the app.
  private func installationID() async -> String {
    let (id, isFirst) = state.withLock { state in
      if let present = state.installation { return (present, false) }
      let id = OneShot<String>()
      state.installation = id
      return (id, true)
    }
    guard isFirst else { return await id.value }
    if let kept = try? await store.load(Self.installationName) {
      id.resolve(String(decoding: kept, as: UTF8.self))
    } else {
      let made = PurchaseRequest.randomKey()
      try? await store.save(Self.installationName, revision: 1, Array(made.utf8))
      id.resolve(made)
    }
    return await id.value
  }

  /// Takes note of something that the user did; it is sent in the background, with others.
  ///
  /// At most 1,000 events wait; the oldest are left out then. In local testing nothing is sent.
  ///
  /// - Throws: As `TrackedEvent`.
  public func track(
    _ name: String, parameters: [String: TrackedEvent.Value] = [:]
  ) throws(OnsideError) {
    let event = try TrackedEvent(
      name, parameters: parameters, occurredAtMilliseconds: configuration.now())
    if backend.isLocal { return }
    let begins = state.withLock { state in
      state.events.append(event)
      defer { state.events.isSending = true }
      return !state.events.isSending
    }
    if begins { spawn { await $0.sendEvents() } }
  }

  private func sendEvents() async {
    try? await configuration.pause(configuration.eventDelay)
    let installation = await installationID()
    var attempt = 0
    while let batch = nextEvents() {
      do throws(OnsideError) {
        _ = try await backend.track(batch, installationID: installation)
        attempt = 0
      } catch {
        if error.isTransient {
          guard await pauseAfter(attempt, in: nil) else { break }
          attempt += 1
          continue
        }
        // It would be refused again.
      }
      state.withLock { $0.events.remove(batch) }
    }
    state.withLock { $0.events.isSending = false }
  }

  /// The next batch; nil, and nobody is sending any more: there is none.
  private func nextEvents() -> [TrackedEvent]? {
    state.withLock { state in
      let batch = state.events.batch
      if batch.isEmpty { state.events.isSending = false }
      return batch.isEmpty ? nil : batch
    }
  }
}
