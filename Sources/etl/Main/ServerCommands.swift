import CommandLineTool

/// The commands that need the server's module.
enum ServerCommands {
    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        switch arguments.command.first {
        case "token": try TokenSession.run(arguments, console)
        default: try await ServeSession.run(arguments, console)
        }
    }
}
