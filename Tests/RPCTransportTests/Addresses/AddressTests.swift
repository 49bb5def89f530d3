import RPCTransport
import Testing

@Suite("Addresses")
struct AddressTests {
  @Test(arguments: [
    ("localhost:80", "localhost", UInt16(80)), ("127.0.0.1:0", "127.0.0.1", 0),
    ("[::1]:65535", "::1", 65535), ("[fe80::1%1]:5", "fe80::1%1", 5),
    ("a-b.example:1", "a-b.example", 1),
  ])
  func hostsAndPortsAreRead(text: String, host: String, port: UInt16) throws {
    let endpoint = try Endpoint(text)
    #expect(endpoint == .host(host, port: port))
    #expect(endpoint.description == text)
  }

  @Test func pathsAreRead() throws {
    #expect(try Endpoint("unix:/run/a b.sock") == .unix(path: "/run/a b.sock"))
    #expect(try Endpoint("unix:relative").description == "unix:relative")
  }

  @Test(arguments: [
    ("localhost", "the port is missing"), ("", "the port is missing"), (":80", "host is missing"),
    ("::1:80", "in brackets"), ("[::1]", "the port is missing"), ("[::1", "closing bracket"),
    ("[localhost]:80", "no IPv6 address"), ("host:65536", "'65536' is no port"),
    ("host:-1", "'-1' is no port"), ("host:", "'' is no port"), ("host:8o", "'8o' is no port"),
    ("ho st:80", "space"), ("host:+80", "'+80' is no port"), ("unix:", "path"),
    ("unix:" + String(repeating: "x", count: 108), "108 bytes"),
  ])
  func badAddressesAreNamed(text: String, problem: String) {
    let error = #expect(throws: AddressError.self) { try Endpoint(text) }
    #expect(error?.description.contains(problem) == true)
    #expect(error?.description.contains("'\(text)'") == true)
  }

  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1:7"), ("255.255.255.255", "255.255.255.255:7"), ("::1", "[::1]:7"),
    ("2001:db8:0:0:0:0:0:ff", "[2001:db8::ff]:7"), ("::ffff:1.2.3.4", "[::ffff:1.2.3.4]:7"),
  ])
  func literalsAreWrittenInTheirShortForm(literal: String, text: String) {
    #expect(SocketAddress(literal: literal, port: 7)?.description == text)
  }

  @Test(arguments: ["localhost", "1.2.3", "1.2.3.4.5", "::g", "1.2.3.256", "", "fe80::1%nothing0"])
  func namesAreNoLiterals(text: String) {
    #expect(SocketAddress(literal: text, port: 1) == nil)
  }
}
