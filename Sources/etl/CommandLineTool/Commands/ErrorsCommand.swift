import Books
import Contract
import Pipeline
import Queries
import Syntax
import System

/// `etl errors`: lists rejected records and warnings.
enum ErrorsCommand: Command {
    enum Format: String, Sendable, CaseIterable {
        case table, csv, json, ndjson
    }

    static let job = StoreOptions.jobArgument
    static let format = Option(
        .choice("to", default: Format.table, "Output format"), "FORMAT"
    ).formerly("format")
    static let warnings = Option.flag(
        "warnings", "Also list warnings and repairs of imported records")
    static let reasons = Option.flag("reasons", "List all reason codes and their meaning")

    static let spec = CommandSpec(
        "errors", summary: "List rejected records and the reasons",
        details: [
            "`--to csv` writes the rejected rows with their original columns, followed by the reason. Correct them "
                + "and import them again with `etl import --rejects FILE --job JOB`."
        ],
        arguments: [job.spec],
        options: [
            format.spec, warnings.spec, reasons.spec, ExportCommand.safe.spec, StoreOptions.db.spec,
            StoreOptions.json.spec,
        ],
        examples: [
            .init("etl errors", "Show what the newest job rejected, and why"),
            .init(
                "etl errors --to csv spring-import > corrections.csv",
                "Write the rejected rows to a file, to correct them"),
            .init("etl errors --reasons", "List all reason codes"),
        ], isPaged: true,
        objection: { arguments in
            StoreOptions.objection(arguments, to: format, besides: .json)
                ?? ExportCommand.safeObjection(arguments, isCSV: arguments[format] == .csv)
        })

    static func run(_ arguments: ParsedArguments, _ console: Console) async throws(CommandFailure)
        -> ExitStatus
    {
        let store = DefaultPaths.store(arguments)
        let format = arguments[StoreOptions.json] ? Format.json : arguments[format]
        if arguments[reasons] { return try writeReasons(as: format, console) }
        let (name, withWarnings) = (arguments[job], arguments[warnings])
        let isSafe = arguments[ExportCommand.safe]
        if let format = ErrorList.Format(rawValue: format.rawValue) {
            _ = try StoreOutput.write(store, console) { (connection, sink) throws(ETLError) in
                try ErrorList(connection).write(
                    of: name, as: format, includesWarnings: withWarnings, guardsFormulas: isSafe, to: sink)
            }
            return .completed
        }
        var table = Table()
        _ = try StoreOutput.write(store, console) { (connection, _) throws(ETLError) in
            try ErrorList(connection).forEach(
                of: name, includesWarnings: withWarnings, namesBooks: true
            ) { error in
                // Errors name their file only if the job has several files.
                if table.isEmpty {
                    table = Table((error.file == nil ? [] : [.init("file", isNeverCut: true)]) + columns)
                }
                table.add(
                    (error.file.map { [SpoolName.replaced(in: $0)] } ?? []) + [
                        "\(error.row)", "\(error.line)", error.book ?? "", error.code, error.field ?? "",
                        error.value ?? "",
                        error.reason,
                    ])
            }
        }
        guard !table.isEmpty else {
            console.note(withWarnings ? "No rejected records and no warnings." : "No rejected records.")
            return .completed
        }
        try console.write(listing: table)
        return .completed
    }

    private static let columns: [Table.Column] = [
        .init("row", .right), .init("line", .right, isOptional: true), .init("book", narrowest: 20),
        .init("code", isNeverCut: true),
        .init("column", narrowest: 24),
        // Wide enough for an ISBN in any spelling.
        .init("value", narrowest: 24), .init("reason", wraps: true),
    ]

    private static func writeReasons(
        as format: Format, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        switch format {
        case .json, .ndjson:
            var json = JSONWriter()
            if format == .json { json.beginArray() }
            for reason in ReasonCode.allCases {
                reason.write(into: &json, spelling: console.words.spelled)
                if format == .ndjson { json.endLine() }
            }
            if format == .json {
                json.endArray()
                json.endLine()
            }
            try console.write(json.bytes)
        case .csv:
            var csv = CSVWriter()
            csv.record(["code", "means", "what_to_do"])
            for reason in ReasonCode.allCases {
                csv.record([reason.code, reason.sentence, console.words.spelled(reason.advice)])
            }
            try console.write(csv.bytes)
        case .table:
            var table = Table(
                .init("code", isNeverCut: true), .init("meaning", wraps: true),
                .init("what to do", wraps: true))
            for reason in ReasonCode.allCases {
                table.add(reason.code, reason.sentence, console.words.spelled(reason.advice))
            }
            try console.write(listing: table)
        }
        return .completed
    }
}
