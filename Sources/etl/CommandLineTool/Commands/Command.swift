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

/// Commands under one heading of the help, the most used first.
///
/// A specification is made when it is first used, so a command is found by its name: making all of them would take
/// longer than most commands.
struct CommandGroup: Sendable {
    let title: String
    let commands: KeyValuePairs<String, any CommandDescription.Type>
}

/// All commands in the order of the help.
enum Commands {
    static let groups = [
        CommandGroup(
            title: "Library",
            commands: [
                "list": ListCommand.self, "search": SearchCommand.self, "similar": SimilarCommand.self,
                "stats": StatsCommand.self,
                "report": ReportCommand.self, "explain": ExplainCommand.self, "export": ExportCommand.self,
                "covers": CoversCommand.self, "library": LibraryCommand.self,
            ]),
        CommandGroup(
            title: "Correct",
            commands: [
                "set": SetCommand.self, "duplicates": DuplicatesCommand.self, "review": ReviewCommand.self,
                "rules": RulesCommand.self, "remove": RemoveCommand.self, "merge": MergeCommand.self,
                "split": SplitCommand.self, "lock": LockCommand.self, "unlock": UnlockCommand.self,
            ]),
        CommandGroup(
            title: "History",
            commands: ["log": LogCommand.self, "diff": DiffCommand.self, "undo": UndoCommand.self]),
        CommandGroup(
            title: "Import and jobs",
            commands: [
                "import": ImportCommand.self, "scan": ScanCommand.self, "errors": ErrorsCommand.self,
                "inspect": InspectCommand.self,
                "plan": PlanCommand.self, "resume": ResumeCommand.self, "jobs": JobsCommand.self,
                "status": StatusCommand.self, "cancel": CancelCommand.self, "enrich": EnrichCommand.self,
                "retry": RetryCommand.self, "redo": RedoCommand.self, "results": ResultsCommand.self,
            ]),
        CommandGroup(
            title: "Data",
            commands: [
                "convert": ConvertCommand.self, "catalog": CatalogCommand.self, "backup": BackupCommand.self,
                "doctor": DoctorCommand.self, "isbn": ISBNCommand.self, "genres": GenresCommand.self,
                "cache": CacheCommand.self, "embed": EmbedCommand.self,
            ]),
        CommandGroup(title: "Service", commands: ["serve": ServeCommand.self, "token": TokenCommand.self]),
        CommandGroup(
            title: "Pipelines",
            commands: [
                "run": RunCommand.self, "check": CheckCommand.self, "test": TestCommand.self,
                "stages": StagesCommand.self, "fake-providers": FakeProvidersCommand.self,
            ]),
        CommandGroup(
            title: "Help", commands: ["help": HelpCommand.self, "completion": CompletionCommand.self]),
    ]

    /// For authors of pipelines and for trials: `etl help` leaves them out, `etl help --all` lists them.
    static let unlisted: Set = ["stages", "fake-providers"]

    /// The words that replace a former name of a command. The former name goes on working.
    static let renamed = ["forget": ["library", "remove"]]

    /// The groups as the help shows them.
    static func sections(_ depth: HelpDepth) -> [HelpSection] {
        groups.map { group in
            let specs = group.commands.map { $0.value.spec }
            return HelpSection(
                title: group.title,
                commands: specs.filter { depth == .all || !unlisted.contains($0.name) })
        }
    }

    static let all = groups.flatMap { Array($0.commands) }

    static let specs = all.map { $0.value.spec }

    /// The command with a name.
    static func named(_ name: String?) -> (any CommandDescription.Type)? {
        all.first { $0.key == name }?.value
    }

    /// A command line without the program's name, in which a former name of a command is replaced.
    static func current(_ line: [String]) -> [String] {
        guard let first = line.first, let words = renamed[first] else { return line }
        return words + line.dropFirst()
    }
}
