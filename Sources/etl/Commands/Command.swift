/// A command of the tool: its specification, and its implementation.
protocol Command: Sendable {
    static var spec: CommandSpec { get }

    /// Runs the command. Data goes to standard output, everything else to standard error.
    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
}

/// All commands in the order of the help.
enum Commands {
    static let all: [any Command.Type] = [
        ImportCommand.self, RunCommand.self, ResumeCommand.self, EnrichCommand.self, RetryCommand.self,
        RedoCommand.self,
        JobsCommand.self, StatusCommand.self, CancelCommand.self,
        ReportCommand.self, LogCommand.self, DiffCommand.self, UndoCommand.self, ForgetCommand.self,
        SetCommand.self, LockCommand.self, UnlockCommand.self, RemoveCommand.self,
        DuplicatesCommand.self, MergeCommand.self, SplitCommand.self,
        ResultsCommand.self, ErrorsCommand.self, ReviewCommand.self, ExplainCommand.self, SearchCommand.self,
        ListCommand.self, StatsCommand.self, ExportCommand.self, CoversCommand.self,
        InspectCommand.self, PlanCommand.self, ConvertCommand.self, ISBNCommand.self, GenresCommand.self,
        RulesCommand.self,
        CatalogCommand.self, CacheCommand.self, ServeCommand.self, FakeProvidersCommand.self,
        CheckCommand.self, TestCommand.self,
        StagesCommand.self, DoctorCommand.self,
        CompletionCommand.self, HelpCommand.self,
    ]

    static let specs = all.map { $0.spec }
}
