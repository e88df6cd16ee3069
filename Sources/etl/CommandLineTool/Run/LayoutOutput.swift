import Database
import Formats
import Pipeline
import Queries
import System

/// Output in the layout of another program, with the report of the losses. Shared by `export` and `convert`.
struct LayoutOutput {
    static let loss = Option(
        Setting<String?>.text("loss", "Write a CSV of all values that the program cannot hold"), "FILE")
    static let strict = Option.flag(
        "strict", "Write nothing and exit with status 3 if a value would be lost or changed")

    private let layout: any ExportLayout
    private let isStrict: Bool
    /// The file of losses; nil for none.
    private let list: OutputFile?
    /// The user's name for it.
    private let listAdvice: String
    private let console: Console

    static func layout(named name: String) -> (any ExportLayout)? {
        LibraryFormats.layouts.first { $0.name == name }
    }

    /// Refuses the options that only layouts have.
    static func objection(_ arguments: ParsedArguments) -> Objection? {
        guard arguments[loss] != nil || arguments[strict] else { return nil }
        return Objection(
            "`--loss` and `--strict` apply to formats of other programs; this format can hold all values.",
            advice: "Leave them out, or choose such a format.")
    }

    /// - Parameters:
    ///   - store: The store that is read; nil for none.
    ///   - input: The file that is read; nil for none.
    /// - Throws: `.usage` if the list of losses would overwrite one of them; `.cannotCreate` if it cannot be written.
    init(
        _ layout: any ExportLayout, _ arguments: ParsedArguments, reading store: String? = nil,
        input: String? = nil, _ console: Console
    ) throws(CommandFailure) {
        let file = arguments[Self.loss].map { OutputFile(path: $0, option: "--loss") }
        try file?.check(againstStore: store, input: input)
        try self.init(
            layout, listing: file, named: "--loss FILE", isStrict: arguments[Self.strict], console)
    }

    /// - Parameters:
    ///   - list: List of all losses; nil for none. The caller
    ///     has checked that nothing is overwritten that is read.
    ///   - advice: The user's name for it.
    init(
        _ layout: any ExportLayout, listing list: OutputFile?, named advice: String, isStrict: Bool = false,
        _ console: Console
    ) throws(CommandFailure) {
        self.layout = layout
        self.console = console
        self.isStrict = isStrict
        listAdvice = advice
        self.list = list
        try list?.checkIsWritable()
    }

    /// Reports what gets lost, then writes the entries, unless that is refused.
    func write(
        _ connection: Connection, of library: String? = nil,
        to sink: (UnsafeRawBufferPointer) throws(ETLError) -> Void
    ) throws(ETLError) -> LossReport {
        let export = LayoutExport(connection, layout)
        return try export.write(of: library, listing: listSink, to: sink) {
            (report) throws(ETLError) in refuses(report)
        }
    }

    /// The same in a layout that is a folder.
    func write(
        _ connection: Connection, of library: String? = nil, toFolder folder: String
    ) throws(ETLError) -> LossReport {
        let export = LayoutExport(connection, layout)
        let report = try export.write(of: library, listing: listSink, toFolder: folder) {
            (report) throws(ETLError) in refuses(report)
        }
        guard !isStrict || report.count == 0 else { return report }
        let place = ShellWord.of(folder)
        console.note("Wrote \(HumanText.count(report.entries, "book")) to `\(folder)`.")
        console.note(
            "Make calibre's database with calibredb restore_database --really-do-it --with-library \(place)")
        return report
    }

    /// Replaces the list of losses when all are written; nil if none was asked for.
    private var listSink: LayoutExport.ScopedSink? {
        guard let list else { return nil }
        return { (write) throws(ETLError) in
            do throws(CommandFailure) {
                try list.replace(by: write)
            } catch {
                throw error.cause ?? ETLError(.cannotCreate, error.message, advice: error.advice)
            }
        }
    }

    /// Reports losses. Whether they prevent writing.
    private func refuses(_ report: LossReport) -> Bool {
        tell(report)
        return isStrict && report.count > 0
    }

    /// Refuses to write a part of a file.
    ///
    /// - Parameter rejected: Number of records that could not be read.
    func checkIsComplete(without rejected: Int) throws(CommandFailure) {
        guard isStrict, rejected > 0 else { return }
        throw CommandFailure(
            .rejected,
            "Nothing was written, because \(HumanText.count(rejected, "record")) could not be read.",
            advice: "Correct the file, or leave out --strict.")
    }

    /// The status of the command.
    func end(_ report: LossReport) throws(CommandFailure) -> ExitStatus {
        guard isStrict, report.count > 0 else { return .completed }
        throw CommandFailure(
            .rejected,
            "Nothing was written, because \(HumanText.count(report.count, "value")) would be lost or changed.",
            advice: "Leave out --strict, or choose another format.")
    }

    private func tell(_ report: LossReport) {
        if report.unidentified > 0 {
            console.warn(
                "\(HumanText.count(report.unidentified, "book")) \(report.unidentified == 1 ? "has" : "have") neither a title nor an ISBN in \(layout.title), which cannot tell what \(report.unidentified == 1 ? "it is" : "they are").",
                advice: "Add their titles or ISBNs first.")
        }
        guard report.count > 0 else { return }
        console.warn(
            "\(HumanText.count(report.count, "value")) \(report.count == 1 ? "is" : "are") lost or changed in \(layout.title) (\(HumanText.count(report.incomplete)) of \(HumanText.count(report.entries, "book"))).",
            advice: list == nil ? "List them all with \(listAdvice)." : nil)
        var table = Table(
            .init("field", isNeverCut: true), .init("lost", .right), .init("changed", .right),
            .init("for example", wraps: true))
        for field in report.fields {
            table.add(
                field.name, HumanText.count(field.lost), HumanText.count(field.changed),
                field.examples.map(Self.text).joined(separator: "; "))
        }
        console.tell(table)
    }

    private static func text(_ example: LossReport.Example) -> String {
        let value = shortened(example.value)
        let change = example.written.isEmpty ? value : "\(value) → \(shortened(example.written))"
        return "\(change) (\(shortened(example.book)))"
    }

    /// A value as a line of a table shows it.
    private static func shortened(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count <= 40 ? line : "\(line.prefix(39))…"
    }
}
