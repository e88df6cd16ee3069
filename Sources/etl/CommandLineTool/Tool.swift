import System

/// Runs a command line and returns its exit status.
package struct Tool {
    /// Runs the commands that need the server's module: `etl serve` and `etl token`.
    package typealias Serve =
        @Sendable (ParsedArguments, Console) async throws(CommandFailure) -> ExitStatus

    private let serve: Serve

    /// A tool with the executable's implementation of these commands.
    package init(serve: @escaping Serve) { self.serve = serve }

    /// Runs one command line. Reports failures on standard error.
    ///
    /// - Parameter failure: Reason why nothing can be run; nil usually.
    package func main(
        _ line: [String], _ environment: [String: String], refusing failure: CommandFailure? = nil
    ) async -> ExitStatus {
        if let failure {
            Console.standard(ParsedArguments(command: []), environment: environment).report(failure)
            return failure.status
        }
        let console: Console
        let invocation: Invocation
        guard !line.isEmpty else { return shortHelp(environment) }
        do {
            let current = Commands.current(line)
            let known = Commands.named(current.first).map { [$0.spec] }
            invocation = try ArgumentParser.parse(current, table: known ?? Commands.specs)
        } catch {
            console = .standard(ArgumentParser.color(in: line), environment: environment)
            if line.first == "results", error.status == .usage {
                // A program that reads `etl results` expects an envelope even if the command line is wrong.
                try? console.write(ResultsCommand.refusal(of: error, typed: Array(line.dropFirst())))
            }
            console.answer(error, to: line)
            try? console.finish()
            console.report(error)
            return error.status
        }
        if case .run(_, let arguments) = invocation {
            console = .standard(arguments, environment: environment)
        } else {
            console = .standard(ArgumentParser.color(in: line), environment: environment)
        }
        if let first = line.first, let words = Commands.renamed[first] {
            console.note("`etl \(first)` is now `etl \(words.joined(separator: " "))`.")
        }
        do {
            let status = try await perform(invocation, console)
            do {
                try console.finish()
            } catch {
                console.report(error)
                return status.after(error)
            }
            return status
        } catch {
            console.answer(error, to: line)
            // Output from before the failure must still reach its reader.
            try? console.finish()
            console.report(error)
            return error.status
        }
    }

    /// Shows the short help for `etl` without a command, with the status of a wrong command line.
    private func shortHelp(_ environment: [String: String]) -> ExitStatus {
        let console = Console.standard(ParsedArguments(command: []), environment: environment)
        do {
            try HelpCommand.show(nil, .brief, on: console)
            try console.finish()
            return .usage
        } catch {
            console.report(error)
            return error.status
        }
    }

    private func perform(
        _ invocation: Invocation, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        switch invocation {
        case .version:
            try console.write("etl \(Version.full)\n")
            return .completed
        case .help(let command, let depth):
            console.page()
            try HelpCommand.show(command, depth, on: console)
            return .completed
        case .run(let spec, let arguments):
            if spec.isPaged { console.page() }
            guard let command = Commands.named(spec.path.first) else {
                throw CommandFailure(.bug, "`etl \(spec.path.joined(separator: " "))` is not implemented.")
            }
            guard let command = command as? any Command.Type else {
                return try await serve(arguments, console)
            }
            return try await command.run(arguments, console)
        }
    }
}
