import RPCSimulation

func fuzzSimulation(_ input: [UInt8]) throws {
  // A script decides at least one thing a byte: longer ones only take longer.
  _ = try Simulation.run(script: Array(input.prefix(4_096)))
}
