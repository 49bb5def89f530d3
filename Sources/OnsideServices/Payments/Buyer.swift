import OnsideDomain
import OnsideStore

/// Who buys, where: what a session says about its profile.
struct Buyer: Sendable, Hashable {
  let profileID: ProfileID
  let appID: String
  let kind: ProfileKind
  let storefront: Storefront
}
