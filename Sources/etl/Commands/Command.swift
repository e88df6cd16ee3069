/// A command of the tool: a row of the table that ``ArgumentParser`` goes by, and what it does.
protocol Command: Sendable {
    static var spec: CommandSpec { get }

    /// Does its work: data to standard output, everything else to standard error.
    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
}
