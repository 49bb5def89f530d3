import ProtobufWire
import Testing

@Suite("Reading varints, tags, fixed numbers and lengths")
struct WireReaderPrimitivesTests {
  @Test(
    "A varint of up to ten bytes is read whole",
    arguments: [
      ("00", UInt64(0)), ("7f", 127), ("80 01", 128), ("ff 7f", 16383), ("80 80 01", 16384),
      ("ff ff ff ff 0f", 0xffff_ffff), ("80 80 80 80 80 80 80 80 80 01", 1 << 63),
      ("ff ff ff ff ff ff ff ff ff 01", .max), ("80 00", 0), ("81 80 80 80 80 80 80 80 80 00", 1),
    ])
  func varint(text: String, expected: UInt64) throws {
    let bytes = hex(text)
    var reader = WireReader(bytes.span.bytes)
    let value1 = try reader.readVarint()
    #expect(value1 == expected)
    let isAtEnd = reader.isAtEnd
    #expect(isAtEnd)
  }

  @Test(
    "An eleventh byte, or a number above 64 bits, is an error",
    arguments: [
      "80 80 80 80 80 80 80 80 80 80 01", "ff ff ff ff ff ff ff ff ff ff 01",
      "80 80 80 80 80 80 80 80 80 80 00", "ff ff ff ff ff ff ff ff ff 02",
    ])
  func longVarint(text: String) {
    let bytes = hex(text)
    #expect(throws: WireError(.malformedVarint, at: 0)) {
      var reader = WireReader(bytes.span.bytes)
      _ = try reader.readVarint()
    }
  }

  @Test("A varint that the message's end cuts is an error", arguments: ["", "80", "ff ff ff"])
  func cutVarint(text: String) {
    let bytes = hex(text)
    #expect(throws: WireError(.truncated, at: 0)) {
      var reader = WireReader(bytes.span.bytes)
      _ = try reader.readVarint()
    }
  }

  @Test("A tag is 0 at the end, and otherwise has a field number of 29 bits")
  func tags() throws {
    let bytes = hex("08 7a f8 ff ff ff 0f")
    var reader = WireReader(bytes.span.bytes)
    let value2 = try reader.readTag()
    #expect(value2 == WireFormat.tag(1, .varint))
    let value3 = try reader.readTag()
    #expect(value3 == WireFormat.tag(15, .lengthDelimited))
    let value4 = try reader.readTag()
    #expect(value4 == WireFormat.tag(WireFormat.maximumFieldNumber, .varint))
    let value5 = try reader.readTag()
    #expect(value5 == 0)
  }

  @Test(
    "Field number 0 and those above the highest are errors",
    arguments: ["00", "07", "80 00", "80 80 80 80 10", "f8 ff ff ff ff 01"])
  func invalidFieldNumbers(text: String) {
    let bytes = hex(text)
    #expect(throws: WireError(.invalidFieldNumber, at: 0)) {
      var reader = WireReader(bytes.span.bytes)
      _ = try reader.readTag()
    }
  }

  @Test("Fixed numbers have the lowest byte first, at any alignment")
  func fixed() throws {
    let bytes = hex("ff 01020304 0102030405060708")
    var reader = WireReader(bytes.span.bytes, range: 1..<13)
    let value6 = try reader.readFixed32()
    #expect(value6 == 0x0403_0201)
    let value7 = try reader.readFixed64()
    #expect(value7 == 0x0807_0605_0403_0201)
    #expect(throws: WireError(.truncated, at: 13)) {
      var reader = WireReader(bytes.span.bytes, range: 13..<13)
      _ = try reader.readFixed32()
    }
  }

  @Test(
    "A length beyond the end is an error, however large",
    arguments: ["05 61626364", "ff ff ff ff 0f", "80 80 80 80 80 80 80 80 80 01"])
  func lengths(text: String) {
    let bytes = hex(text)
    #expect(throws: WireError.self) {
      var reader = WireReader(bytes.span.bytes)
      _ = try reader.readRange()
    }
    #expect(throws: WireError.self) {
      var reader = WireReader(bytes.span.bytes)
      _ = try reader.readBytes()
    }
  }

  @Test("A range is counted from the start of the buffer, also when only a part is read")
  func ranges() throws {
    let bytes = hex("ffff 03 616263 ff")
    var reader = WireReader(bytes.span.bytes, range: 2..<6)
    let value8 = try reader.readRange()
    #expect(value8 == 3..<6)
    let offset = reader.offset
    #expect(offset == 6)
    let remaining = reader.remaining
    #expect(remaining == 0)
  }

  @Test("Strings and bytes are read; a part of a longer buffer ends them")
  func strings() throws {
    let bytes = hex("07 68c3a9 f09f8e88 02 00ff 00 00")
    var reader = WireReader(bytes.span.bytes)
    let value9 = try reader.readString()
    #expect(value9 == "hé🎈")
    let value10 = try reader.readBytes()
    #expect(value10 == [0, 255])
    let value11 = try reader.readString()
    #expect(value11 == "")
    let value12 = try reader.readBytes()
    #expect(value12 == [])
  }

  @Test(
    "A string that isn't UTF-8 is an error and never repaired",
    arguments: [
      "ff", "c0 80", "c3", "e2 82", "ed a0 80", "f4 90 80 80", "61 80 62", "f8 88 80 80 80",
    ]
  )
  func invalidUTF8(text: String) {
    let content = hex(text)
    let bytes = [UInt8(content.count)] + content
    #expect(throws: WireError(.invalidUTF8, at: 1)) {
      var reader = WireReader(bytes.span.bytes)
      _ = try reader.readString()
    }
  }
}
