/// What a result was measured on.
public struct Machine: Sendable, Equatable {
  /// Its name in the network.
  public var hostName: String

  /// Kernel and release: "Linux 6.1.0".
  public var kernel: String

  /// As the processor calls itself.
  public var cpuModel: String

  /// Cores that this process may use.
  public var usableCores: Int

  /// Cores that are there.
  public var cores: Int

  /// A machine as it was described.
  public init(
    hostName: String, kernel: String, cpuModel: String, usableCores: Int, cores: Int
  ) {
    self.hostName = hostName
    self.kernel = kernel
    self.cpuModel = cpuModel
    self.usableCores = usableCores
    self.cores = cores
  }
}
