import Flags

let arguments = CatalogueCommand.root.parseOrExit()
switch arguments.path.last {
case "check": Check(arguments).run()
case "generate": Generate(arguments).run()
default: Measure(arguments).run()
}
