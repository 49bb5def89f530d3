import Flags
import Glibc
import RPCTransport

let words = ScenarioFileArguments.expand(
  Array(CommandLine.arguments.dropFirst()), LoadFlags.run, of: LoadFlags.command)
let arguments = LoadFlags.command.parseOrExit(words)
switch arguments.path {
case ["table"]: exit(TableCommand(arguments: arguments).execute().rawValue)
case ["report"]: exit(ReportCommand(arguments: arguments).execute().rawValue)
case ["compare"]: exit(CompareCommand(arguments: arguments).execute().rawValue)
default: break
}

// Before any other thread is started: signals come as events of a loop.
SignalSource.block([SIGINT, SIGTERM])
Task.detached {
  let code =
    switch arguments.path {
    case ["agent"]: await AgentCommand(arguments).execute()
    case ["find-capacity"]: await CapacityCommand(arguments).execute()
    default: await RunCommand(arguments).execute()
    }
  exit(code.rawValue)
}
// Not an asynchronous main: that waits with all signals let through.
while true { pause() }
