/// What the app wants its user to buy.
public struct OnsidePayment: Sendable {
  /// As the user saw it.
  public var product: OnsideProduct

  /// The app's own reference, for correlating purchases with its backend; at most 1,024 bytes.
  ///
  /// Source: external-login.txt: it "remains a separate optional value"; the external account
  /// identifier never fills it.
  public var appAccountToken: String?

  /// A payment for one item of a product.
  public init(product: OnsideProduct) { self.product = product }
}
