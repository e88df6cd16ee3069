import Application
import Books
import Pipeline
import Syntax

/// `etl errors`: what was rejected, and why.
enum ErrorsCommand: Command {
    enum Format: String, Sendable, CaseIterable {
        case table, csv, json, ndjson
    }

    static let job = StoreOptions.jobArgument
    static let format = Option(
        .choice(
            "format", default: Format.table, "csv gives the rows as they were, and a column with the reason"),
        "FORMAT")
    static let warnings = Option.flag(
        "warnings", "also what was noticed in records that were kept: repairs, dates, ratings, ragged rows")
    static let reasons = Option.flag("reasons", "list the reason codes and what they mean")

    static let spec = CommandSpec(
        "errors", summary: "list rejected rows with row number, field, value and reason",
        details: [
            "`--format csv` gives the rows under their own header, with the reason behind them, ready to be mended."
        ],
        arguments: [job.spec],
        options: [
            format.spec, warnings.spec, reasons.spec, ExportCommand.safe.spec, StoreOptions.db.spec,
            StoreOptions.json.spec,
        ],
        examples: [
            .init("etl errors", "what the last job rejected"),
            .init("etl errors --format csv spring-import > mend.csv", "the rows, ready to be mended"),
            .init("etl errors --reasons", "every reason code and its meaning"),
        ],
        objection: { arguments in
            arguments[StoreOptions.json] && arguments.isGiven(format) && arguments[format] != .json
                ? "`--json` is `--format json`: give one of the two." : nil
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
            _ = try StoreOutput.write(store, console) { (connection, sink) throws(StageFailure) in
                try ErrorList(connection).write(
                    of: name, as: format, includesWarnings: withWarnings, guardsFormulas: isSafe, to: sink)
            }
            return .completed
        }
        var table = Table()
        _ = try StoreOutput.write(store, console) { (connection, _) throws(StageFailure) in
            try ErrorList(connection).forEach(of: name, includesWarnings: withWarnings) { error in
                // A job of several files has one for each error.
                if table.isEmpty { table = Table((error.file == nil ? [] : [.init("file")]) + columns) }
                table.add(
                    (error.file.map { [SpoolName.replaced(in: $0)] } ?? []) + [
                        "\(error.row)", "\(error.line)", error.code, error.field ?? "", error.value ?? "",
                        error.reason,
                    ])
            }
        }
        guard !table.isEmpty else {
            console.note("Nothing was rejected\(withWarnings ? ", and there are no warnings" : "").")
            return .completed
        }
        try console.write(table)
        return .completed
    }

    private static let columns: [Table.Column] = [
        .init("row", .right), .init("line", .right), .init("code"), .init("field"), .init("value"),
        .init("reason"),
    ]

    private static func writeReasons(
        as format: Format, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        switch format {
        case .json, .ndjson:
            var json = JSONWriter()
            if format == .json { json.beginArray() }
            for reason in ReasonCode.allCases {
                reason.write(into: &json)
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
            for reason in ReasonCode.allCases { csv.record([reason.code, reason.sentence, reason.advice]) }
            try console.write(csv.bytes)
        case .table:
            var table = Table(.init("code"), .init("means"), .init("what to do"))
            for reason in ReasonCode.allCases { table.add(reason.code, reason.sentence, reason.advice) }
            try console.write(table)
        }
        return .completed
    }
}
