/// The appearance of all screens.
@MainActor final class Appearance: OnsideAppearance {
  private(set) var mode = OnsideUIThemeMode.auto

  nonisolated init() {}

  func setThemeMode(_ mode: OnsideUIThemeMode) { self.mode = mode }
}
