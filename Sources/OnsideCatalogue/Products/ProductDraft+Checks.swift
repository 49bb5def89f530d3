import OnsideDomain

extension ProductDraft {
  /// The kind, once the fields are found to go together.
  ///
  /// - Throws: `.invalidValue` with what is missing or doesn't belong there.
  func checkedKind() throws(CatalogueProblem) -> ProductKind {
    guard !identifier.isEmpty else { throw Self.problem("the product has no identifier") }
    guard let kind else { throw Self.problem("the product has no kind") }
    guard !title.isEmpty else { throw Self.problem("the product has no title") }
    guard !offers.isEmpty else { throw Self.problem("the product has no price") }
    if kind == .subscription {
      guard subscriptionPeriod != nil else { throw Self.problem("the subscription has no period") }
      guard !subscriptionGroup.isEmpty else { throw Self.problem("the subscription has no group") }
    } else {
      guard subscriptionPeriod == nil, subscriptionGroup.isEmpty else {
        throw Self.problem("only subscriptions have a group and a period")
      }
      guard offers.allSatisfy({ $0.introductoryPrice == nil && $0.discountedPrice == nil }) else {
        throw Self.problem("only subscriptions have introductory and discounted prices")
      }
    }
    return kind
  }

  private static func problem(_ reason: String) -> CatalogueProblem {
    CatalogueProblem(.invalidValue, reason)
  }
}
