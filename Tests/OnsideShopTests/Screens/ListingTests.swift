import Testing

@testable import OnsideShop

@Suite("Numbered lists") struct ListingTests {
  private var listing: Listing {
    var listing = Listing(titles: ["Product", "Price", "Kind"], rightAligned: [0])
    listing.add(
      Listing.Row(number: "9", title: "A chest of coins", details: ["9.99 EUR", "consumable"]))
    listing.add(
      Listing.Row(number: "10", title: "No\u{1B}[2J ads", details: ["12.99 EUR", "for good"]))
    return listing
  }

  @Test("Columns where there is room; a title is cut before it has none")
  func columns() {
    let plain = TextStyle(usesColour: false)
    #expect(
      listing.text(columns: 80, plain) == """
              Product               Price  Kind
           9  A chest of coins   9.99 EUR  consumable
          10  No?[2J ads        12.99 EUR  for good

        """)
    #expect(
      listing.text(columns: 80, TextStyle(usesColour: true)).hasPrefix("\u{1B}[1m      Product"))
  }

  @Test("Two lines for each row where columns don't fit")
  func stacked() {
    #expect(
      listing.text(columns: 40, TextStyle(usesColour: false)) == """
           9  A chest of coins
              9.99 EUR · consumable
          10  No?[2J ads
              12.99 EUR · for good

        """)
    let narrow = listing.text(columns: 20, TextStyle(usesColour: false))
    #expect(narrow.hasPrefix("   9  A chest of co…\n"))
  }
}
