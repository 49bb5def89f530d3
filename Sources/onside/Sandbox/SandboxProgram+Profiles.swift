import Flags
import OnsideDomain
import OnsideProto
import RPC

extension SandboxProgram {
  func setStorefront() throws(Failure) -> Step {
    let name = try profileName()
    let country = arguments[flags.country].uppercased()
    return { service throws(RPCError) in
      let answer = try await service.setStorefront(
        SetStorefrontRequest(profile: name, countryCode: country), options: callOptions)
      let storefront = answer.storefront ?? OnsideProto.Storefront()
      show(
        ["id": storefront.id, "country_code": storefront.countryCode],
        "storefront \(storefront.id) (\(storefront.countryCode))")
    }
  }

  private func profileName() throws(Failure) -> ProfileName {
    let (profile, user) = (arguments[flags.profile], arguments[flags.externalID])
    switch (profile, user, arguments[flags.phone]) {
    case (let profile?, nil, nil): return ProfileName(name: .profileID(profile))
    case (nil, let user?, nil):
      return ProfileName(
        name: .external(ExternalName(appID: arguments[options.app], externalUserID: user)))
    case (nil, nil, let number?): return ProfileName(name: .phoneNumber(number))
    default:
      throw Failure(.usage, "name the profile with one of --profile, --external-id and --phone")
    }
  }

  func listCodes(_ service: SandboxServiceClient) async throws(RPCError) {
    let number = arguments[flags.number]
    let codes = try await service.listPhoneCodes(
      ListPhoneCodesRequest(phoneNumber: number), options: callOptions
    ).codes
    var table = Table(header: ["code", "app", "sent", "good until"])
    for code in codes {
      table.add([code.code, code.appID, time(code.sentAtMs), time(code.expiresAtMs)])
    }
    show(
      codes.map(JSON.object), codes.isEmpty ? "no codes that can be used for \(number)" : table.text
    )
  }

  /// A time for people.
  func time(_ milliseconds: Int64) -> String { Timestamp(milliseconds: milliseconds).rfc3339 }
}
