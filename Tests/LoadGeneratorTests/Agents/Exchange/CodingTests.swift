import LoadReporting
import Testing

@testable import LoadGenerator

@Suite struct CodingTests {
  private enum Colour: String, Codable { case red }

  private struct Everything: Codable, Equatable {
    var flag = true
    var text = "a \"text\" with ü\n"
    var small: Int8 = -128
    var large = UInt64.max
    var least = Int64.min
    var fraction = 0.1
    var tiny = 5e-324
    var endless = Double.infinity
    var nothing: Int?
    var something: Int? = 7
    var list = [1.5, -2]
    var empty: [String] = []
    var colour = Colour.red
    var time = Duration.seconds(3) + .nanoseconds(1)
    var names = ["b": 1, "a": 2]
    var inner: [Inner] = [Inner(value: 1), Inner(value: nil)]

    struct Inner: Codable, Equatable {
      var value: Int?
    }
  }

  @Test func whatIsReadBackIsTheSame() throws {
    let value = Everything()
    let text = try JSONValue.encoding(value).compact()
    #expect(try JSONValue(parsing: text).decode(Everything.self) == value)
  }

  @Test func fractionsKeepAllTheirBits() throws {
    var random = SeededRandom(seed: 3)
    for _ in 0..<1000 {
      let value = Double(bitPattern: random.next())
      guard !value.isNaN else { continue }
      let text = try JSONValue.encoding([value]).compact()
      #expect(try JSONValue(parsing: text).decode([Double].self) == [value])
    }
  }

  @Test(arguments: [
    "{}", "[]", "null", "{\"flag\":1}", "{\"small\":1000,\"flag\":true,\"text\":\"\"}", "7",
  ])
  func whatDoesNotFitIsAnError(_ text: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(throws: DecodingError.self) { try value.decode(Everything.self) }
  }

  @Test func plansAreTheSameAfterTheirWay() throws {
    var plan = LoadPlan(scenario: .productFilter)
    plan.seed = .max
    plan.duration = .milliseconds(1500)
    plan.unknownShare = 1.0 / 3
    plan.identifiersPerCall = 12
    plan.appKey = "key"
    let text = try JSONValue.encoding(plan).compact()
    let read = try JSONValue(parsing: text).decode(LoadPlan.self)
    // By their text: a plan can't be compared, and whatever it has is in its reflection.
    #expect("\(read)" == "\(plan)")
  }
}
