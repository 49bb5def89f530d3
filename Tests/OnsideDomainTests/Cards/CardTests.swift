import OnsideDomain
import Testing

@Suite("Cards")
struct CardTests {
  /// 2026-03-01 in UTC.
  private let now = Timestamp(milliseconds: 1_772_323_200_000)

  private func card(
    _ number: String = "4242 4242 4242 4242", month: Int = 12, year: Int = 2030,
    code: String = "123"
  ) throws(CardProblem) -> CardDetails {
    try CardDetails(
      number: number, expiryMonth: month, expiryYear: year, securityCode: code, now: now)
  }

  private func problem(_ card: () throws(CardProblem) -> CardDetails) -> CardProblem? {
    do throws(CardProblem) {
      _ = try card()
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "The brand follows from the number's beginning",
    arguments: [
      ("4242424242424242", CardBrand.visa), ("5100000000000008", .mastercard),
      ("5555555555554444", .mastercard), ("2221000000000009", .mastercard),
      ("2720990000000007", .mastercard), ("378282246310005", .americanExpress),
      ("341111111111111", .americanExpress), ("6011111111111117", .other),
      ("2220990000000002", .other), ("5600000000000003", .other), ("350000000000006", .other),
    ])
  func brands(number: String, brand: CardBrand) throws {
    #expect(try CardNumber(number).brand == brand)
  }

  @Test("Spaces are left out, and only the last four digits are for showing")
  func label() throws {
    let card = try card(" 4242 4242 4242 4242 ")
    #expect(card.number.digits == "4242424242424242")
    #expect(card.label.description == "Visa 4242")
  }

  @Test(
    "What can't be a number is refused for what is wrong with it",
    arguments: [
      ("", CardProblem.numberLength), ("42424242424", .numberLength),
      ("42424242424242424242", .numberLength), ("4242-4242-4242-4242", .numberNotDigits),
      ("４２４２４２４２４２４２４２４２", .numberNotDigits), ("4242424242424241", .numberChecksum),
      ("4242424242424224", .numberChecksum),
    ])
  func badNumbers(number: String, expected: CardProblem) {
    #expect(problem { () throws(CardProblem) in try card(number) } == expected)
  }

  @Test("Any one digit changed, and any two neighbours but 0 and 9 exchanged, is noticed")
  func checkDigit() {
    let digits = Array("5105105105105100".utf8)
    for place in digits.indices {
      for digit in UInt8(ascii: "0")...UInt8(ascii: "9") where digit != digits[place] {
        var changed = digits
        changed[place] = digit
        let number = String(decoding: changed, as: UTF8.self)
        #expect(problem { () throws(CardProblem) in try card(number) } == .numberChecksum)
      }
      guard place > 0, digits[place] != digits[place - 1] else { continue }
      var swapped = digits
      swapped.swapAt(place, place - 1)
      let number = String(decoding: swapped, as: UTF8.self)
      #expect(problem { () throws(CardProblem) in try card(number) } == .numberChecksum)
    }
  }

  @Test(
    "A card is good to the end of its month, everywhere",
    arguments: [
      (0, 2030, CardProblem.expiryMonth), (13, 2030, .expiryMonth), (-1, 2030, .expiryMonth),
      (12, 30, .expiryYear), (12, 2057, .expiryYear), (12, .min, .expiryYear),
      (12, 10_000, .expiryYear), (1, 2026, .expired), (12, 2025, .expired), (2, 2026, nil),
      (3, 2026, nil), (12, 2056, nil),
    ] as [(Int, Int, CardProblem?)])
  func expiry(month: Int, year: Int, expected: CardProblem?) {
    // On the first of March in UTC it is February still in the west.
    #expect(problem { () throws(CardProblem) in try card(month: month, year: year) } == expected)
  }

  @Test(
    "A security code has three digits, or four on an American Express card",
    arguments: [
      ("4242424242424242", "123", true), ("4242424242424242", "1234", false),
      ("378282246310005", "1234", true), ("378282246310005", "123", false),
      ("6011111111111117", "123", true), ("6011111111111117", "1234", true),
      ("4242424242424242", "12", false), ("4242424242424242", "", false),
      ("4242424242424242", "12a", false),
    ])
  func securityCode(number: String, code: String, isGood: Bool) {
    let found = problem { () throws(CardProblem) in try card(number, code: code) }
    #expect(found == (isGood ? nil : .securityCode))
  }

  @Test("No text of a card shows its number or code")
  func secrecy() throws {
    let card = try card(code: "987")
    var dumped = ""
    dump(card, to: &dumped)
    dump(card.number, to: &dumped)
    let texts = ["\(card)", String(reflecting: card), "\(card.number)", "\([card.number])", dumped]
    for text in texts + CardProblem.allCases.map(\.description) {
      #expect(!text.contains("424242") && !text.contains("987"), "\(text)")
    }
  }

  @Test("Only regular profiles keep cards")
  func owners() {
    #expect(CardRules.refusal(for: .regular) == nil)
    #expect(CardRules.refusal(for: .external) == .notSupportedForExternalLogin)
  }

  @Test("A payment's text for receipts names the card if it is known")
  func payments() {
    let visa = CardLabel(brand: .visa, lastFour: "0042")
    #expect(PaymentDescription(method: .applePay).description == "Apple Pay")
    #expect(PaymentDescription(method: .card).description == "Card")
    #expect(PaymentDescription(method: .savedCard, card: visa).description == "Visa 0042")
  }
}
