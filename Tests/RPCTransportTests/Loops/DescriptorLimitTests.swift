import RPCTransport
import Testing

@Suite("Room for connections")
struct DescriptorLimitTests {
  @Test(
    "Connections leave a reserve, and four descriptors for each loop",
    arguments: [
      (20_000, 2, 19_928), (1_024, 2, 952), (256, 1, 188), (160, 1, 116), (64, 2, 24), (8, 2, 0),
      (-1, 1, 0),
      (.max, 4, .max - 80),
    ])
  func room(_ limit: Int, _ loops: Int, _ connections: Int) {
    #expect(DescriptorLimit.connections(within: limit, loops: loops) == connections)
  }
}
