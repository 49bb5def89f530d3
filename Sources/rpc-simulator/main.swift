import Flags
import Glibc

let code = await SimulatorCommand(SimulatorCommand.command.parseOrExit()).execute()
exit(code.rawValue)
