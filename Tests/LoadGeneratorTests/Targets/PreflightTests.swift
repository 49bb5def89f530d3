import LoadReporting
import RPC
import RPCTransport
import Testing

@testable import LoadGenerator

@Suite struct PreflightTests {
  private let preflight = Preflight(
    descriptors: 1000, ports: LocalPorts(range: 40_000...40_099, reserved: 10, timeWait: 30))

  @Test func enoughOfEverythingIsNoProblem() {
    #expect(preflight.problem(connections: 90, loops: 1, addresses: 1) == nil)
    #expect(preflight.problem(connections: 180, loops: 1, addresses: 2) == nil)
    #expect(preflight.problem(connections: 900, loops: 1, addresses: 0) == nil, "Unix sockets")
  }

  @Test func tooFewDescriptorsAreNamedWithTheLimit() {
    let error = preflight.problem(connections: 977, loops: 1, addresses: 0)
    #expect(error?.code == .resources)
    for part in ["977", "1001", "1000", "--connections", "ulimit -n"] {
      #expect(error?.description.contains(part) == true, "\(part)")
    }
  }

  @Test("LG-10 too few local ports are named before the load")
  func tooFewPorts() {
    let error = preflight.problem(connections: 91, loops: 1, addresses: 1)
    #expect(error?.code == .resources)
    for part in ["91", "90", "--connections", "--target", "net.ipv4.ip_local_port_range"] {
      #expect(error?.description.contains(part) == true, "\(part)")
    }
    #expect(preflight.problem(connections: 181, loops: 1, addresses: 2)?.code == .resources)
  }

  @Test func newConnectionsThatMayUseUpThePortsAreWarnedOf() {
    #expect(preflight.warning(newConnections: 60, addresses: 1) == nil)
    let warning = preflight.warning(newConnections: 61, addresses: 1)
    for part in ["61", "60", "30", "NO_LOCAL_PORT"] {
      #expect(warning?.contains(part) == true, "\(part)")
    }
    #expect(preflight.warning(newConnections: nil, addresses: 1) != nil)
    #expect(preflight.warning(newConnections: nil, addresses: 0) == nil)
  }

  @Test func portsAreReadFromTheSystemsText() {
    #expect(LocalPorts.range("32768\t60999\n") == 32_768...60_999)
    #expect(LocalPorts.range("x") == nil)
    #expect(LocalPorts.range("5 4") == nil)
    #expect(LocalPorts.reserved("10,20-29,45-60\n", in: 15...50) == 16)
    #expect(LocalPorts.reserved("\n", in: 1...9) == 0)
    let sockstat = "sockets: used 9\nTCP: inuse 5 orphan 0 tw 12 alloc 7 mem 1\nUDP: inuse 0\n"
    #expect(LocalPorts.timeWait(sockstat) == 12)
    #expect(LocalPorts.timeWait("") == 0)
    #expect(LocalPorts.current().map { $0.count > 0 } == true)
    #expect(LocalPorts.current(proc: "/nonexistent") == nil)
  }

  @Test("LG-10 running out of local ports is the generator's limit, in phase connect")
  func failuresForWantOfPorts() throws {
    let endpoint = try Endpoint("192.0.2.1:1")
    let cause = ConnectError(.tcp, .noLocalPort, endpoint, "no port")
    let error = RPCError(
      .unavailable, "\(cause)", cause: cause, phase: .connecting, wasStarted: false)
    #expect(
      error.failureKind
        == .init(phase: .connect, status: "UNAVAILABLE", reason: "NO_LOCAL_PORT"))
    #expect(SetupError.Code(error) == .resources)
    var failures = FailureTally()
    #expect(GeneratorLimit.reasons(in: failures) == [])
    failures.record(error.failureKind, error.message)
    failures.record(error.failureKind, error.message)
    failures.record(.init(phase: .answer, status: "UNAVAILABLE"), "busy")
    let reasons = GeneratorLimit.reasons(in: failures)
    #expect(reasons.count == 1)
    #expect(reasons.first?.contains("2 calls") == true)
    #expect(reasons.first?.contains("ip_local_port_range") == true)
  }
}
