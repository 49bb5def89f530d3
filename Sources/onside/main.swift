import Flags

let options = OnsideCommand()
let command = options.command
let arguments = command.parseOrExit()
do throws(Failure) {
  try await Program(options, arguments).run()
} catch {
  command.fail(error.code, error.message)
}
