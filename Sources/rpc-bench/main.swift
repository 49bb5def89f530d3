import Flags
import Glibc

let arguments = BenchCommand.command.parseOrExit()
Task.detached { exit(await BenchCommand.execute(arguments).rawValue) }
// Not an asynchronous main: that would run on the main queue, which competes with the loops.
while true { pause() }
