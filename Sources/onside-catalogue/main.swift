import Flags

let arguments = CatalogueCommand.root.parseOrExit()
switch arguments.path.last {
case "generate": Generate(arguments).run()
default: Measure(arguments).run()
}
