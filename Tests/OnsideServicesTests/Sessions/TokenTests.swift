import OnsideDomain
import OnsideStore
import Testing

@testable import OnsideServices

@Suite("Session tokens")
struct TokenTests {
  @Test("What was sealed is opened again", arguments: [0, 1, 2, 3, 15, 16, 63, 64])
  func opens(storefrontLength: Int) async throws {
    let bench = try await SessionBench()
    for (kind, country) in [(ProfileKind.regular, "AD"), (.external, "ZW")] {
      let claims = try bench.claims(
        storefront: String(repeating: "s", count: storefrontLength), country: country, kind: kind)
      #expect(try bench.open(try bench.seal(claims)) == claims)
    }
  }

  @Test("A token is at most 256 characters of the URL alphabet")
  func isShort() async throws {
    let bench = try await SessionBench()
    #expect(TokenSealer.maximumTextCount <= 256)
    let token = try bench.seal(try bench.claims(storefront: String(repeating: "s", count: 64)))
    #expect(token.utf8.count == TokenSealer.maximumTextCount)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    #expect(token.allSatisfy(alphabet.contains))
  }

  @Test("A storefront identifier over 64 bytes can't be sealed")
  func refusesLongStorefront() async throws {
    let bench = try await SessionBench()
    let claims = try bench.claims(storefront: String(repeating: "s", count: 65))
    #expect(throws: TokenSealingError.storefrontTooLong) { try bench.seal(claims) }
  }

  @Test("With any one bit changed a token is invalid", arguments: ["d", "de", "deu"])
  func refusesChanges(storefront: String) async throws {
    let bench = try await SessionBench()
    let token = Array(try bench.seal(try bench.claims(storefront: storefront)).utf8)
    for position in token.indices {
      for bit in 0..<8 {
        var changed = token
        changed[position] ^= 1 << bit
        let refusal = changed.withUnsafeBytes { bytes in
          #expect(throws: RefusalReason.self, "byte \(position), bit \(bit)") {
            try bench.sealer.open(bytes, now: bench.clock.now)
          }
        }
        #expect(refusal == .sessionInvalid, "byte \(position), bit \(bit)")
      }
    }
    #expect(throws: Never.self) {
      try token.withUnsafeBytes { try bench.sealer.open($0, now: bench.clock.now) }
    }
  }

  @Test("With any one bit of its bytes changed a token is invalid")
  func refusesChangedBytes() async throws {
    let bench = try await SessionBench()
    let base64 = Base64URL()
    let token = Array(try bench.seal(try bench.claims()).utf8)
    var bytes = [UInt8](repeating: 0, count: token.count)
    let decoded = token.withUnsafeBytes { token in
      bytes.withUnsafeMutableBytes { base64.decode(token, to: $0) }
    }
    let count = try #require(decoded)
    for bit in 0..<count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      var text = [UInt8](repeating: 0, count: token.count)
      let length = changed.withUnsafeBytes { changed in
        text.withUnsafeMutableBytes {
          base64.encode(UnsafeRawBufferPointer(rebasing: changed[..<count]), to: $0)
        }
      }
      #expect(throws: RefusalReason.sessionInvalid, "bit \(bit)") {
        try text[..<length].withUnsafeBytes { try bench.sealer.open($0, now: bench.clock.now) }
      }
    }
  }

  @Test("A token cut or lengthened anywhere is invalid")
  func refusesLengths() async throws {
    let bench = try await SessionBench()
    let token = try bench.seal(try bench.claims())
    for length in 0..<token.utf8.count {
      #expect(throws: RefusalReason.sessionInvalid) { try bench.open(String(token.prefix(length))) }
    }
    for tail in [
      "A", "AA", "AAA", "AAAA", "=", " ", "\n", "\u{0}", String(repeating: "A", count: 500),
    ] {
      #expect(throws: RefusalReason.sessionInvalid) { try bench.open(token + tail) }
    }
  }

  @Test(
    "What never was a token is invalid",
    arguments: ["", "a", "token", "AAAA", String(repeating: "A", count: 200), "é", "Bearer x"])
  func refusesOthers(text: String) async throws {
    let bench = try await SessionBench()
    #expect(throws: RefusalReason.sessionInvalid) { try bench.open(text) }
  }

  @Test("A token is good until the moment it expires")
  func expires() async throws {
    let bench = try await SessionBench()
    let token = try bench.seal(try bench.claims(lifetime: 1_000))
    bench.clock.advance(999)
    #expect(throws: Never.self) { try bench.open(token) }
    bench.clock.advance(1)
    #expect(throws: RefusalReason.sessionExpired) { try bench.open(token) }
    bench.clock.advance(1)
    #expect(throws: RefusalReason.sessionExpired) { try bench.open(token) }
  }

  @Test("A forged token is invalid also when it would be expired")
  func checksSealFirst() async throws {
    let bench = try await SessionBench()
    var token = Array(try bench.seal(try bench.claims(lifetime: 1_000)).utf8)
    bench.clock.advance(5_000)
    token[60] = token[60] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
    #expect(throws: RefusalReason.sessionInvalid) {
      try token.withUnsafeBytes { try bench.sealer.open($0, now: bench.clock.now) }
    }
  }

  @Test("A token of another service is invalid")
  func refusesOtherService() async throws {
    let one = try await SessionBench()
    let other = try await SessionBench()
    let token = try other.seal(try other.claims())
    #expect(throws: RefusalReason.sessionInvalid) { try one.open(token) }
  }

  @Test("100,000 tokens of one session differ, and so do 100,000 session identifiers")
  func neverRepeats() async throws {
    let bench = try await SessionBench()
    let claims = try bench.claims()
    let text = UnsafeMutableRawBufferPointer.allocate(
      byteCount: TokenSealer.maximumTextCount, alignment: 1)
    defer { text.deallocate() }
    var nonces = Set<[UInt8]>()
    var sessions = Set<SessionID>()
    for _ in 0..<100_000 {
      _ = try bench.sealer.seal(claims, now: bench.clock.now, to: text)
      // Characters 4 to 22 hold the nonce and the key identifier's end.
      nonces.insert(Array(text[4..<23]))
      sessions.insert(try #require(bench.sealer.makeSessionID()))
    }
    #expect(nonces.count == 100_000)
    #expect(sessions.count == 100_000)
    // No bit of the identifiers is constant.
    let ones = sessions.reduce((0, 0)) { ($0.0 | $1.high, $0.1 | $1.low) } as (UInt64, UInt64)
    let both = sessions.reduce((UInt64.max, UInt64.max)) { ($0.0 & $1.high, $0.1 & $1.low) }
    #expect(ones == (.max, .max) && both == (0, 0))
  }

  @Test("Each loop's sealer opens what another sealed")
  func isSharedByLoops() async throws {
    let bench = try await SessionBench()
    let sealers = bench.authority.makeSealers(loops: 2)
    let claims = try bench.claims()
    for sealingLoop in [0, 1, nil] {
      let token = try sealers.withSealer(ofLoop: sealingLoop) {
        try $0.seal(claims, now: bench.clock.now)
      }
      for openingLoop in [0, 1, nil, 7] {
        let opened = try sealers.withSealer(ofLoop: openingLoop) {
          try $0.open(token, now: bench.clock.now)
        }
        #expect(opened == claims)
      }
    }
  }
}
