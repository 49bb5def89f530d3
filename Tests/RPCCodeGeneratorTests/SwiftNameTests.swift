import Testing

@testable import RPCCodeGenerator

@Suite("Names of the schema in Swift")
struct SwiftNameTests {
  @Test(
    "Fields and methods are lower camel case, with capitals for ID and URL",
    arguments: [
      ("app_id", "appID"), ("id", "id"), ("external_user_id", "externalUserID"),
      ("icon_url", "iconURL"), ("url_path", "urlPath"), ("product_ids", "productIDs"),
      ("created_at_ms", "createdAtMs"), ("CreateSession", "createSession"),
      ("HTTPRequest", "httpRequest"), ("fieldname1", "fieldname1"), ("FieldName8", "fieldName8"),
      ("FIELD_NAME11", "fieldName11"), ("__field_name13", "fieldName13"),
      ("field_name17__", "fieldName17"), ("field0name5", "field0name5"), ("_", "_"),
    ])
  func lowerCamel(name: String, expected: String) {
    #expect(SwiftName.lowerCamel(name) == expected)
  }

  @Test(
    "Oneofs' types are upper camel case",
    arguments: [("payment_method", "PaymentMethod"), ("user_id", "UserID"), ("x", "X")])
  func upperCamel(name: String, expected: String) {
    #expect(SwiftName.upperCamel(name) == expected)
  }

  @Test("The prefix of an enumeration's values is its name")
  func valuePrefix() {
    #expect(SwiftName.valuePrefix("ProfileKind") == "PROFILE_KIND_")
    #expect(SwiftName.valuePrefix("HTTPStatus") == "HTTP_STATUS_")
  }

  @Test("Keywords get backticks; what even they don't help gets an underscore")
  func reserved() {
    #expect(SwiftName.identifier("class") == "`class`")
    #expect(SwiftName.identifier("default") == "`default`")
    #expect(SwiftName.identifier("self") == "self_")
    #expect(SwiftName.identifier("unknownFields") == "unknownFields_")
    #expect(SwiftName.identifier("3d") == "_3d")
    #expect(SwiftName.identifier("price") == "price")
    #expect(SwiftName.type("String") == "String_")
    #expect(SwiftName.type("Profile") == "Profile")
  }
}
