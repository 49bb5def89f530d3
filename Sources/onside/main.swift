import Flags
import Glibc
import RPCTransport

let options = OnsideCommand()
let command = options.command
let arguments = command.parseOrExit()
if arguments.path.first == ShopFlags.command {
  // Before any other thread is started: signals come as events of a loop.
  SignalSource.block(ShopProgram.signals)
}
Task.detached {
  do throws(Failure) {
    if let name = arguments.path.first, CallProgram.commands.contains(name) {
      try await CallProgram(options, arguments).run()
    } else if arguments.path.first == SandboxFlags.command {
      try await SandboxProgram(options, arguments).run()
    } else if arguments.path.first == ShopFlags.command {
      try await ShopProgram(options, arguments).run()
    } else {
      try await Program(options, arguments).run()
    }
  } catch {
    command.fail(error.code, error.message)
  }
  exit(ExitCode.success.rawValue)
}
// Not an asynchronous main: that waits with all signals let through.
while true { pause() }
