import RPC
import Testing

@Suite struct MethodTableTests {
  private func table(_ descriptors: [MethodDescriptor]) throws -> MethodTable {
    var registry = MethodRegistry()
    for descriptor in descriptors {
      registry.unary(descriptor) { (request: EchoMessage, _) in request }
      registry.authorize(descriptor, .anyone)
    }
    return try registry.table(interceptors: [])
  }

  private func find(_ path: String, in table: MethodTable) -> MethodDescriptor? {
    Array(path.utf8).withUnsafeBytes { table.find($0)?.descriptor }
  }

  @Test func findsEveryPathAndNoOther() throws {
    let descriptors = (0..<300).map {
      MethodDescriptor(service: "package.v\($0 % 7).Service", method: "Method\($0)X", shape: .unary)
    }
    let table = try table(
      descriptors + [MethodDescriptor(service: "a", method: "b", shape: .unary)])
    for descriptor in descriptors {
      #expect(find(descriptor.path, in: table) == descriptor)
      #expect(find(descriptor.path + "x", in: table) == nil)
      #expect(find(String(descriptor.path.dropLast()), in: table) == nil)
    }
    #expect(find("a/b", in: table)?.path == "a/b")
    for path in ["", "a", "/", "a/c", "package.v1.Service/", "\u{0}"] {
      #expect(find(path, in: table) == nil)
    }
  }

  @Test func anEmptyTableFindsNothing() throws {
    #expect(find("a/b", in: try table([])) == nil)
  }
}
