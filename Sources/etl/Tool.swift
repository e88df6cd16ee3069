import Pipeline

/// The tool: a command line in, an exit status out.
enum Tool {
    static func main(_ line: [String], _ environment: [String: String]) async -> ExitStatus {
        let table = Commands.specs
        let console: Console
        let invocation: Invocation
        guard !line.isEmpty else { return shortHelp(environment) }
        do {
            invocation = try ArgumentParser.parse(line, table: table)
        } catch {
            console = .standard(ArgumentParser.colour(in: line), environment: environment)
            if line.first == ResultsCommand.spec.name, error.status == .usage {
                // Its reader expects the contract's envelope, whatever was typed.
                try? console.write(ResultsCommand.refusal(of: error, typed: Array(line.dropFirst())))
                try? console.finish()
            }
            console.report(error)
            return error.status
        }
        if case .run(_, let arguments) = invocation {
            console = .standard(arguments, environment: environment)
        } else {
            console = .standard(ArgumentParser.colour(in: line), environment: environment)
        }
        do {
            let status = try await carryOut(invocation, table, console)
            do {
                try console.finish()
            } catch {
                console.report(error)
                return status.after(error)
            }
            return status
        } catch {
            // What was written before the failure is still owed to whoever reads it.
            try? console.finish()
            console.report(error)
            return error.status
        }
    }

    /// What `etl` alone shows: the command is missing, so its status is that of a wrong command line.
    private static func shortHelp(_ environment: [String: String]) -> ExitStatus {
        let console = Console.standard(ParsedArguments(command: []), environment: environment)
        do {
            try HelpCommand.show(nil, isFull: false, on: console)
            try console.finish()
            return .usage
        } catch {
            console.report(error)
            return error.status
        }
    }

    private static func carryOut(
        _ invocation: Invocation, _ table: [CommandSpec], _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        switch invocation {
        case .version:
            try console.write("etl \(Version.current)\n")
            return .completed
        case .help(let command, let isFull):
            try HelpCommand.show(command, isFull: isFull, on: console)
            return .completed
        case .run(let spec, let arguments):
            guard let command = Commands.all.first(where: { $0.spec.name == spec.path.first }) else {
                throw CommandFailure(.bug, "`etl \(spec.path.joined(separator: " "))` has no command.")
            }
            return try await command.run(arguments, console)
        }
    }
}
