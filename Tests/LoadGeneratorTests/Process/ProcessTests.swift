import Glibc
import Testing

@testable import LoadGenerator
import LoadReporting

@Suite struct ProcessTests {
  @Test func monotonicClockNeverStepsBack() {
    var last = ProcessClock.monotonic()
    for _ in 0..<10_000 {
      let now = ProcessClock.monotonic()
      #expect(now >= last)
      last = now
    }
  }

  @Test func cpuOfAProcessGrowsWithWork() throws {
    let before = try #require(ProcessClock.cpu(ofProcess: getpid()))
    let ownBefore = ProcessClock.ownCPU()
    var sum: UInt64 = 0
    // Until the clock itself shows work: no time is assumed.
    while ProcessClock.ownCPU() < ownBefore + 1_000_000 { sum &+= 1 }
    let after = try #require(ProcessClock.cpu(ofProcess: getpid()))
    #expect(after >= before + 1_000_000)
    #expect(sum > 0)
  }

  @Test func aProcessThatIsNotThereHasNoFigures() {
    #expect(ProcessClock.cpu(ofProcess: 0) == nil)
    #expect(ProcessClock.cpu(ofProcess: -1) == nil)
    #expect(ProcessClock.cpu(ofProcess: Int32.max) == nil)
    #expect(ProcessMemory(ofProcess: Int32.max) == nil)
    #expect(ProcessMemory(ofProcess: 0) == nil)
  }

  @Test func memoryOfThisProcess() throws {
    let memory = try #require(ProcessMemory(ofProcess: getpid()))
    #expect(memory.residentBytes > 1 << 20)
    #expect(memory.peakResidentBytes >= memory.residentBytes)
  }

  @Test func memoryIsReadFromStatusLines() {
    let status = "Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\nThreads:\t3\n"
    #expect(ProcessMemory(status: status)?.residentBytes == 1 << 20)
    #expect(ProcessMemory(status: status)?.peakResidentBytes == 2 << 20)
    #expect(ProcessMemory(status: "Name:\tzombie\nState:\tZ\n") == nil)
    #expect(ProcessMemory(status: "VmRSS:\tmany kB\n") == nil)
  }

  @Test func machineTellsAboutItself() {
    let machine = Machine.current()
    #expect(machine.kernel.hasPrefix("Linux "))
    #expect(machine.cores >= 1)
    #expect((1...machine.cores).contains(machine.usableCores))
    #expect(!machine.hostName.isEmpty)
  }

  @Test func cpuModelAndUsableCoresFromProc() {
    #expect(Machine.cpuModel(cpuInfo: "processor\t: 0\nmodel name\t: A  B 7\n") == "A B 7")
    #expect(Machine.cpuModel(cpuInfo: "") == "unknown")
    #expect(Machine.usableCores(status: "Cpus_allowed_list:\t0-3,8\n") == 5)
    #expect(Machine.usableCores(status: "Cpus_allowed_list:\t1\n") == 1)
    #expect(Machine.usableCores(status: "Cpus_allowed_list:\tx\n") == nil)
    #expect(Machine.usableCores(status: "") == nil)
  }
}
