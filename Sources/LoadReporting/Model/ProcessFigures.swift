/// What a process used in the measured window.
public struct ProcessFigures: Sendable, Equatable {
  /// Its process id.
  public var pid: Int32

  /// CPU time of all its threads, in nanoseconds.
  public var cpuNanoseconds: UInt64

  /// In memory at the end of the window, in bytes.
  public var residentBytes: UInt64?

  /// The most that it ever had in memory, in bytes.
  public var peakResidentBytes: UInt64?

  /// What it had allocated and not given back at the end of the window, in bytes; of the generator
  /// alone.
  public var liveBytes: UInt64?

  /// Of idle connections: by how much each made its memory grow, in bytes.
  public var residentBytesPerConnection: Double?

  /// Of idle connections: its CPU time while nothing happened.
  public var idleCPUNanoseconds: UInt64?

  /// Open descriptors at the end of the window.
  public var descriptors: Int?

  /// Context switches in the window, voluntary and not.
  public var contextSwitches: UInt64?

  /// Times in the window that it had the disk make writes durable (`fsync` and its kin).
  public var syncs: UInt64?

  /// The figures of one.
  public init(
    pid: Int32, cpuNanoseconds: UInt64, residentBytes: UInt64? = nil,
    peakResidentBytes: UInt64? = nil
  ) {
    self.pid = pid
    self.cpuNanoseconds = cpuNanoseconds
    self.residentBytes = residentBytes
    self.peakResidentBytes = peakResidentBytes
  }
}
