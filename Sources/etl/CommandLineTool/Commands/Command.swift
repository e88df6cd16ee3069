/// A command as help, manual pages and completions show it.
protocol CommandDescription: Sendable {
    static var spec: CommandSpec { get }
}

/// A command that this module implements. The executable implements the others (``ServeCommand``, ``TokenCommand``).
protocol Command: CommandDescription {
    /// Runs the command. Data goes to standard output, everything else to standard error.
    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
}

/// All commands in the order of the help.
enum Commands {
    /// A specification is made when it is first used, so a command is found by its name: making all of them would take
    /// longer than most commands.
    static let all: KeyValuePairs<String, any CommandDescription.Type> = [
        "import": ImportCommand.self, "run": RunCommand.self, "resume": ResumeCommand.self,
        "enrich": EnrichCommand.self, "retry": RetryCommand.self, "redo": RedoCommand.self,
        "jobs": JobsCommand.self, "status": StatusCommand.self, "cancel": CancelCommand.self,
        "report": ReportCommand.self, "log": LogCommand.self, "diff": DiffCommand.self,
        "undo": UndoCommand.self, "forget": ForgetCommand.self, "set": SetCommand.self,
        "lock": LockCommand.self, "unlock": UnlockCommand.self, "remove": RemoveCommand.self,
        "duplicates": DuplicatesCommand.self, "merge": MergeCommand.self, "split": SplitCommand.self,
        "results": ResultsCommand.self, "errors": ErrorsCommand.self, "review": ReviewCommand.self,
        "explain": ExplainCommand.self, "search": SearchCommand.self, "list": ListCommand.self,
        "stats": StatsCommand.self, "export": ExportCommand.self, "covers": CoversCommand.self,
        "inspect": InspectCommand.self, "plan": PlanCommand.self, "convert": ConvertCommand.self,
        "isbn": ISBNCommand.self, "genres": GenresCommand.self, "rules": RulesCommand.self,
        "catalog": CatalogCommand.self, "cache": CacheCommand.self, "serve": ServeCommand.self,
        "token": TokenCommand.self,
        "fake-providers": FakeProvidersCommand.self, "check": CheckCommand.self, "test": TestCommand.self,
        "stages": StagesCommand.self, "doctor": DoctorCommand.self, "backup": BackupCommand.self,
        "completion": CompletionCommand.self, "help": HelpCommand.self,
    ]

    static let specs = all.map { $0.value.spec }

    /// The command with a name.
    static func named(_ name: String?) -> (any CommandDescription.Type)? {
        all.first { $0.key == name }?.value
    }
}
