import TestSupport
import ConformanceMessages
import Foundation
import ProtobufWire
import Testing

@Suite(
  "The codec against protoc",
  .enabled(if: isAvailable(ReferenceSchema.protoc, for: "the comparisons with protoc")))
struct ProtocTests {
  @Test("What protoc encodes from text is decoded to the values in it, and encoded to its bytes")
  func fromText() async throws {
    try await check(Samples.scalars, "Scalars", Self.scalars)
    try await check(
      Samples.choice, "Choice",
      "scalars { \(Self.scalars) } between: \"between\" high: 1099511627776")
    try await check(
      Samples.maps, "Maps",
      #"""
      by_int32 { key: -1 value: 0.5 } by_int64 { key: -9223372036854775808 value: 0 }
      by_uint32 { key: 4294967295 value: -7 }
      by_uint64 { key: 18446744073709551615 value: -9223372036854775808 }
      by_sint32 { key: -2147483648 value: 1 } by_sint64 { key: -2 value: -3 }
      by_fixed32 { key: 0 value: true } by_fixed64 { key: 9 value: "\001\002" }
      by_sfixed32 { key: -5 value: 5 } by_sfixed64 { key: -6 value: COLOUR_RED }
      by_bool { key: true value: "yes" } by_string { key: "" value { label: "deep" left {} } }
      """#)
    try await check(
      Samples.tree, "Tree",
      #"""
      label: "root" left { label: "left" left { label: "left of left" } }
      children { label: "a" } children {} children { leaf: -3 }
      named { key: "one" value { label: "1" branch { label: "twig" } } }
      branch { children { label: "b" } }
      """#)
  }

  @Test("What the codec encodes is, through protoc's text and back, the same bytes")
  func toTextAndBack() async throws {
    try await checkRoundTrip(Samples.optionals, "Optionals")
    try await checkRoundTrip(Samples.lists, "Lists")
    try await checkRoundTrip(Samples.unpackedLists, "UnpackedLists")
    try await checkRoundTrip(Scalars(), "Scalars")
  }

  private static let scalars = #"""
    a_double: -0.0 a_float: inf an_int32: -2147483648 an_int64: -9223372036854775808
    a_uint32: 4294967295 a_uint64: 18446744073709551615 a_sint32: -2147483648
    a_sint64: 9223372036854775807 a_fixed32: 4294967295 a_fixed64: 1 an_sfixed32: -1
    an_sfixed64: -9223372036854775808 a_bool: true a_string: "Zoë 🎈\000"
    some_bytes: "\000\377\200" colour: COLOUR_INFRARED
    """#

  private func check<M: Message>(_ message: M, _ type: String, _ text: String) async throws {
    let reference = try await ReferenceSchema.protoc(
      ["--encode=test.v1.\(type)"], input: Array(text.utf8))
    #expect(!reference.isEmpty)
    #expect(try M(serialized: reference) == message)
    #expect(hexText(message.serialized()) == hexText(reference))
  }

  private func checkRoundTrip<M: Message>(_ message: M, _ type: String) async throws {
    let bytes = message.serialized()
    let text = try await ReferenceSchema.protoc(["--decode=test.v1.\(type)"], input: bytes)
    let again = try await ReferenceSchema.protoc(["--encode=test.v1.\(type)"], input: text)
    #expect(hexText(again) == hexText(bytes))
  }
}
