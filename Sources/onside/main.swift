import Flags

let options = OnsideCommand()
let command = options.command
let arguments = command.parseOrExit()
do throws(Failure) {
  if let name = arguments.path.first, CallProgram.commands.contains(name) {
    try await CallProgram(options, arguments).run()
  } else if arguments.path.first == SandboxFlags.command {
    try await SandboxProgram(options, arguments).run()
  } else {
    try await Program(options, arguments).run()
  }
} catch {
  command.fail(error.code, error.message)
}
