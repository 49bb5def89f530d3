import OnsideDomain
import Testing

@Suite struct CountryCodeTests {
  @Test func hasTheCountriesOfISO3166() {
    #expect(CountryCode.all.count == 249)
    #expect(Set(CountryCode.all.map(\.alpha2)).count == 249)
    #expect(Set(CountryCode.all.map(\.alpha3)).count == 249)
  }

  @Test func bothCodesLeadToTheSameCountry() {
    for country in CountryCode.all {
      #expect(CountryCode(alpha2: country.alpha2) == country)
      #expect(CountryCode(alpha3: country.alpha3) == country)
      #expect(CountryCode(country.alpha2) == country)
      #expect(CountryCode(country.alpha3) == country)
      #expect(CountryCode.all[country.position] == country)
    }
  }

  @Test(arguments: [("DE", "DEU"), ("NL", "NLD"), ("US", "USA"), ("JP", "JPN"), ("KW", "KWT")])
  func knows(alpha2: String, alpha3: String) {
    #expect(CountryCode(alpha3)?.alpha2 == alpha2)
    #expect(CountryCode(alpha2)?.alpha3 == alpha3)
  }

  @Test(arguments: ["", "D", "de", "De", "DEU ", "XX", "ZZZ", "D1", "Ü", "EU", "UK", "🇩🇪"])
  func refuses(code: String) {
    #expect(CountryCode(code) == nil)
  }

  @Test(arguments: [
    ("DE", "EUR"), ("US", "USD"), ("JP", "JPY"), ("KW", "KWD"), ("CN", "CNY"), ("CO", "COP"),
    ("CH", "CHF"), ("GB", "GBP"), ("BG", "EUR"), ("HR", "EUR"), ("LS", "LSL"), ("VE", "VES"),
  ])
  func currency(country: String, currency: String) {
    #expect(CountryCode(country)?.currency?.code == currency)
  }

  @Test func onlyAntarcticaHasNoCurrency() {
    #expect(CountryCode.all.filter { $0.currency == nil }.map(\.alpha2) == ["AQ"])
  }

  @Test func isOrderedByAlpha2() {
    #expect(CountryCode.all.map(\.alpha2) == CountryCode.all.map(\.alpha2).sorted())
    #expect(CountryCode.all == CountryCode.all.sorted())
  }

  @Test func storefrontOfACountryIsItsAlpha2() throws {
    let country = try #require(CountryCode("NL"))
    #expect(Storefront(country) == Storefront(id: "NL", country: country))
  }
}
