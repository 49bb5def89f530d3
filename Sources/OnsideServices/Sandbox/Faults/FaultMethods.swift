import OnsideDomain
import OnsideProto
import RPC

/// The methods that fault rules may be about: those of the marketplace's services.
enum FaultMethods {
  private static let all = [
    LoginServiceMethods.descriptor, ProductsServiceMethods.descriptor,
    PaymentsServiceMethods.descriptor, AnalyticsServiceMethods.descriptor,
  ].flatMap(\.methods)

  /// The path of a method, with or without the package before it.
  static func path(_ name: String) throws(RPCError) -> String {
    guard let method = all.first(where: { $0.path == name || $0.path == "onside.v1." + name })
    else {
      throw .faultInvalid(
        "match.method",
        "match.method \(Escaping.quoted(name)) isn't a method of LoginService, ProductsService, "
          + "PaymentsService or AnalyticsService; send one as \"LoginService/CreateSession\"")
    }
    return method.path
  }
}
