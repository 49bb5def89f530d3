import Flags
import Glibc
import RPCTransport

// Before any other thread is started: signals come as events, to whoever waits for them.
SignalSource.block([SIGINT, SIGTERM])
let arguments = LoadFlags.command.parseOrExit()
let code =
  switch arguments.path {
  case ["table"]: TableCommand(arguments: arguments).execute()
  default: await RunCommand(arguments).execute()
  }
exit(code.rawValue)
