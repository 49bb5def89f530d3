import OnsideProto
import RPC

extension SandboxHandlers {
  /// Who may call the methods: administrators, all of them.
  static func rules(_ administrators: Administrators) -> [MethodDescriptor: AuthorizationRule] {
    let rule = administrators.rule
    return Dictionary(uniqueKeysWithValues: descriptor.methods.map { ($0, rule) })
  }
}
