import OnsideDomain
import Testing

@Suite("Phone numbers")
struct PhoneNumberTests {
  @Test(
    "E.164 is taken, and comes back as it was",
    arguments: [
      "+12345678", "+4915112345678", "+123456789012345", "+999999999999999",
    ])
  func valid(_ text: String) throws {
    let number = try #require(PhoneNumber(e164: text))
    #expect(number.e164 == text)
  }

  @Test(
    "Anything else isn't a number",
    arguments: [
      "", "+", "4915112345678", "+1234567", "+1234567890123456", "+0123456789", "+49 151 123456",
      "+49-151-123456", "+4915112345a78", "++4915112345", "+４915112345678", "004915112345678",
      "+4915112345678\n", " +4915112345678",
    ])
  func invalid(_ text: String) {
    #expect(PhoneNumber(e164: text) == nil)
  }

  @Test("What is printed shows the last two digits only")
  func hidden() throws {
    let number = try #require(PhoneNumber(e164: "+4915112345678"))
    var dumped = ""
    dump(["number": number], to: &dumped)
    #expect(number.hint == "+***********78")
    for text in ["\(number)", String(reflecting: number), dumped] {
      #expect(text.contains("78") && !text.contains("5678"))
    }
  }

  @Test(
    "The country follows from the longest prefix",
    arguments: [
      ("+4915112345678", "DE"), ("+819012345678", "JP"), ("+12125550123", "US"),
      ("+14165550123", "CA"), ("+18765550123", "JM"), ("+79161234567", "RU"),
      ("+77011234567", "KZ"), ("+447700900123", "GB"), ("+441534123456", "JE"),
      ("+390669812345", "VA"), ("+390612345678", "IT"), ("+96512345678", "KW"),
      ("+59991234567", "CW"), ("+59931234567", "BQ"), ("+61891621234", "CC"),
    ])
  func country(_ text: String, _ code: String) throws {
    #expect(try #require(PhoneNumber(e164: text)).country?.alpha2 == code)
  }

  @Test("Codes of no country have none", arguments: ["+881612345678", "+99912345678"])
  func noCountry(_ text: String) throws {
    #expect(try #require(PhoneNumber(e164: text)).country == nil)
  }
}
