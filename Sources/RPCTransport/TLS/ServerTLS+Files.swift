extension ServerTLS.Configuration {
  /// How the files that it names look now: certificate, key, client CA. For ``FileWatch``.
  public var fingerprints: [FileFingerprint] {
    ([certificateFile, keyFile] + (clientCAFile.map { [$0] } ?? [])).map {
      FileFingerprint(of: $0)
    }
  }
}
