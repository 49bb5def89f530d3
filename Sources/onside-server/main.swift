import Flags
import Glibc
import RPCTransport

let words = Array(CommandLine.arguments.dropFirst())

switch words.first {
case "app-key":
  _ = AppKeyCommand.command.parseOrExit(Array(words.dropFirst()))
  AppKeyCommand.run()
case "check":
  CheckCommand.run(CheckCommand.command.parseOrExit(Array(words.dropFirst())))
default:
  // Before any other thread is there: all of them inherit it, and the signals come in on a loop.
  SignalSource.block(ServerProcess.signals)
  let process = ServerProcess(ServeCommand.command.parseOrExit(words))
  Task.detached { await process.start() }
  // Not dispatchMain(): it waits with all signals let through. The loop that gets them ends the
  // process.
  while true { pause() }
}
