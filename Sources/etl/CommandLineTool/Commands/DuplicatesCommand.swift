import Books
import Jobs
import Pipeline
import Store
import System

/// `etl duplicates`: lists entries of the same book, and joins those that the user has looked at.
enum DuplicatesCommand: Command {
    enum Format: String, Sendable, CaseIterable {
        case table, csv, json
    }

    static let apply = Option(Setting<String?>.text("apply", "Join the entries of a reviewed list"), "FILE")
    static let all = Option.flag("all", "Also list pairs that are similar but not certain")
    static let format = Option(.choice("to", default: Format.table, "Output format"), "FORMAT")
        .formerly("format")

    static let spec = CommandSpec(
        "duplicates", summary: "Show entries of the same book side by side, and join them",
        details: [
            "Compares the entries of each library: those of one export, and those of exports from several programs. Entries "
                + "with one edition, work or ISBN belong together; otherwise title and author decide, by the rules "
                + "that match books. Each line says how certain that is and why, and whether both entries are about "
                + "the same reading.",
            "On a terminal the entries of each group are shown side by side: `j` joins them, `s` keeps them apart, `u` undoes, "
                + "and `q` joins what you decided. --to table prints the list instead, as in a pipe.",
            "To decide in a spreadsheet, write the list with --to csv, look at its column `decision`, and apply it with --apply. "
                + "The entry with `keep` stays and gets the readings, rating, review, shelves, notes and dates of those "
                + "with `join`; where two ratings differ by a star or more, the other one goes into the notes. The "
                + "works become one. Later imports do not change this. Undo it with `etl undo`.",
        ],
        options: [
            apply.spec, all.spec, ExportCommand.library.spec, format.spec, SetCommand.dryRun.spec,
            StoreOptions.db.spec, StoreOptions.json.spec,
        ],
        examples: [
            .init("etl duplicates", "Show entries of the same book side by side, and join them"),
            .init("etl duplicates --to csv > duplicates.csv", "Write a list to look at and fill in"),
            .init("etl duplicates --apply duplicates.csv", "Join the entries as the list says"),
        ], isPaged: true,
        objection: { arguments in
            if arguments[apply] != nil,
                arguments[all] || arguments.isExplicit(format) || arguments[StoreOptions.json]
                    || arguments[ExportCommand.library] != nil
            {
                return Objection(
                    "`--apply` reads a list, which names the libraries, and writes none.",
                    advice: "Leave out --all, --to, --json and --library.")
            }
            if arguments[apply] == nil, arguments[SetCommand.dryRun] {
                return Objection("`--dry-run` belongs to `--apply`.", advice: "Leave it out, or add --apply.")
            }
            return StoreOptions.objection(arguments, to: format, besides: .json)
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        if let path = arguments[apply] { return try await join(path, arguments, console) }
        let (library, includesSimilar) = (arguments[ExportCommand.library], arguments[all])
        if !arguments[StoreOptions.json], !arguments.isExplicit(format),
            RawTerminal.isAvailable(environment: ProcessTexts.environment)
        {
            return try await ask(library, includesSimilar, arguments, console)
        }
        let format = arguments[StoreOptions.json] ? Format.json : arguments[format]
        let list = try StoreOutput.write(DefaultPaths.store(arguments), console) {
            (connection, sink) throws(ETLError) in
            let list = try DuplicateList(connection, of: library, includesSimilar: includesSimilar)
            if let format = DuplicateList.Format(rawValue: format.rawValue) {
                try list.write(as: format, to: sink)
            }
            return list
        }
        if list.groups.isEmpty {
            console.note("No two entries are about the same book.")
        } else if format == .table {
            try console.write(listing: table(list))
            console.note("To join them, write a list with \(UserCommand.duplicateTable), and apply it.")
        }
        return .completed
    }

    /// Asks about each group on the terminal, and joins what the user decided to join.
    private static func ask(
        _ library: String?, _ includesSimilar: Bool, _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let store = DefaultPaths.store(arguments)
        let list = try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
            try DuplicateList(connection, of: library, includesSimilar: includesSimilar)
        }
        guard !list.groups.isEmpty else {
            console.note("No two entries are about the same book.")
            return .completed
        }
        var dialog = DuplicateDialog(list.questions)
        let isStopped = try DialogSession.run(&dialog, on: console) { _ in }
        guard !isStopped, !dialog.isInterrupted else {
            console.note("Nothing was joined.")
            return .stopped(by: Signals.process.received)
        }
        guard !dialog.joined.isEmpty else {
            console.note("Nothing was joined.")
            return .completed
        }
        let report: JoinReport
        do throws(ETLError) {
            report = try await LibraryEdits(store).join(DuplicateFile(dialog.joined))
        } catch {
            throw CommandFailure(error)
        }
        try tell(report, isDryRun: false, console)
        return .completed
    }

    private static func table(_ list: DuplicateList) -> Table {
        let hasSeveral = Set(list.groups.flatMap(\.members).map(\.entry.name.library)).count > 1
        let ofLibrary: [Table.Column] = hasSeveral ? [.init("library", isNeverCut: true)] : []
        var table = Table(
            [.init("group", .right)] + ofLibrary + [
                .init("match", isNeverCut: true), .init("score", .right),
                .init("reading", isOptional: true), .init("source", isNeverCut: true),
                .init("id", isOptional: true), .init("title", narrowest: 16),
                .init("authors", isOptional: true), .init("read", isOptional: true),
                .init("because", wraps: true),
            ])
        for (number, group) in list.groups.enumerated() {
            for member in group.members {
                let (entry, match) = (member.entry, member.match)
                table.add(
                    [match == nil ? "\(number + 1)" : ""] + (hasSeveral ? [entry.name.library] : []) + [
                        match?.relation.rawValue ?? "", match.map { "\($0.score)" } ?? "",
                        match?.reading.rawValue ?? "", entry.name.formatName,
                        entry.name.sourceID, entry.title, entry.authors.first ?? "", entry.readings.finished,
                        (match?.evidence ?? []).joined(separator: ", ").replacing("_", with: " "),
                    ])
            }
        }
        return table
    }

    private static func join(
        _ path: String, _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let isDryRun = arguments[SetCommand.dryRun]
        let report: JoinReport
        do throws(ETLError) {
            let file = try DuplicateFile(path)
            report = try await LibraryEdits(DefaultPaths.store(arguments), isDryRun: isDryRun).join(file)
        } catch {
            throw CommandFailure(error, input: path)
        }
        guard report.joined > 0 else {
            console.note(
                report.alreadyJoined == 0
                    ? "`\(path)` joins no entries." : "The entries of `\(path)` have been joined already.")
            return .completed
        }
        try tell(report, isDryRun: isDryRun, console)
        return .completed
    }

    private static func tell(
        _ report: JoinReport, isDryRun: Bool, _ console: Console
    ) throws(CommandFailure) {
        let entries = HumanText.count(report.joined, "entry", plural: "entries")
        let others = HumanText.count(report.kept)
        try console.writeText("\(entries) \(isDryRun ? "would be joined" : "joined") to \(others).")
        if report.alreadyJoined > 0 {
            console.note("Joined before: \(HumanText.count(report.alreadyJoined)).")
        }
        guard !report.jobs.isEmpty else {
            return try console.write("\nNothing was changed. Leave out --dry-run to do it.\n")
        }
        try console.write("\n")
        // A job for each library: each can be undone on its own.
        for job in report.jobs {
            try console.writeText(JobLookup.undoAdvice(job, console))
        }
    }
}
