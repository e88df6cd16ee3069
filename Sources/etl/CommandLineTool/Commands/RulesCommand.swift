import Formats
import Jobs
import Pipeline
import Queries
import Store
import System

/// `etl rules`: the rules that a library applies to shelves, ratings and authors of its imports.
enum RulesCommand: Command {
    static let file = Argument.one("FILE", "File of rules")
    static let files = Argument.many(
        "FILE", "Library exports; - is standard input (default: the entries of the library)")
    static let library = Option(
        .text("library", default: JobOptions.defaultLibrary, "Library that the rules are for"), "NAME"
    ).composed()
    private static let place = [library.spec, StoreOptions.db.spec, StoreOptions.json.spec]

    static let set = CommandSpec(
        "rules", "set", summary: "Check rules and remember them for later imports",
        details: [
            "The rules replace those that the library remembers. Books that are stored already do not change; "
                + "import their file again to apply the rules to them. A job that continues keeps the rules it was "
                + "started with."
        ],
        arguments: [file.spec], options: place,
        examples: [
            .init("etl rules set rules.yaml", "Apply the rules to all later imports into library.sqlite"),
            .init("etl rules set --library anna anna.yaml", "Set the rules of another library"),
            .init("etl rules set --db ours.sqlite rules.yaml", "Set the rules in another store"),
        ])
    static let show = CommandSpec(
        "rules", "show", summary: "Print the rules that a library remembers, as they were set",
        options: place,
        examples: [
            .init("etl rules show", "Print the rules of the default library"),
            .init("etl rules show > rules.yaml", "Write them to a file, to edit them"),
            .init("etl rules show --library anna", "Print the rules of another library"),
        ])
    static let clear = CommandSpec(
        "rules", "clear", summary: "Forget the rules that a library remembers",
        details: ["Books that are stored already do not change."], options: place,
        examples: [
            .init("etl rules clear", "Forget the rules of the default library"),
            .init("etl rules clear --library anna", "Forget the rules of another library"),
            .init("etl rules clear --db ours.sqlite", "Forget the rules in another store"),
        ])
    static let suggest = CommandSpec(
        "rules", "suggest", summary: "Propose rules for what files or a library contain",
        details: [
            "Prints a file of rules with comments that say how many books each rule concerns, and why. "
                + "It finds shelves that say a reading status in other words, shelves that differ in case, blanks, "
                + "hyphens or a plural, ratings above five stars, and authors in several spellings. Rules that are "
                + "not certain are comments: remove the # to use them.",
            "Without a FILE, it examines the library and leaves out what its rules say.",
        ],
        arguments: [files.spec], options: place + ReadOptions.all,
        examples: [
            .init(
                "etl rules suggest goodreads_library_export.csv > rules.yaml", "Propose rules for an export"),
            .init("etl rules suggest", "Propose rules for what is in library.sqlite"),
            .init("etl rules suggest --library anna", "Propose rules for another library"),
        ],
        objection: { arguments in
            let isOfFiles = !arguments[files].isEmpty
            let reading = ReadOptions.all.first { !arguments.texts(of: $0).isEmpty }
            if isOfFiles, arguments.isExplicit(library) || arguments[StoreOptions.db] != nil {
                return Objection(
                    "Rules are proposed for files or for a library.",
                    advice: "Leave out the files, or --library and --db.")
            }
            guard !isOfFiles, let reading else { return nil }
            return Objection("`--\(reading.name)` is for reading files.", advice: "Specify a FILE.")
        })

    static let spec = CommandSpec(
        "rules", summary: "Set and propose rules for shelves, ratings and authors",
        details: [
            "A file of rules says that a shelf is a reading status, a tag or nothing, how many stars a rating means, and how "
                + "an author is spelled. `etl import --rules FILE` applies rules to one import."
        ],
        examples: [
            .init("etl rules suggest export.csv > rules.yaml", "Propose rules for an export"),
            .init("etl rules set rules.yaml", "Remember rules for later imports"),
            .init("etl rules show", "Print the remembered rules"),
        ],
        subcommands: [suggest, set, show, clear])

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let rules = LibraryRules(of: arguments[library], in: store)
        switch arguments.command.last {
        case "suggest": return try await propose(arguments, console)
        case "show":
            try checkExists(store, console)
            try show(rules, arguments, console)
        case let command:
            if command == "clear" { try checkExists(store, console) }
            let report: RulesReport
            do throws(ETLError) {
                let isNew = try StoreFile.openIfStarted(store, waiting: console.lockWaitPolicy) == nil
                report = try change(rules, arguments, console)
                // A mistyped path shows.
                if isNew { console.note("Made a new store, `\(store)`.") }
            } catch {
                throw CommandFailure(error)
            }
            try write(report, arguments, console)
        }
        return .completed
    }

    /// Tells a mistyped path from a store without rules.
    private static func checkExists(_ store: String, _ console: Console) throws(CommandFailure) {
        do throws(ETLError) {
            _ = try StoreFile.openForReading(store, waiting: console.lockWaitPolicy)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Writes the result for a program that asked for JSON.
    private static func write(
        _ report: RulesReport, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        if arguments[StoreOptions.json] { try console.writeJSON(report) }
    }

    private static func show(
        _ rules: LibraryRules, _ arguments: ParsedArguments, _ console: Console
    ) throws(CommandFailure) {
        let (name, report): (String, RulesReport)
        let file: DefinitionSource.File?
        do throws(ETLError) {
            name = arguments[library]
            file = try rules.file(waiting: console.lockWaitPolicy)
            report = .remembered(
                library: name,
                count: try file.map { (file) throws(ETLError) in try MappingRules(file).count } ?? 0,
                text: file?.text)
        } catch {
            throw CommandFailure(error)
        }
        if file == nil { console.note("The library “\(name)” remembers no rules.") }
        guard !arguments[StoreOptions.json], let text = file?.text else {
            return try write(report, arguments, console)
        }
        try console.write(text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n")
    }

    /// Sets or clears the rules, and says so.
    private static func change(
        _ rules: LibraryRules, _ arguments: ParsedArguments, _ console: Console
    ) throws(ETLError) -> RulesReport {
        let name = arguments[library]
        guard arguments.command.last == "clear" else {
            let read = try MappingRules(file: arguments[file])
            // `etl rules suggest` with nothing to propose leaves an empty file.
            guard read.count > 0 else {
                throw ETLError(
                    .usage, "`\(arguments[file])` has no rules, so the remembered ones stay.",
                    advice: "To forget them, run `etl rules clear`.")
            }
            try rules.set(read, now: SystemClock().epochMilliseconds(), waiting: console.lockWaitPolicy)
            console.note(
                "Later imports into the library “\(name)” apply \(HumanText.count(read.count, "rule")).")
            return .remembered(library: name, count: read.count, text: read.file.text)
        }
        let isForgotten = try rules.clear(waiting: console.lockWaitPolicy) != nil
        console.note(
            isForgotten
                ? "The library “\(name)” no longer remembers any rules."
                : "The library “\(name)” remembers no rules.")
        return .remembered(library: name, count: 0, text: nil)
    }

    private static func propose(
        _ arguments: ParsedArguments, _ console: Console
    ) async throws(CommandFailure) -> ExitStatus {
        let names = try FilePatterns.expanded(arguments[files])
        var reading = ReadSettings(files: [])
        defer {
            for (path, name) in zip(reading.files, names) { ImportRequestBuilder.removeSpool(path, of: name) }
        }
        for name in names { reading.files.append(try ImportRequestBuilder.file(name)) }
        try ReadOptions.apply(arguments, to: &reading)
        let counts: RuleCounts
        do throws(ETLError) {
            if names.isEmpty {
                let store = DefaultPaths.store(arguments)
                try reading.takeRules(of: arguments[library], in: store, waiting: console.lockWaitPolicy)
                counts = try RuleSurvey.counts(
                    of: arguments[library],
                    in: StoreFile.openForReading(store, waiting: console.lockWaitPolicy))
            } else {
                counts = try await RuleSurvey.counts(of: reading)
            }
        } catch {
            throw CommandFailure(error, input: names.first)
        }
        let proposal = RuleProposal(counts, besides: reading.rules)
        let (certain, uncertain) = proposal.counts
        let report = RulesReport.proposed(
            books: counts.books, certain: certain, uncertain: uncertain, text: proposal.text)
        try write(report, arguments, console)
        guard certain + uncertain > 0 else {
            console.note("No rules to propose.")
            return .completed
        }
        guard !arguments[StoreOptions.json] else { return .completed }
        var head = "# Rules proposed by `etl rules suggest` for \(HumanText.count(counts.books, "book")).\n"
        if uncertain > 0 { head += "# Lines with # before a rule are not certain: remove it to use them.\n" }
        try console.write(head + proposal.text)
        console.note(
            "\(HumanText.count(certain, "rule")) proposed, and \(HumanText.count(uncertain)) that \(uncertain == 1 ? "is" : "are") not certain."
        )
        return .completed
    }
}
